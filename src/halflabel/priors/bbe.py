"""Best-bin estimation (BBE; Garg et al., NeurIPS 2021), with a bootstrap interval.

With q(c) the share of scores >= c, every threshold bounds the prior from above: pi <= q_u(c) / q_p(c). The
paper's Eq. 7 takes the smallest ratio; on finite samples that collapses towards zero at extreme thresholds,
so BBE picks the threshold by an upper confidence bound and reports the ratio there.
"""

from __future__ import annotations

import numpy as np

from halflabel.priors.bootstrap import LEVEL, interval_around

MAX_BINS = 1000


def best_bin(scores_p: np.ndarray, scores_u: np.ndarray, *, delta: float = 0.1, gamma: float = 0.01) -> float:
    """pi = q_u(c*)/q_p(c*), c* = argmin_c (q_u(c) + eps)/q_p(c) over the distinct unlabelled scores.

    >>> best_bin(np.array([3.0, 3.0, 3.0, 3.0]), np.array([3.0, 3.0, 0.0, 0.0]))
    0.5
    """
    n_p, n_u = len(scores_p), len(scores_u)
    above_p, above_u = counts_above(np.asarray(scores_p), np.asarray(scores_u))
    bounds = _upper_bounds(above_p, above_u, n_p, n_u, delta, gamma)
    best = bounds.argmin()
    if np.isinf(bounds[best]):  # no threshold is usable
        return 0.0
    return float(min((above_u[best] / n_u) / (above_p[best] / n_p), 1.0))


def best_bin_interval(
    scores_p: np.ndarray,
    scores_u: np.ndarray,
    *,
    level: float = LEVEL,
    replicates: int = 500,
    delta: float = 0.1,
    gamma: float = 0.01,
    random_state: int = 0,
) -> tuple[float, float]:
    """Interval by bootstrap of positives and unlabelled, on at most MAX_BINS thresholds.

    >>> rng = np.random.default_rng(0)
    >>> low, high = best_bin_interval(rng.normal(3, 1, 500), rng.normal(0, 1, 500))
    >>> 0 <= low <= high < 0.1
    True
    """
    above_p, above_u = counts_above(np.asarray(scores_p), np.asarray(scores_u))
    kept = np.unique(np.linspace(0, len(above_u) - 1, MAX_BINS).astype(int))
    rng = np.random.default_rng(random_state)
    n_p, n_u = len(scores_p), len(scores_u)
    resampled_p = _resample(above_p[kept], n_p, replicates, rng)
    resampled_u = _resample(above_u[kept], n_u, replicates, rng)
    ratios = _best_ratio(resampled_p, resampled_u, n_p, n_u, delta, gamma)
    return interval_around(best_bin(scores_p, scores_u, delta=delta, gamma=gamma), ratios, level)


def counts_above(scores_p: np.ndarray, scores_u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number of P and of U at or above each distinct unlabelled score, highest threshold first."""
    ordered = np.sort(scores_u)
    starts = np.append(0, np.flatnonzero(ordered[1:] > ordered[:-1]) + 1)
    above_u = len(ordered) - starts
    # Thresholds at or below each positive; looking up the few among the many, in order, is the cheap way.
    reached = np.searchsorted(ordered[starts], np.sort(scores_p), side="right")
    below = np.cumsum(np.bincount(reached, minlength=len(starts) + 1))[: len(starts)]
    return (len(scores_p) - below)[::-1], above_u[::-1]


def chosen_bin(
    above_p: np.ndarray, above_u: np.ndarray, n_p: int, n_u: int, *, delta: float = 0.1, gamma: float = 0.01
) -> int:
    """Position of the threshold that the estimate is read off, among those of `counts_above`.

    >>> chosen_bin(np.array([2, 4, 4]), np.array([2, 3, 9]), 4, 9)
    1
    """
    return int(np.argmin(_upper_bounds(above_p, above_u, n_p, n_u, delta, gamma)))


def _upper_bounds(
    above_p: np.ndarray, above_u: np.ndarray, n_p: int, n_u: int, delta: float, gamma: float
) -> np.ndarray:
    """(q_u + eps) / q_p; infinite unless two points of either kind are above the threshold."""
    log_term = np.log(4 / delta) / 2
    eps = (1 + gamma) * (np.sqrt(log_term / n_p) + np.sqrt(log_term / n_u))
    usable = (above_p > 1) & (above_u > 1)
    return np.where(usable, (above_u / n_u + eps) / (np.maximum(above_p, 1) / n_p), np.inf)


def _best_ratio(
    above_p: np.ndarray, above_u: np.ndarray, n_p: int, n_u: int, delta: float, gamma: float
) -> np.ndarray:
    """The estimate for each row of counts; zero where no threshold is usable."""
    bounds = _upper_bounds(above_p, above_u, n_p, n_u, delta, gamma)
    best = np.argmin(bounds, axis=1)[:, None]
    ratio = np.take_along_axis((above_u / n_u) / (np.maximum(above_p, 1) / n_p), best, axis=1)[:, 0]
    return np.where(np.isfinite(bounds).any(axis=1), np.clip(ratio, 0.0, 1.0), 0.0)


def _resample(above: np.ndarray, n: int, replicates: int, rng: np.random.Generator) -> np.ndarray:
    """Bootstrap the counts: the sample is multinomial over the bins between neighbouring thresholds."""
    bins = np.diff(np.r_[0, above, n])
    return np.cumsum(rng.multinomial(n, bins / n, size=replicates), axis=1)[:, :-1]
