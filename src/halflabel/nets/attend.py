"""Attention over the pairs of a fixed pattern, for several networks side by side, with a gradient by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from halflabel.edges.csr import csr_tensor
from halflabel.edges.products import sampled_products

SLOPE = 0.2  # of LeakyReLU below zero
TINY = 1e-30  # a node that the pattern leaves alone has nothing to divide


@dataclass(frozen=True, eq=False)
class Pattern:
    """Who attends to whom: pairs (row, column) by rows, as the two arrays of a CSR matrix."""

    crow: Tensor
    col: Tensor

    @cached_property
    def rows(self) -> Tensor:
        """Row of every pair."""
        return torch.repeat_interleave(torch.arange(self.n_nodes, device=self.col.device), self.crow.diff())

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.crow) - 1

    @cached_property
    def by_columns(self) -> tuple[Tensor, Tensor, Tensor]:
        """The transposed pattern: its two arrays, and the order in which it takes the values."""
        order = torch.argsort(self.col, stable=True)
        crow = torch.zeros_like(self.crow)
        crow[1:] = torch.bincount(self.col, minlength=self.n_nodes).cumsum(0)
        return crow, self.rows[order].int(), order

    @cached_property
    def offsets(self) -> Tensor:
        """`crow` as reductions of segments take it."""
        return self.crow.long()


def attend(
    receiver: Tensor, sender: Tensor, value: Tensor, pattern: Pattern, weight: Tensor | None = None
) -> Tensor:
    """sum_j a_ij value_j over the pairs of a pattern, with a_ij = softmax_j LeakyReLU(receiver_i + sender_j).

    `value` has shape (members, nodes, columns), the others (members, nodes). A weight of the pairs, the same
    for all members or one row for each, multiplies the exponential. A node without pairs gets zero.
    """
    return _Attend.apply(receiver, sender, value, pattern, weight)  # pyright: ignore


class _Attend(torch.autograd.Function):
    """By hand, because it then needs no temporary of pairs times columns, and sums rows in their order."""

    @staticmethod
    def forward(
        ctx: Any, receiver: Tensor, sender: Tensor, value: Tensor, pattern: Pattern, weight: Tensor | None
    ) -> Tensor:
        attention, rising = [], []
        for m in range(len(value)):
            before = receiver[m].index_select(0, pattern.rows) + sender[m].index_select(0, pattern.col)
            e = leaky_relu(before, SLOPE)
            # The largest of a row goes out of its exponents, for the range of floats.
            scale = torch.exp(e - _reduce(e, "max", pattern.offsets).index_select(0, pattern.rows))
            scale = scale if weight is None else scale * weight[m % len(weight)]
            total = _reduce(scale, "sum", pattern.offsets).clamp_min(TINY)
            attention.append(scale / total.index_select(0, pattern.rows))
            rising.append(before > 0)
        out = torch.stack(
            [_matrix(pattern.crow, pattern.col, a) @ v for a, v in zip(attention, value, strict=True)])
        ctx.pattern = pattern
        ctx.save_for_backward(value, out, torch.stack(attention), torch.stack(rising))
        return out

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        pattern, crow, col, order = ctx.pattern, *ctx.pattern.by_columns
        of_receiver, of_sender, of_value = [], [], []
        for v, out, a, rising, g in zip(*ctx.saved_tensors, grad_outputs[0], strict=True):
            of_a = sampled_products(pattern.crow, pattern.col, g, v, torch.zeros_like(a))
            # softmax: the mean of a row's gradients under its attention is g_i . out_i
            of_e = a * (of_a - (g * out).sum(dim=-1).index_select(0, pattern.rows))
            of_e = torch.where(rising, of_e, SLOPE * of_e)
            of_receiver.append(_reduce(of_e, "sum", pattern.offsets))
            of_sender.append(_reduce(of_e.index_select(0, order), "sum", crow.long()))
            of_value.append(_matrix(crow, col, a.index_select(0, order)) @ g)
        return torch.stack(of_receiver), torch.stack(of_sender), torch.stack(of_value), None, None


def _reduce(values: Tensor, how: str, offsets: Tensor) -> Tensor:
    return torch.segment_reduce(values, how, offsets=offsets, initial=0.0 if how == "sum" else None)


def _matrix(crow: Tensor, col: Tensor, values: Tensor) -> Tensor:
    return csr_tensor(crow, col, values, (len(crow) - 1, len(crow) - 1))
