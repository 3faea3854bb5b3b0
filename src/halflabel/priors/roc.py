"""The steepest chord of the ROC curve, with exact binomial bounds (Blanchard, Lee and Scott, JMLR 2010;
Scott, AISTATS 2015): an upper bound of the prior, returned as such."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv

from halflabel.priors.bbe import counts_above

DELTA = 0.1
MIN_ABOVE = 2  # points of either kind that a threshold needs above it


def roc_bound(scores_p: np.ndarray, scores_u: np.ndarray, *, delta: float = DELTA) -> float:
    """pi <= min_c upper(q_u(c)) / lower(q_p(c)), q(c) the share of scores >= c, over all unlabelled scores c.

    upper and lower invert the binomial tail, exactly: the inverse is a quantile of a beta distribution. The
    published estimator gives every threshold the failure probability delta, and its smallest bound then lies
    well below the prior now and then (by .2 in simulations). Here delta is shared among log2(n_p) ranges of
    thresholds, in each of which the bounds move together. Thresholds below all positives count too.
    Without a usable threshold, or if all scores are equal, the bound is 1.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(4, 1, 1000), rng.normal(0, 1, 3000)]
    >>> 0.25 < roc_bound(rng.normal(4, 1, 1000), U) < 0.3
    True
    """
    return roc_interval(scores_p, scores_u, delta=delta)[1]


def roc_interval(
    scores_p: np.ndarray, scores_u: np.ndarray, *, delta: float = DELTA
) -> tuple[float, float]:
    """The bound, and below it lower(q_u) / upper(q_p) at the same threshold.

    The lower end assumes that only positives lie above that threshold; the upper end assumes nothing.

    >>> low, high = roc_interval(np.arange(50.0, 100), np.arange(100.0))
    >>> low < 0.5 < high
    True
    """
    n_p, n_u = len(scores_p), len(scores_u)
    above_p, above_u = counts_above(scores_p, scores_u)
    usable = (above_p >= MIN_ABOVE) & (above_u >= MIN_ABOVE)
    if not usable.any():
        return 0.0, 1.0
    above_p, above_u = above_p[usable], above_u[usable]
    delta = delta / max(np.log2(n_p), 1.0)
    # There are about as many thresholds as unlabelled points but far fewer counts of positives.
    counts_p, which = np.unique(above_p, return_inverse=True)
    bounds = upper_share(above_u, n_u, delta) / lower_share(counts_p, n_p, delta)[which]
    best = np.argmin(bounds)
    low = lower_share(above_u[best], n_u, delta) / upper_share(above_p[best], n_p, delta)
    return float(min(low, 1.0)), float(min(bounds[best], 1.0))


def upper_share(count: np.ndarray, n: int, delta: float) -> np.ndarray:
    """The share whose chance to show at most `count` of n is delta.

    >>> float(upper_share(np.array([0]), 1, 0.1)[0])
    0.9
    """
    return np.where(count < n, betaincinv(count + 1, np.maximum(n - count, 1), 1 - delta), 1.0)


def lower_share(count: np.ndarray, n: int, delta: float) -> np.ndarray:
    """The share whose chance to show at least `count` of n is delta.

    >>> float(lower_share(np.array([1]), 1, 0.1)[0])
    0.1
    """
    return np.where(count > 0, betaincinv(np.maximum(count, 1), n - count + 1, delta), 0.0)
