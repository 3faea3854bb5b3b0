"""Long-short distance attention (LSDAN; Wu et al., CIKM 2019), several networks side by side."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import elu

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.attend import attend
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.linear import bias, weights
from halflabel.nets.walk_views import WalkView, view_weights, walk_views

CAP = 16  # nodes that a walk of two steps or more may end in, for each node


class LongShortAttention(Backbone):
    """Two layers of attention over nodes 1, ..., `reach` steps away, with residual connections.

        u0 = X W0 + b0;   u1 = u0 + first(u0);   h = u1 + second(u1);   logits = h w + b

    A learned edge weight multiplies exp(e) as in GAT; a pair further apart has that of the best walk.
    """

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float, reach: int = 3):
        super().__init__()
        self.project, self.project_bias = weights(n_features, hidden, members), bias(hidden, members)
        self.first, self.second = LongShortLayer(hidden, members), LongShortLayer(hidden, members)
        self.last, self.last_bias = weights(hidden, 1, members), bias(1, members)
        self.dropout, self.reach = ByteDropout(dropout), reach
        self.radius = 2 * reach

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The residual sum after both layers."""
        views = walk_views(graph.adjacency.single or graph.adjacency, self.reach, CAP)
        weight = _unless_all_one(graph, views)
        u = X.times_each(self.project) + self.project_bias
        u = u + self.first(u, views, weight)
        return u + self.second(u, views, weight)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """h w + b."""
        return (self.dropout(h) @ self.last + self.last_bias).squeeze(-1)


class LongShortLayer(nn.Module):
    """Short-distance attention inside every view, then long-distance attention across the views of a node.

        e_ij = LeakyReLU(r^T [W1 u_i || W1 u_j]);   h_i^(k) = elu(sum_j softmax_j(e_ij) W1 u_j)
        s_i^(k) = h_i^(k) . W2 u_i;                 o_i = sum_k softmax_k(s_i^(k)) h_i^(k)
    """

    def __init__(self, hidden: int, members: int):
        super().__init__()
        self.value, self.query = weights(hidden, hidden, members), weights(hidden, hidden, members)
        self.receiver, self.sender = weights(hidden, 1, members), weights(hidden, 1, members)

    def forward(self, u: Tensor, views: list[WalkView], view_weight: list[Tensor] | None) -> Tensor:
        """o of shape (members, nodes, hidden)."""
        value = u @ self.value
        receiver, sender = (value @ self.receiver).squeeze(-1), (value @ self.sender).squeeze(-1)
        near_to_far = torch.stack([
            elu(attend(receiver, sender, value, view, None if view_weight is None else view_weight[k]))
            for k, view in enumerate(views)])
        s = (near_to_far * (u @ self.query)).sum(dim=-1, keepdim=True)  # (views, members, nodes, 1)
        return (torch.softmax(s, dim=0) * near_to_far).sum(dim=0)


def _unless_all_one(graph: MaskedGraph, views: list[WalkView]) -> list[Tensor] | None:
    weight = graph.csr.values().view(graph.adjacency.copies, -1)
    return None if bool((weight == 1).all()) else view_weights(views, weight)
