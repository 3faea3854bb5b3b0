"""Effort: into how many folds the nodes are divided, and how often, so that a fit stays affordable.

The fewer the nodes, the more of a score is the luck of the draw, and the less a draw costs. `size` is that of
a graph: its edges, and the values of its features.
"""

from __future__ import annotations

import numpy as np

MAX_WORK = 20_000_000  # edges and values of features, times worlds, beyond which three folds must do
FEW = 3  # folds, the fewest of which two can be unknown
DRAWS, MAX_DRAWS = 200, 10  # of folds: divided by the root of how many nodes there are; at most
MAX_COLUMNS = 60_000  # features, times draws: each network learns weights for all of them


def count_worlds(folds: int) -> int:
    """Those that lack one fold, and those that lack two.

    >>> count_worlds(5)
    15
    """
    return folds * (folds + 1) // 2


def affordable_folds(folds: int, size: int) -> int:
    """As many as wanted, or FEW.

    >>> affordable_folds(5, size=10**6), affordable_folds(5, size=10**8)
    (5, 3)
    """
    return FEW if count_worlds(folds) * size > MAX_WORK else folds


def draws_of_folds(folds: int, nodes: int, columns: int, size: int) -> int:
    """How often folds are drawn anew.

    >>> [draws_of_folds(5, nodes, columns=9, size=20 * nodes) for nodes in (200, 3000, 10_000, 50_000)]
    [10, 4, 2, 1]
    >>> draws_of_folds(5, 200, columns=30_000, size=4000), draws_of_folds(5, 3000, columns=9, size=10**6)
    (2, 1)
    """
    affordable = min(MAX_WORK / (count_worlds(folds) * max(1, size)), MAX_COLUMNS / max(1, columns))
    return int(np.clip(round(min(DRAWS / nodes**0.5, affordable)), 1, MAX_DRAWS))
