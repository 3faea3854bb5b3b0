"""Two graph convolutions with a linear head (the network of GRAB; Yoo et al., 2021), several side by side."""

from __future__ import annotations

import torch
from torch import Tensor

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.gcn import convolve
from halflabel.nets.linear import bias, weights


class GCNHead(Backbone):
    """logits = relu(A^ relu(A^ X W1 + b1) W2 + b2) w3 + b3.

    Unlike in "gcn", the logit of a node is not averaged over its neighbours: what is smoothed is the hidden
    layer, and the head decides on each node alone. Dropout is before the head only: GRAB has none at all.
    """

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.first, self.first_bias = weights(n_features, hidden, members), bias(hidden, members)
        self.second, self.second_bias = weights(hidden, hidden, members), bias(hidden, members)
        self.head, self.head_bias = weights(hidden, 1, members), bias(1, members)
        self.dropout = ByteDropout(dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The second convolution's output, after its ReLU."""
        scale = graph.inverse_root_degree
        h = torch.relu(convolve(graph.csr, scale, X.times_each(self.first)) + self.first_bias)
        h = convolve(graph.csr, scale, h @ self.second)
        return torch.relu(h + self.second_bias)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """h w3 + b3."""
        return (self.dropout(h) @ self.head + self.head_bias).squeeze(-1)
