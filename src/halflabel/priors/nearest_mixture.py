"""The mixture of given points nearest to a target in a kernel's feature space: a quadratic program.

    minimise f(v) = (u - v)^T K (u - v)   over   v >= 0, sum(v) = 1

A smooth kernel on many points is singular to working precision: projected gradients crawl, active sets cycle.
An interior-point method (Mehrotra 1992) does not mind and ends in 10 to 20 steps, each of which solves with K
and a positive diagonal added.
"""

from __future__ import annotations

import numpy as np

from halflabel.priors.kernel_matrix import Kernel

RELATIVE_GAP = 1e-8
ABSOLUTE_GAP = 1e-13  # about the rounding of f, a small difference of numbers of order one
MAX_STEPS = 100
RIDGE = 1e-14  # times n: above the rounding of the factor, below anything f can show
BACK_OFF = 0.995  # how much of the way to the boundary a step may go


def nearest_mixture(kernel: Kernel, target: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights v and the squared distance f(v), within RELATIVE_GAP of the optimum.

    With g = 2 K (v - u), what is left to gain is at most g.v - min(g) (Frank and Wolfe 1956): the stopping
    rule, so it certifies the answer. `target` may have negative entries.

    >>> from halflabel.priors.kernel_matrix import DenseKernel
    >>> corners = DenseKernel(np.eye(3))
    >>> v, distance2 = nearest_mixture(corners, np.array([0.8, 0.6, -0.4]))
    >>> v.round(4).tolist(), round(distance2, 4)
    ([0.6, 0.4, 0.0], 0.24)
    """
    n = len(target)
    v, pulled = np.full(n, 1 / n), kernel.times(target)
    gradient = kernel.times(v) - pulled
    level = gradient.min() - max(0.1 * np.ptp(gradient), 1e-4)  # the multiplier of sum(v) = 1
    slack = gradient - level  # the multipliers of v >= 0; they and v stay positive until the end
    best, best_gap, distance2 = v, np.inf, np.inf
    for _ in range(MAX_STEPS):
        gap = 2 * float(gradient @ v - gradient.min())
        if gap < best_gap:
            best, best_gap, distance2 = v, gap, max(float((v - target) @ gradient), 0.0)
        if best_gap <= RELATIVE_GAP * distance2 + ABSOLUTE_GAP:
            break
        v, level, slack = _step(kernel, v, level, slack, gradient)
        v /= v.sum()  # one up to rounding, which the gap would show
        gradient = kernel.times(v) - pulled
    return best, distance2


def _step(
    kernel: Kernel, v: np.ndarray, level: float, slack: np.ndarray, gradient: np.ndarray
) -> tuple[np.ndarray, float, np.ndarray]:
    """Predictor and corrector towards K v - Ku = level + slack, v slack = 0, from one factor."""
    n = len(v)
    solve = kernel.solver(slack / v + RIDGE * n)
    residual, per_level = gradient - level - slack, solve(np.ones(n))

    def direction(product: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """The Newton direction that brings v slack to `product`, keeping sum(v)."""
        wanted = product - v * slack
        move = solve(wanted / v - residual)
        rise = -float(move.sum() / per_level.sum())
        move = move + rise * per_level
        return move, rise, (wanted - slack * move) / v

    move, _, stretch = direction(np.zeros(n))
    now = v @ slack
    ahead = (v + _room(v, move) * move) @ (slack + _room(slack, stretch) * stretch)
    move, rise, stretch = direction((ahead / now) ** 3 * now / n - move * stretch)
    length = min(1.0, BACK_OFF * _room(v, move), BACK_OFF * _room(slack, stretch))
    return v + length * move, level + length * rise, slack + length * stretch


def _room(x: np.ndarray, step: np.ndarray) -> float:
    """The longest multiple of `step`, at most one, that leaves x non-negative."""
    falling = step < 0
    return float(np.min(-x[falling] / step[falling], initial=1.0))
