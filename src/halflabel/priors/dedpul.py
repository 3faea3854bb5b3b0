"""DEDPUL: difference of estimated densities (Ivanov, ICMLA 2020).

The ratio of the densities of P and U, smoothed and made monotone, gives the posterior of every unlabelled
point for a supposed share alpha of *negatives*; EM makes share and posteriors agree. Scores are logits of
being positive; 1 - alpha, the share of positives, is returned.
"""

from __future__ import annotations

from bisect import insort

import numpy as np
from scipy.ndimage import median_filter
from scipy.special import expit

from halflabel.priors.density import density_at

BANDWIDTH_U, BANDWIDTH_P = 0.05, 0.1  # in standard deviations of the logits, as published
DENSITY_FLOOR = 1e-5
MAX_RATIO = 1000.0  # published: 50, with which no share is below .02
SMALL_WINDOW = 5  # half-width of the first rolling median, in points
LARGE_WINDOW = 20  # the second takes n_u / 20 points to either side
EM_STEPS, EM_TOLERANCE = 1000, 1e-5
GRID = np.arange(1000) / 1000
MAX_EXCESS = 0.05  # the kink of the error curve is sought where the error is below this
NO_BEND = 1e-12  # a straight error curve (no positive anywhere near U) has no kink but that of rounding


def dedpul(scores_p: np.ndarray, scores_u: np.ndarray, *, smoothing: float = 0.0) -> float:
    """pi = 1 - alpha, alpha = mean_i max(0, 1 - r_i (1 - alpha)) with r = f_P / f_U at the unlabelled points.

    The answer is 1 if all scores are equal. `smoothing` widens the kernels of small samples.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(4, 2, 300), rng.normal(-4, 2, 700)]
    >>> round(dedpul(rng.normal(4, 2, 500), U), 1)
    0.3
    """
    if np.ptp(np.r_[scores_p, scores_u]) == 0:
        return 1.0
    ratio = density_ratio(scores_p, scores_u, smoothing)
    return 1.0 - _share_of_negatives(ratio)


def density_ratio(scores_p: np.ndarray, scores_u: np.ndarray, smoothing: float = 0.0) -> np.ndarray:
    """r = f_P / f_U at every unlabelled point, most positive first, smoothed until it never rises.

    Kernels are as wide as published, or `smoothing` n^-1/5 (of U half of that) where this is wider: with the
    published width, each of few positives is a bump of its own, and the highest bump bounds the share.

    >>> ratio = density_ratio(np.array([2.0, 3.0]), np.array([-2.0, -1.0, 2.0]))
    >>> bool((np.diff(ratio) <= 0).all())
    True
    """
    points = np.sort(scores_u)[::-1]
    # Densities of y = sigmoid(-score) differ from those of the scores by the factor y (1 - y), which cancels
    # except in the floor under the denominator.
    stretch = np.ptp(np.r_[scores_p, scores_u])
    floor = DENSITY_FLOOR * stretch * (expit(points) * expit(-points) + DENSITY_FLOOR)
    width_p = max(BANDWIDTH_P, smoothing * len(scores_p) ** -0.2)
    width_u = max(BANDWIDTH_U, smoothing / 2 * len(scores_u) ** -0.2)
    f_p = density_at(points, scores_p, width_p, scores_u)
    f_u = density_at(points, scores_u, width_u, scores_p)
    ratio = np.minimum(f_p / (f_u + floor), MAX_RATIO)
    ratio = rolling_median(ratio, SMALL_WINDOW)
    middle = (expit(-scores_u).mean() + expit(-scores_p).mean()) / 2
    left = np.count_nonzero(expit(-points) <= middle)
    ratio[:left] = np.maximum.accumulate(ratio[:left][::-1])[::-1]
    return np.sort(rolling_median(ratio, len(points) // LARGE_WINDOW))[::-1]


def rolling_median(values: np.ndarray, half: int) -> np.ndarray:
    """Median over `half` neighbours to either side; near an end, over as many as that end leaves.

    >>> rolling_median(np.array([9.0, 1.0, 2.0, 3.0, 0.0]), 1)
    array([9., 2., 2., 2., 0.])
    """
    half = min(half, (len(values) - 1) // 2)
    if half < 1:
        return values.copy()
    smooth = median_filter(values, size=2 * half + 1, mode="nearest")
    smooth[:half] = _growing_medians(values[: 2 * half])
    smooth[-half:] = _growing_medians(values[::-1][: 2 * half])[::-1]
    return smooth


def _growing_medians(values: np.ndarray) -> list[float]:
    """Medians of the first 1, 3, 5, ... values."""
    ordered: list[float] = []
    medians = []
    for count, value in enumerate(values.tolist(), start=1):
        insort(ordered, value)
        if count % 2:
            medians.append(ordered[count // 2])
    return medians


def _share_of_negatives(ratio: np.ndarray) -> float:
    """EM, overruled by the kink of the error curve where EM runs away towards no negatives at all."""
    rising = ratio[::-1]
    sums = np.r_[0.0, np.cumsum(rising)]

    def mean_posterior(alpha):
        """mean_i max(0, 1 - r_i (1 - alpha)): only ratios below 1 / (1 - alpha) count."""
        below = np.searchsorted(rising, 1 / (1 - np.minimum(alpha, 1 - 1e-12)))
        return (below - (1 - alpha) * sums[below]) / len(rising)

    by_em = 0.0
    for _ in range(EM_STEPS):
        previous, by_em = by_em, float(mean_posterior(by_em))
        if abs(by_em - previous) < EM_TOLERANCE or rising[-1] * (1 - previous) < 1:
            break
    excess = mean_posterior(GRID) - GRID
    bends = np.where(excess[1:-1] < MAX_EXCESS, np.diff(excess, 2), 0.0)
    if bends.max() < NO_BEND:
        return by_em
    kink = float(GRID[1 + np.argmax(bends)])
    trusted = kink >= by_em or (np.count_nonzero(excess < 0) > 1 and by_em < GRID[-1])
    return by_em if trusted else kink
