"""Dropout with one random byte per value.

torch draws a 64-bit number per value, which made dropout the dearest part of a training step; bytes take
less than half of the time (benchmarks/speed/choices.py).
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn


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
        self.scale = 256 / (256 - self.threshold)
        self.draw: Callable[[Tensor], Tensor] = random_bytes  # replaced where x is a part of the nodes

    @property
    def drops(self) -> bool:
        """While training; otherwise everything is left alone."""
        return self.training and self.threshold > 0

    def forward(self, x: Tensor) -> Tensor:
        """A copy of x, with values dropped."""
        return x * self._factors(x) if self.drops else x

    def drop_(self, x: Tensor) -> Tensor:
        """The same in the place of x."""
        return x.mul_(self._factors(x)) if self.drops else x

    def _factors(self, x: Tensor) -> Tensor:
        """The scale where a value stays, zero where it is dropped.

        To compare bytes takes torch fifteen times as long as to cut them off at the threshold.
        """
        kept = self.draw(x).clamp_(self.threshold - 1, self.threshold).sub_(self.threshold - 1)
        return kept.to(x.dtype).mul_(self.scale)


def random_bytes(x: Tensor) -> Tensor:
    """A random byte for each value of x, eight of them from one random number.

    >>> random_bytes(torch.zeros(2, 3)).shape
    torch.Size([2, 3])
    """
    noise = torch.empty(-(-x.numel() // 8), dtype=torch.int64, device=x.device).random_(-(2**63), None)
    return noise.view(torch.uint8)[: x.numel()].view(x.shape)
