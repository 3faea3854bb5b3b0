"""Dropout with one random byte per value.

torch draws a 64-bit number per value, which made dropout the dearest part of a training step; bytes take
less than half of the time (benchmarks/speed/choices.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

MANY = 4_000_000  # values from which memory matters more than the few microseconds of a function of our own


class ByteDropout(nn.Module):
    """Zero each value with probability p, in steps of 1/256, and scale the others by 1 / (1 - p).

    >>> torch.manual_seed(0).initial_seed()
    0
    >>> x = torch.ones(100_000)
    >>> dropped = ByteDropout(0.25)(x)
    >>> bool(abs(dropped.mean() - 1) < 0.01), sorted(set(dropped.tolist()))
    (True, [0.0, 1.3333333730697632])
    """

    def __init__(self, p: float):
        super().__init__()
        self.threshold = min(round(p * 256), 255)
        self.draw: Callable[[Tensor], Tensor] = random_bytes  # replaced where x is a part of the nodes

    def forward(self, x: Tensor) -> Tensor:
        """Drop while training; leave alone otherwise."""
        if not self.training or not self.threshold:
            return x
        kept, scale = self.draw(x) >= self.threshold, 256 / (256 - self.threshold)
        if x.numel() < MANY:
            return x * kept.to(x.dtype).mul_(scale)
        return _Kept.apply(x, kept, scale)  # pyright: ignore


class _Kept(torch.autograd.Function):
    """The same, to the bit; backward makes the factors again from a byte each, which are all that is kept."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, kept: Tensor, scale: float) -> Tensor:
        ctx.save_for_backward(kept)
        ctx.scale = scale
        return kept.to(x.dtype).mul_(scale).mul_(x)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        grad = grad_outputs[0]
        return ctx.saved_tensors[0].to(grad.dtype).mul_(ctx.scale).mul_(grad), None, None


def random_bytes(x: Tensor) -> Tensor:
    """A random byte for each value of x, eight of them from one random number.

    >>> random_bytes(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    noise = torch.empty(-(-x.numel() // 8), dtype=torch.int64, device=x.device).random_(-(2**63), None)
    return noise.view(torch.uint8)[: x.numel()].view(x.shape)
