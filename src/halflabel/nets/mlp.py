"""Two-layer perceptron on a node's own features: the backbone that cannot be fooled by edges."""

from __future__ import annotations

import torch
from torch import Tensor

from halflabel.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.linear import bias, weights


class MLP(Backbone):
    """logits = relu(X W1 + b1) W2 + b2; the graph is ignored."""

    radius = 0

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.first, self.first_bias = weights(n_features, hidden, members), bias(hidden, members)
        self.second, self.second_bias = weights(hidden, 1, members), bias(1, members)
        self.dropout = ByteDropout(dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """relu(X W1 + b1)."""
        return torch.relu(X.times_each(self.first) + self.first_bias)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """h W2 + b2."""
        return (self.dropout(h) @ self.second + self.second_bias).squeeze(-1)
