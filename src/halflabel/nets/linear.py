"""Linear layers of several networks side by side: the first axis counts the networks."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

MANY = 200_000  # values from which a gradient of our own pays for its call


def weights(n_in: int, n_out: int, members: int) -> nn.Parameter:
    """Glorot-uniform matrices of shape (members, n_in, n_out).

    >>> weights(4, 2, members=3).shape
    torch.Size([3, 4, 2])
    """
    bound = (6.0 / (n_in + n_out)) ** 0.5
    return nn.Parameter(torch.empty(members, n_in, n_out).uniform_(-bound, bound))


def bias(n_out: int, members: int) -> nn.Parameter:
    """Zero biases that broadcast over the nodes.

    >>> bias(2, members=3).shape
    torch.Size([3, 1, 2])
    """
    return nn.Parameter(torch.zeros(members, 1, n_out))


def to_one_column(h: Tensor, W: Tensor) -> Tensor:
    """h W for every member, (members, nodes, k) and (members, k, 1) to (members, nodes, 1).

    >>> to_one_column(torch.ones(2, 3, 4), torch.ones(2, 4, 1)).shape
    torch.Size([2, 3, 1])
    """
    return torch.bmm(h, W) if h.numel() < MANY else _ToOneColumn.apply(h, W)  # pyright: ignore


class _ToOneColumn(torch.autograd.Function):
    """torch.bmm, to the bit; the gradient of h, in which nothing is summed, in a quarter of its time."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, W: Tensor) -> Tensor:
        ctx.save_for_backward(h, W)
        return torch.bmm(h, W)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        h, W = ctx.saved_tensors
        grad = grad_outputs[0]
        return grad * W.transpose(1, 2), torch.bmm(h.transpose(1, 2), grad)
