"""What a backbone is, and how to choose one by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING

from torch import Tensor, nn

if TYPE_CHECKING:
    from halflabel.edges.adjacency import MaskedGraph
    from halflabel.nets.dropout import ByteDropout
    from halflabel.nets.features import FeatureMatrix

# Imported on demand: a run needs one or two of them.
BACKBONES = {
    "gcn": "halflabel.nets.gcn:GCN",
    "gcn_head": "halflabel.nets.gcn_head:GCNHead",
    "mlp": "halflabel.nets.mlp:MLP",
    "hops": "halflabel.nets.hops:Hops",
    "gat": "halflabel.nets.attention:GAT",
    "arma": "halflabel.nets.arma:ARMA",
    "appnp": "halflabel.nets.appnp:APPNP",
    "lsdan": "halflabel.nets.lsdan:LongShortAttention",
}


class Backbone(nn.Module, ABC):
    """Several networks side by side, each in two parts: nodes to hidden embeddings, and those to logits."""

    radius: int = 2  # how many steps away is what the logit of a node depends on

    @abstractmethod
    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """Hidden embeddings of shape (members, nodes, hidden), before dropout."""

    @abstractmethod
    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """Logits of shape (members, nodes) from embeddings."""

    def forward(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """Logits of shape (members, nodes)."""
        return self.classify(self.embed(X, graph), graph)


class TwoLayers(Backbone):
    """Networks of one hidden layer. Where nobody asks for embeddings, dropout happens in their place."""

    dropout: ByteDropout

    @abstractmethod
    def hidden(self, X: FeatureMatrix, graph: MaskedGraph, dropout: ByteDropout | None) -> Tensor:
        """The hidden layer, (members, nodes, hidden), with dropout if it is given."""

    @abstractmethod
    def answer(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """Logits of shape (members, nodes), from what dropout has left."""

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The hidden layer."""
        return self.hidden(X, graph, None)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """Logits from the hidden layer."""
        return self.answer(self.dropout(h), graph)

    def forward(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """Logits of shape (members, nodes)."""
        return self.answer(self.hidden(X, graph, self.dropout), graph)


def build_backbone(name: str, *, n_features: int, hidden: int, members: int, dropout: float) -> Backbone:
    """`members` networks of one kind, freshly initialised from torch's random state.

    >>> net = build_backbone("mlp", n_features=4, hidden=8, members=2, dropout=0.5)
    >>> [tuple(p.shape) for p in net.parameters()]
    [(2, 4, 8), (2, 1, 8), (2, 8, 1), (2, 1, 1)]
    """
    module, cls = BACKBONES[name].split(":")
    return getattr(import_module(module), cls)(n_features, hidden, members, dropout)
