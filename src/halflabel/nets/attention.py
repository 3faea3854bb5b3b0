"""Graph attention (GAT; Velickovic et al., 2018) that respects the learned edge weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch_geometric.nn import GATConv
from torch_geometric.utils import softmax

from halflabel.adjacency import MaskedGraph
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix

HEADS = 4


class GAT(nn.Module):
    """Two layers of four heads; attention between i and j is proportional to m_ij exp(e_ij)."""

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        width = hidden // HEADS
        self.first = nn.ModuleList(_WeightedGATConv(n_features, width, HEADS) for _ in range(members))
        self.second = nn.ModuleList(_WeightedGATConv(width * HEADS, 1, 1) for _ in range(members))
        self.dropout = ByteDropout(dropout)

    def forward(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """Logits of shape (members, nodes)."""
        edge_index, weight = graph.of_each(len(self.first))
        x, log_weight = X.dense(), weight.clamp_min(1e-12).log()
        logits = []
        for first, second, bonus in zip(self.first, self.second, log_weight, strict=True):
            h = self.dropout(torch.nn.functional.elu(first(x, edge_index, edge_attr=bonus)))
            logits.append(second(h, edge_index, edge_attr=bonus).squeeze(-1))
        return torch.stack(logits)


class _WeightedGATConv(GATConv):
    """GATConv learns a coefficient for edge features, which may end at zero; here weights always count."""

    def __init__(self, n_in: int, n_out: int, heads: int):
        # The self-loop that the layer adds has weight one, hence logarithm zero.
        super().__init__(n_in, n_out, heads=heads, fill_value=0.0)

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
        attention = torch.nn.functional.leaky_relu(attention, self.negative_slope)
        if edge_attr is not None:
            attention = attention + edge_attr.view(-1, 1)
        return softmax(attention, index, ptr, dim_size)
