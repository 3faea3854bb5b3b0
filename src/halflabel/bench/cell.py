"""A cell of a table, and how two of them compare, split by split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import wilcoxon

LEVEL = 0.05  # of the paired test; with five splits it is reached by losing all five
PERCENT = {"f1_own", "f1_top", "average_precision", "auc"}
SMALLER_IS_BETTER = {"prior_error", "overlap"}


@dataclass(frozen=True)
class Cell:
    """One row on one graph: the values of its splits, by seed, or why there are none."""

    values: Mapping[int, float]
    published: tuple[float, float | None] | None = None
    note: str = ""
    best: bool = False  # of its column, or not distinguishable from the best

    @property
    def mean(self) -> float:
        """Mean over the splits that ran."""
        return float(np.mean(list(self.values.values()))) if self.values else float("nan")

    @property
    def sd(self) -> float:
        """Sample standard deviation over splits."""
        return float(np.std(list(self.values.values()), ddof=1)) if len(self.values) > 1 else float("nan")


def is_worse(cell: Cell, best: Cell, sign: float = 1.0) -> bool:
    """Whether a row loses to the best beyond chance: Wilcoxon's signed-rank test over the splits both ran.

    `sign` is -1 where smaller values are better.

    >>> wins = Cell({0: 80.0, 1: 81.0, 2: 82.0, 3: 83.0, 4: 84.0})
    >>> is_worse(Cell({seed: value - 1 for seed, value in wins.values.items()}), wins)
    True
    >>> is_worse(Cell({0: 81.0, 1: 80.0, 2: 81.0, 3: 82.0, 4: 83.0}), wins)
    False
    """
    return signed_rank(sign * _differences(best, cell), alternative="greater") < LEVEL


def signed_rank(differences: Sequence[float] | np.ndarray, alternative: str = "two-sided") -> float:
    """p-value of Wilcoxon's signed-rank test on paired differences; one where there is nothing to rank.

    >>> signed_rank([1.0, 2.0, 3.0, 4.0, 5.0], alternative="greater")
    0.03125
    """
    moved = np.asarray(differences, dtype=np.float64)
    moved = moved[moved != 0]
    if not len(moved):
        return 1.0
    method = "exact" if len(moved) <= 20 else "approx"
    return float(wilcoxon(moved, alternative=alternative, method=method).pvalue)


def win_tie_loss(one: Cell, other: Cell, metric: str = "f1_top") -> tuple[int, int, int]:
    """On how many splits the first is better, the same to the printed digit, worse.

    >>> win_tie_loss(Cell({0: 80.0, 1: 81.0}), Cell({0: 79.0, 1: 81.0}))
    (1, 1, 0)
    """
    within = 0.05 if metric in PERCENT else 0.0005
    differences = direction(metric) * _differences(one, other)
    wins, losses = int(np.sum(differences > within)), int(np.sum(differences < -within))
    return wins, len(differences) - wins - losses, losses


def direction(metric: str) -> float:
    """1 where larger values are better, -1 where smaller ones are.

    >>> direction("f1_top"), direction("prior_error")
    (1.0, -1.0)
    """
    return -1.0 if metric in SMALLER_IS_BETTER else 1.0


def _differences(one: Cell, other: Cell) -> np.ndarray:
    shared = sorted(set(one.values) & set(other.values))
    return np.array([one.values[seed] - other.values[seed] for seed in shared], dtype=np.float64)
