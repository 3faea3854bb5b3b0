"""Two-layer perceptron on a node's own features: the backbone that cannot be fooled by edges."""

from __future__ import annotations

from torch import Tensor

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.activation import activated
from halflabel.nets.backbone import TwoLayers
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.linear import bias, to_one_column, weights


class MLP(TwoLayers):
    """logits = relu(X W1 + b1) W2 + b2; the graph is ignored."""

    radius = 0

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.first, self.first_bias = weights(n_features, hidden, members), bias(hidden, members)
        self.second, self.second_bias = weights(hidden, 1, members), bias(1, members)
        self.dropout = ByteDropout(dropout)

    def hidden(self, X: FeatureMatrix, graph: MaskedGraph, dropout: ByteDropout | None) -> Tensor:
        """relu(X W1 + b1)."""
        return activated(X.times_each(self.first), self.first_bias, dropout)

    def answer(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """h W2 + b2."""
        return (to_one_column(h, self.second) + self.second_bias).squeeze(-1)
