"""APPNP: a perceptron whose logits are spread by personalised PageRank (Gasteiger et al., 2019)."""

from __future__ import annotations

from torch import Tensor

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.gcn import convolve
from halflabel.nets.mlp import MLP

STEPS = 10
RETURN = 0.1  # probability of starting again from the node itself, in every step


class APPNP(Backbone):
    """z <- .9 A^ z + .1 logits, ten times, with the A^ of the GCN and one column of z for each member."""

    radius = STEPS

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.predict = MLP(n_features, hidden, members, dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The hidden layer of the perceptron."""
        return self.predict.embed(X, graph)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """Local logits, spread."""
        return _spread(self.predict.classify(h, graph), graph)

    def forward(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The same, where nobody asks for embeddings."""
        return _spread(self.predict(X, graph), graph)


def _spread(logits: Tensor, graph: MaskedGraph) -> Tensor:
    local = logits[..., None]
    scale, spread = graph.inverse_root_degree, local
    for _ in range(STEPS):
        spread = (1 - RETURN) * convolve(graph.csr, scale, spread) + RETURN * local
    return spread.squeeze(-1)
