"""Ranks in place of scores: they tame long tails, and whatever has the same ranking has the same prior."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri


def mid_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1, those of ties averaged; scipy.stats has them too, but is slow to import.

    >>> mid_ranks(np.array([5.0, 9.0, 5.0])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[which]


def normal_scores(scores_p: np.ndarray, scores_u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The normal quantile of each score's rank among all of them.

    >>> [part.round(2).tolist() for part in normal_scores(np.array([9.0]), np.array([-1.0, 100.0]))]
    [[0.0], [-0.67, 0.67]]
    """
    ranks = mid_ranks(np.r_[scores_p, scores_u])
    spread = ndtri(ranks / (len(ranks) + 1))
    return spread[: len(scores_p)], spread[len(scores_p) :]
