"""Graph attention (GAT; Velickovic et al., 2018) that respects the learned edge weights."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.nn.functional import elu, pad

from halflabel.edges.adjacency import Adjacency, MaskedGraph
from halflabel.nets.attend import Pattern, attend
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.linear import bias, weights

HEADS = 4
_KNOWN: WeakKeyDictionary[Adjacency, tuple[Pattern, Tensor]] = WeakKeyDictionary()


class GAT(Backbone):
    """Two layers of four heads; attention between i and j is proportional to m_ij exp(e_ij).

    By hand because all members and heads then share one pattern, and nothing has the size of edges times
    columns: 20 epochs of GPL on Squirrel took 21 and 22 s, with layers of torch_geometric 34 and 41 s.
    """

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        width = hidden // HEADS
        self.first_values = weights(n_features, width * HEADS, members)
        self.first = AttentionLayer(width, HEADS, members)
        self.second_values = weights(width * HEADS, 1, members)
        self.second = AttentionLayer(1, 1, members)
        self.dropout = ByteDropout(dropout)

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The heads of the first layer, concatenated."""
        return elu(self.first(X.times_each(self.first_values), graph))

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """The second layer, of one head."""
        return self.second(self.dropout(h) @ self.second_values, graph).squeeze(-1)


class AttentionLayer(nn.Module):
    """sum_j a_ij v_j over neighbours and the node itself, a_ij = softmax_j LeakyReLU(r . v_i + s . v_j)."""

    def __init__(self, width: int, heads: int, members: int):
        super().__init__()
        self.receiver, self.sender = weights(width, heads, members), weights(width, heads, members)
        self.bias = bias(width * heads, members)

    def forward(self, values: Tensor, graph: MaskedGraph) -> Tensor:
        """From values of shape (members, nodes, heads * width) to the same shape."""
        members, width, heads = self.receiver.shape
        v = values.unflatten(2, (heads, width))
        receiver, sender = (
            torch.einsum("mnhw,mwh->hmn", v, score).flatten(0, 1) for score in (self.receiver, self.sender))
        pattern, weight = _with_loops(graph, members)
        # Heads come first: number h * members + m is head h of member m, whose weights are row m.
        out = attend(receiver, sender, v.permute(2, 0, 1, 3).flatten(0, 1), pattern, weight)
        return out.unflatten(0, (heads, members)).permute(1, 2, 0, 3).flatten(2) + self.bias


def _with_loops(graph: MaskedGraph, members: int) -> tuple[Pattern, Tensor]:
    """The edges and a loop at every node, of weight one; and the weights, (members, pairs)."""
    single = graph.adjacency.single or graph.adjacency
    if single not in _KNOWN:
        _KNOWN[single] = _add_loops(single)
    pattern, source = _KNOWN[single]
    weight = graph.csr.values().view(graph.adjacency.copies, -1)
    return pattern, pad(weight, (0, 1), value=1.0)[:, source].expand(members, -1)


def _add_loops(adjacency: Adjacency) -> tuple[Pattern, Tensor]:
    """The pattern; and of every pair its stored entry, or for a loop the number after the last."""
    n, entries = adjacency.n_nodes, len(adjacency.col)
    nodes = torch.arange(n, device=adjacency.col.device)
    keys = torch.cat([adjacency.rows.long() * n + adjacency.col, nodes * n + nodes])
    order = torch.argsort(keys)
    crow = adjacency.crow + torch.arange(n + 1, device=adjacency.crow.device, dtype=adjacency.crow.dtype)
    return Pattern(crow, (keys[order] % n).to(adjacency.col.dtype)), order.clamp(max=entries)
