"""Label propagation (the paper's Eq. 5), its loss (Eqs. 6 and 9), and a hand-written gradient.

Rows of the propagation matrix sum to one, so the two columns of E sum to one and one of them, the
probability of being positive, carries everything. Autograd would keep K vectors of edges; the adjoint below
keeps K vectors of nodes and visits the edges once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.csr import row_sums

LossForm = Literal["cross-entropy", "printed"]

# Floor inside the logarithms: the printed loss is unbounded below.
EPSILON = 1e-6


def propagate(
    adjacency: Adjacency, mask: Tensor, start: Tensor, *, steps: int, retain: float, self_loop: float = 1.0
) -> Tensor:
    """E^(k) = a E^(k-1) + (1-a) D^-1 (M o A) E^(k-1), k = 1..steps, with D the degrees of the *masked* graph.

    `start` holds one probability per node; `retain` is the paper's alpha; `self_loop` is the weight of each
    node's edge to itself in A (an isolated node always has one, so it keeps its value). Differentiable with
    respect to the mask and the start.

    >>> import numpy as np
    >>> from scipy import sparse
    >>> path = Adjacency.from_scipy(sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]])))
    >>> start = torch.tensor([1.0, 0.0, 0.0])
    >>> propagate(path, torch.ones(2), start, steps=1, retain=0.5, self_loop=0.0).tolist()
    [0.5, 0.25, 0.0]
    """
    return _Propagation.apply(mask, start, adjacency, steps, retain, self_loop)  # pyright: ignore


class _Propagation(torch.autograd.Function):
    """Forward e_k = a e + (1-a) r (V e + c e), with V = M o A, c the self-loops and r = 1 / (V 1 + c)."""

    @staticmethod
    def forward(
        ctx: Any,
        mask: Tensor,
        start: Tensor,
        adjacency: Adjacency,
        steps: int,
        retain: float,
        self_loop: float,
    ) -> Tensor:
        weighted = adjacency.weighted(mask)
        loop = _uneven_loops(adjacency, self_loop, mask)
        inverse_degree = 1.0 / (row_sums(weighted) + (1.0 if loop is None else loop))
        share = (1 - retain) * inverse_degree
        visited = start.new_empty(steps + 1, len(start))
        visited[0] = start
        rows = visited.unbind()
        for e, following in pairwise(rows):
            torch.mul(e, retain, out=following).addcmul_(share, _gather(weighted, loop, e))
        ctx.save_for_backward(inverse_degree, share, loop, visited)
        ctx.adjacency, ctx.weighted, ctx.retain = adjacency, weighted, retain
        return rows[-1].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        """g_{k-1} = (V + c) h_k + a g_k with h_k = (1-a) r g_k; V is symmetric, so no transpose is needed.

        dL/dV_ij = sum_k h_k[i] e_{k-1}[j] + q_i, where q_i = dL/d(degree_i); one mask weight serves both
        directions of its edge, so its gradient is the sum of the (i, j) and the (j, i) term.
        """
        inverse_degree, share, loop, visited = ctx.saved_tensors
        grad = grad_outputs[0]
        degree_grad = torch.zeros_like(grad)
        # How far each step moved e; once used, its row holds h_k.
        H = torch.sub(visited[1:], visited[:-1], alpha=ctx.retain)
        for k, h in reversed(list(enumerate(H.unbind()))):
            degree_grad.addcmul_(grad, h)
            torch.mul(share, grad, out=h)
            if k or ctx.needs_input_grad[1]:  # at k = 0 it serves nothing but the gradient of the start
                grad = _gather(ctx.weighted, loop, h).add_(grad, alpha=ctx.retain)
        if not ctx.needs_input_grad[0]:
            return None, grad, None, None, None, None
        E, q, one = visited[:-1], -inverse_degree * degree_grad, torch.ones_like(degree_grad)
        mask_grad = ctx.adjacency.edge_products([(H, E), (q[None], one[None])])
        return mask_grad.mul_(ctx.adjacency.base), grad, None, None, None, None


def _uneven_loops(adjacency: Adjacency, self_loop: float, like: Tensor) -> Tensor | None:
    """The weight of every node's edge to itself; None where all weigh one, which saves a pass."""
    if self_loop == 1:
        return None
    return torch.where(adjacency.degree == 0, max(self_loop, 1.0), self_loop).to(like)


def _gather(weighted: Tensor, loop: Tensor | None, x: Tensor) -> Tensor:
    """(V + c) x."""
    return torch.addmv(x if loop is None else loop * x, weighted, x)


def label_propagation_loss(
    propagated: Tensor,
    positive: Tensor,
    negative: Tensor | None = None,
    *,
    form: LossForm = "cross-entropy",
) -> Tensor:
    """How far propagation moves known labels: Eq. 6 without `negative`, Eq. 9 with it.

    `positive` and `negative` hold one weight per node, summing to one over each set (a mean, written as a
    dot product). As printed, the loss is the mean of log P(wrong class); the cross-entropy -log P(right
    class) decreases in the same direction but pushes hardest where propagation is wrong, and is bounded.

    >>> e = torch.tensor([0.5, 1.0])
    >>> round(label_propagation_loss(e, torch.tensor([1.0, 0.0])).item(), 4)
    0.6931
    """
    right, wrong = propagated, 1 - propagated  # for nodes that should be positive
    if form == "printed":
        right, wrong = wrong, right
    loss = positive @ right.clamp_min(EPSILON).log()
    if negative is not None:
        loss = loss + negative @ wrong.clamp_min(EPSILON).log()
    return loss if form == "printed" else -loss
