"""A backbone from torch_geometric that takes edge weights as they are: ARMA filters."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch_geometric.nn import ARMAConv

from halflabel.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix


class ARMA(Backbone):
    """Two layers of auto-regressive moving-average filters (Bianchi et al., 2021)."""

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.first = nn.ModuleList(ARMAConv(n_features, hidden) for _ in range(members))
        self.second = nn.ModuleList(ARMAConv(hidden, 1, act=nn.Identity()) for _ in range(members))
        self.dropout = ByteDropout(dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The first filter."""
        x, (edge_index, weights) = X.dense(), graph.of_each(len(self.first))
        return torch.stack([
            layer(x, edge_index, weight) for layer, weight in zip(self.first, weights, strict=True)])

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """The second filter."""
        edge_index, weights = graph.of_each(len(self.second))
        return torch.stack([
            layer(self.dropout(x), edge_index, weight).squeeze(-1)
            for layer, x, weight in zip(self.second, h, weights, strict=True)])
