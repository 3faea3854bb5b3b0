"""Adam (Kingma & Ba, 2015), to the bits of torch.optim.Adam, without its start.

The first step of any optimiser of torch imports torch's compiler, more than a second of every process that
fits something. And it passes eight times over all weights; here they are taken a block at a time that stays
in the cache (benchmarks/speed/choices.py has both).
"""

# Operations on lists are what torch.optim itself is made of; torch documents them, under these names.
# pyright: reportPrivateImportUsage=false
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
BLOCK = 2**17  # weights: with gradient and both moments two megabytes

Block = tuple[Tensor, Tensor, Tensor, Tensor]  # weights, their gradient, and both moments


class Adam:
    """Steps down the gradients of some parameters; `fused` takes torch's own kernel, which rounds otherwise.

    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> optimiser = Adam([x], lr=0.1)
    >>> (3 * x).sum().backward()
    >>> optimiser.step()
    >>> round(x.item(), 3)
    0.9
    """

    def __init__(
        self, parameters: Iterable[Tensor], *, lr: float, weight_decay: float = 0.0, fused: bool = False
    ):
        self.parameters = list(parameters)
        self.lr, self.weight_decay, self.fused = lr, weight_decay, fused
        self.steps = 0
        self.moments: list[tuple[Tensor, Tensor]] = []  # from the first step on

    def zero_grad(self) -> None:
        """Forget the gradients, and give back their memory."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """One step of all parameters."""
        if not self.moments:
            self.moments = [(torch.zeros_like(x), torch.zeros_like(x)) for x in self.parameters]
        self.steps += 1
        move = self._move_fused if self.fused else self._move
        small: list[Block] = []
        for parameter, (first, second) in zip(self.parameters, self.moments, strict=True):
            if parameter.grad is None:
                continue
            all_four = parameter, parameter.grad, first, second
            if self.fused or parameter.numel() <= BLOCK:
                small.append(all_four)
            else:
                for block in zip(*map(_blocks, all_four), strict=True):
                    move([block])
        if small:
            move(small)

    def _move(self, blocks: list[Block]) -> None:
        """Operations on lists: on small graphs, calling one for each parameter takes longer than its work."""
        x, grad, first, second = (list(side) for side in zip(*blocks, strict=True))
        if self.weight_decay:
            grad = torch._foreach_add(grad, x, alpha=self.weight_decay)
        torch._foreach_lerp_(first, grad, 1 - BETA1)
        torch._foreach_mul_(second, BETA2)
        torch._foreach_addcmul_(second, grad, grad, value=1 - BETA2)
        spread = torch._foreach_sqrt(second)
        torch._foreach_div_(spread, (1 - BETA2**self.steps) ** 0.5)
        torch._foreach_add_(spread, EPSILON)
        torch._foreach_addcdiv_(x, first, spread, value=-self.lr / (1 - BETA1**self.steps))

    def _move_fused(self, blocks: list[Block]) -> None:
        x, grad, first, second = (list(side) for side in zip(*blocks, strict=True))
        steps = [torch.tensor(float(self.steps), device=x[0].device)] * len(x)
        torch._fused_adam_(
            x, grad, first, second, [], steps, amsgrad=False, lr=self.lr, beta1=BETA1, beta2=BETA2,
            weight_decay=self.weight_decay, eps=EPSILON, maximize=False)

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint has to hold."""
        return {"steps": self.steps, "moments": [list(pair) for pair in self.moments]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.steps = state["steps"]
        self.moments = [(first.clone(), second.clone()) for first, second in state["moments"]]


def _blocks(x: Tensor) -> tuple[Tensor, ...]:
    """Views of all values, a block of them each; parameters are in one piece, gradients need not be."""
    return x.contiguous().view(-1).split(BLOCK)
