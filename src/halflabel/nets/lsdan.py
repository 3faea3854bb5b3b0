"""Long-short distance attention (LSDAN; Wu et al., CIKM 2019), several networks side by side."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import elu, leaky_relu

from halflabel.adjacency import MaskedGraph
from halflabel.csr import csr_tensor
from halflabel.nets.backbone import Backbone
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.linear import bias, weights
from halflabel.nets.walk_views import WalkView, view_weights, walk_views

CAP = 16  # nodes that a walk of two steps or more may end in, for each node
SLOPE = 0.2  # of LeakyReLU below zero
TINY = 1e-30  # a node that a view leaves alone has nothing to divide


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


def attend(
    receiver: Tensor, sender: Tensor, value: Tensor, view: WalkView, weight: Tensor | None = None
) -> Tensor:
    """sum_j a_ij value_j over the pairs of a view, with a_ij = softmax_j LeakyReLU(receiver_i + sender_j).

    `value` has shape (members, nodes, columns), the others (members, nodes). A weight of the pairs, the same
    for all members or one row for each, multiplies the exponential. A node without pairs gets zero.
    """
    return _Attend.apply(receiver, sender, value, view, weight)  # pyright: ignore


class _Attend(torch.autograd.Function):
    """By hand, because it then needs no temporary of pairs times columns, and sums rows in their order."""

    @staticmethod
    def forward(
        ctx: Any, receiver: Tensor, sender: Tensor, value: Tensor, view: WalkView, weight: Tensor | None
    ) -> Tensor:
        attention, rising = [], []
        for m in range(len(value)):
            before = receiver[m].index_select(0, view.rows) + sender[m].index_select(0, view.col)
            e = leaky_relu(before, SLOPE)
            # The largest of a row goes out of its exponents, for the range of floats.
            scale = torch.exp(e - _reduce(e, "max", view.offsets).index_select(0, view.rows))
            scale = scale if weight is None else scale * weight[m % len(weight)]
            total = _reduce(scale, "sum", view.offsets).clamp_min(TINY)
            attention.append(scale / total.index_select(0, view.rows))
            rising.append(before > 0)
        out = torch.stack(
            [_matrix(view.crow, view.col, a) @ v for a, v in zip(attention, value, strict=True)])
        ctx.view = view
        ctx.save_for_backward(value, out, torch.stack(attention), torch.stack(rising))
        return out

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        view, crow, col, order = ctx.view, *ctx.view.by_columns
        of_receiver, of_sender, of_value = [], [], []
        for v, out, a, rising, g in zip(*ctx.saved_tensors, grad_outputs[0], strict=True):
            of_a = torch.sparse.sampled_addmm(_matrix(view.crow, view.col, a), g, v.T, beta=0.0).values()
            # softmax: the mean of a row's gradients under its attention is g_i . out_i
            of_e = a * (of_a - (g * out).sum(dim=-1).index_select(0, view.rows))
            of_e = torch.where(rising, of_e, SLOPE * of_e)
            of_receiver.append(_reduce(of_e, "sum", view.offsets))
            of_sender.append(_reduce(of_e.index_select(0, order), "sum", crow.long()))
            of_value.append(_matrix(crow, col, a.index_select(0, order)) @ g)
        return torch.stack(of_receiver), torch.stack(of_sender), torch.stack(of_value), None, None


def _reduce(values: Tensor, how: str, offsets: Tensor) -> Tensor:
    return torch.segment_reduce(values, how, offsets=offsets, initial=0.0 if how == "sum" else None)


def _matrix(crow: Tensor, col: Tensor, values: Tensor) -> Tensor:
    return csr_tensor(crow, col, values, (len(crow) - 1, len(crow) - 1))


def _unless_all_one(graph: MaskedGraph, views: list[WalkView]) -> list[Tensor] | None:
    weight = graph.csr.values().view(graph.adjacency.copies, -1)
    return None if bool((weight == 1).all()) else view_weights(views, weight)
