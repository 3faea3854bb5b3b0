"""Auto-regressive moving-average filters (ARMA; Bianchi et al., 2021), several networks side by side."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.gcn import convolve
from halflabel.nets.linear import bias, weights


class ARMA(Backbone):
    """Two filters of one stack: L x W + x V + b with L = D^-1/2 (M o A) D^-1/2, which has no self-loops."""

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.first, self.second = Filter(n_features, hidden, members), Filter(hidden, 1, members)
        self.dropout = ByteDropout(dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """relu of the first filter."""
        return torch.relu(self.first(X.times_each(self.first.both()), graph))

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """The second filter."""
        return self.second(self.dropout(h) @ self.second.both(), graph).squeeze(-1)


class Filter(nn.Module):
    """Takes x [W V], so that one product with the features serves both."""

    def __init__(self, n_in: int, n_out: int, members: int):
        super().__init__()
        self.near, self.own = weights(n_in, n_out, members), weights(n_in, n_out, members)
        self.bias = bias(n_out, members)

    def both(self) -> Tensor:
        """[W V] of shape (members, n_in, 2 n_out)."""
        return torch.cat([self.near, self.own], dim=-1)

    def forward(self, products: Tensor, graph: MaskedGraph) -> Tensor:
        """L x W + x V + b."""
        near, own = products.chunk(2, dim=-1)
        return spread(near.contiguous(), graph) + own + self.bias


def spread(x: Tensor, graph: MaskedGraph) -> Tensor:
    """L x for x of shape (members, nodes, columns): the convolution, less what its self-loops add."""
    degree = graph.strength
    scale = torch.where(degree > 0, degree.rsqrt(), 0.0)
    of_each = scale.view(graph.adjacency.copies, -1, 1)  # one graph for all members, or one for each
    return convolve(graph.csr, scale, x) - of_each.square() * x
