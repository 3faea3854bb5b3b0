"""The ratio of mean probabilities (Elkan and Noto, KDD 2008; ratio form after Garg et al., NeurIPS 2021)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from halflabel.priors.bootstrap import interval_around
from halflabel.priors.roc import roc_interval

REPLICATES = 500


def elkan_noto(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """pi = mean_U p / mean_P p with p(x) = P(labelled | score), increasing in the score; at most 1.

    mean_P p estimates the label frequency c = P(labelled | positive), and p = c on every positive if the
    classes are separable; unlabelled negatives then have p = 0. Where classes overlap they have not, and
    the estimate is too high.

    The method asks for calibrated probabilities, and logits of a balanced loss, or of positives against
    negatives, are none: p is fitted to the labels by isotonic regression, so only the order of scores counts.

    >>> round(elkan_noto(np.array([9.0, 9.0]), np.array([9.0, -40.0, -40.0, -40.0])), 6)
    0.25
    """
    which_p, which_u, cells = _cells(scores_p, scores_u)
    return _ratio(np.bincount(which_p, minlength=cells), np.bincount(which_u, minlength=cells))


def elkan_noto_interval(
    scores_p: np.ndarray, scores_u: np.ndarray, *, replicates: int = REPLICATES, random_state: int = 0
) -> tuple[float, float]:
    """Bootstrap, calibrated anew in every sample; the lower end is at most that of `roc_interval`.

    Negatives have positive probability, which raises the ratio by more than its spread if classes overlap,
    while the tail ratio that the ROC interval reads off needs only a threshold above almost all negatives.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(20, 1, 300), rng.normal(-20, 1, 700)]
    >>> low, high = elkan_noto_interval(rng.normal(20, 1, 300), U)
    >>> low < 0.3 < high
    True
    """
    rng = np.random.default_rng(random_state)
    which_p, which_u, cells = _cells(scores_p, scores_u)

    def resampled(which: np.ndarray) -> np.ndarray:
        return np.bincount(which[rng.integers(len(which), size=len(which))], minlength=cells)

    ratios = np.array([_ratio(resampled(which_p), resampled(which_u)) for _ in range(replicates)])
    low, high = interval_around(elkan_noto(scores_p, scores_u), ratios)
    return min(low, roc_interval(scores_p, scores_u)[0]), high


def _cells(scores_p: np.ndarray, scores_u: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """The rank of every score among the distinct ones, and how many there are."""
    distinct, which = np.unique(np.r_[scores_p, scores_u], return_inverse=True)
    return which[: len(scores_p)], which[len(scores_p) :], len(distinct)


def _ratio(counts_p: np.ndarray, counts_u: np.ndarray) -> float:
    """mean_U p / mean_P p from the numbers of P and U at each distinct score, lowest first."""
    total = counts_p + counts_u
    seen = total > 0
    p = np.zeros(len(total))
    p[seen] = isotonic_regression(counts_p[seen] / total[seen], weights=total[seen]).x
    ratio = (counts_u @ p / counts_u.sum()) / (counts_p @ p / counts_p.sum())
    return min(float(ratio), 1.0)  # rounding alone can bring it above
