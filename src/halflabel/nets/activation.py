"""relu(x + b) and the dropout after it, of which training keeps one tensor of the size of x instead of three.

Where the result is not zero, the value was neither negative nor dropped: the result alone tells the backward
pass what it needs, and once it has been asked, its memory takes the gradient.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from halflabel.nets.dropout import ByteDropout


def activated(x: Tensor, bias: Tensor, dropout: ByteDropout | None = None) -> Tensor:
    """relu(x + b), with dropout if it is given; x stays as it is.

    >>> activated(torch.tensor([[[1.0, -3.0]]]), torch.ones(1, 1, 2)).tolist()
    [[[2.0, 0.0]]]
    """
    if not torch.is_grad_enabled():
        return activate_(x + bias, dropout)
    return _Activation.apply(x, bias, dropout)  # pyright: ignore


def activate_(h: Tensor, dropout: ByteDropout | None) -> Tensor:
    """relu and dropout in the place of h."""
    h.relu_()
    return h if dropout is None else dropout.drop_(h)


def gradient_before(grad: Tensor, h: Tensor, scale: float) -> Tensor:
    """The gradient of what became h by `activate_`, in the place of h; dropout had scaled by `scale`.

    Whoever used h had its backward pass before. A second pass through the same graph is refused by torch,
    which counts the changes of h.
    """
    torch.ops.aten.threshold_backward.grad_input(grad, h, 0, grad_input=h)
    return h if scale == 1 else h.mul_(scale)


def scale_of(dropout: ByteDropout | None) -> float:
    """What values that stay are multiplied with, now: training may be over when the backward pass asks.

    >>> scale_of(ByteDropout(0.5)), scale_of(ByteDropout(0.5).eval()), scale_of(None)
    (2.0, 1.0, 1.0)
    """
    return dropout.scale if dropout is not None and dropout.drops else 1.0


class _Activation(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, bias: Tensor, dropout: ByteDropout | None) -> Tensor:
        h = activate_(x + bias, dropout)
        ctx.save_for_backward(h)
        ctx.dropout_scale = scale_of(dropout)
        return h

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        grad = gradient_before(grad_outputs[0], ctx.saved_tensors[0], ctx.dropout_scale)
        return grad, grad.sum(dim=1, keepdim=True), None
