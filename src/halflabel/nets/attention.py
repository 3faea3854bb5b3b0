"""Graph attention (GAT; Velickovic et al., 2018) that respects the learned edge weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import elu, leaky_relu
from torch_geometric.nn import GATConv
from torch_geometric.utils import softmax

from halflabel.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.linear import weights

HEADS = 4


class GAT(Backbone):
    """Two layers of four heads; attention between i and j is proportional to m_ij exp(e_ij)."""

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        width = hidden // HEADS
        self.first_values = weights(n_features, width * HEADS, members)
        self.second_values = weights(width * HEADS, 1, members)
        self.first = nn.ModuleList(_Attention(width, HEADS) for _ in range(members))
        self.second = nn.ModuleList(_Attention(1, 1) for _ in range(members))
        self.dropout = ByteDropout(dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The heads of the first layer, concatenated."""
        values, (edge_index, bonus) = X.times_each(self.first_values), _log_weights(graph, len(self.first))
        return torch.stack([
            elu(layer(v, edge_index, edge_attr=own))
            for layer, v, own in zip(self.first, values, bonus, strict=True)])

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """The second layer, of one head."""
        values, (edge_index, bonus) = self.dropout(h) @ self.second_values, _log_weights(graph, len(h))
        return torch.stack([
            layer(v, edge_index, edge_attr=own).squeeze(-1)
            for layer, v, own in zip(self.second, values, bonus, strict=True)])


def _log_weights(graph: MaskedGraph, members: int) -> tuple[Tensor, Tensor]:
    edge_index, weight = graph.of_each(members)
    return edge_index, weight.clamp_min(1e-12).log()


class _Attention(GATConv):
    """The attention of a GATConv to values that were computed before: sparse features stay sparse.

    GATConv learns a coefficient for edge features, which may end at zero; here weights always count.
    """

    def __init__(self, n_out: int, heads: int):
        # The self-loop that the layer adds has weight one, hence logarithm zero.
        super().__init__(n_out * heads, n_out, heads=heads, fill_value=0.0)
        self.lin = nn.Identity()

    def edge_update(
        self,
        alpha_j: Tensor,
        alpha_i: Tensor | None,
        edge_attr: Tensor | None,
        index: Tensor,
        ptr: Tensor | None,
        dim_size: int | None,
    ) -> Tensor:
        attention = alpha_j if alpha_i is None else alpha_j + alpha_i
        attention = leaky_relu(attention, self.negative_slope)
        if edge_attr is not None:
            attention = attention + edge_attr.view(-1, 1)
        return softmax(attention, index, ptr, dim_size)
