"""KM1 and KM2: kernel mean embeddings (Ramaswamy, Scott and Tewari, ICML 2016, "Mixture proportion estimation
via kernel embeddings of distributions").

Let F be the distribution of U and H that of P. Taking a share of H out of F leaves lambda F + (1-lambda) H,
which is a distribution while kappa = (lambda-1)/lambda is at most the share of positives; beyond, its
distance to the distributions, d(lambda), starts to grow. On samples d grows slowly from the start, so the
estimate is where its slope crosses a threshold:

    KM1: 1/sqrt(min(n_p, n_u))      KM2: .8 (d(1.05) - d(1))/.05 + .2 ||mu_F - mu_H||

Numbering as in the paper; in the authors' script the variables numbered 1 hold KM2. The distance is to
mixtures of the sampled points, a quadratic program in as many variables: at most MAX_POINTS of each kind are
drawn. With 400, both take two seconds of one core (the cost is cubic); on Gaussian classes four apart, the
mean error is .01 to .04 up to a share of one half, .03 to .08 at .8, mostly downwards.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from halflabel.priors.nearest_mixture import nearest_mixture
from halflabel.priors.samples import as_samples, squared_distances, subsample

MAX_POINTS = 400  # of either kind
BANDWIDTHS = 10.0 ** np.array([-1, -0.5, 0, 0.5, 1])  # times the median distance
LARGEST_LAMBDA = 8.0  # so that no estimate exceeds 1 - 1/8 = .875
EPSILON = 0.04  # width at which the search ends; half of it is the step of the slope
CURVATURE_STEP = 0.05
WEIGHT_OF_MMD = 0.2
SMALLEST_SQUARE = 1e-12  # of d; below, rounding decides the derivative
SMALLEST_SCALE = 1e-290  # quotients of squared distances by it are still finite
MARGIN = 1e-3  # times the MMD: well above the error of a derivative
VAGUE = 0.9  # KM1's threshold over the MMD above which it is of no use


class KernelMeanPriors(NamedTuple):
    """Both estimates of the share of positives in U."""

    km1: float
    km2: float


def km1(P: np.ndarray, U: np.ndarray, *, random_state: int = 0) -> float:
    """Share of positives in U where the slope of d reaches 1/sqrt(min(n_p, n_u)); at most .875.

    Where that threshold exceeds .9 of the distance between P and U (few points, or little difference) the
    answer is KM2's. Identical samples P and U give the cap.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 140), rng.normal(5, 1, 260)
    >>> abs(km1(positive[:200], np.r_[negative, positive[200:]]) - 0.3) < 0.1
    True
    """
    curve = _DistanceCurve(P, U, random_state)
    return curve.share_at(curve.threshold1)


def km2(P: np.ndarray, U: np.ndarray, *, random_state: int = 0) -> float:
    """Share of positives in U where the slope of d has gone a fifth of its way up; at most .875.

    The slope starts near (d(1.05) - d(1))/.05 and ends at ||mu_F - mu_H||.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 140), rng.normal(5, 1, 260)
    >>> abs(km2(positive[:200], np.r_[negative, positive[200:]]) - 0.3) < 0.1
    True
    """
    curve = _DistanceCurve(P, U, random_state)
    return curve.share_at(curve.threshold2)


def km_both(P: np.ndarray, U: np.ndarray, *, random_state: int = 0) -> KernelMeanPriors:
    """KM1 and KM2 from one curve: the points of it that both searches visit are computed once.

    >>> rng = np.random.default_rng(0)
    >>> both = km_both(rng.normal(5, 1, 60), rng.normal(0, 1, 60))
    >>> both.km1 < 0.1, both.km2 < 0.1
    (True, True)
    """
    curve = _DistanceCurve(P, U, random_state)
    return KernelMeanPriors(curve.share_at(curve.threshold1), curve.share_at(curve.threshold2))


class _DistanceCurve:
    """d(lambda) on a sub-sample, every point of it computed once."""

    def __init__(self, P: np.ndarray, U: np.ndarray, random_state: int) -> None:
        P, U = as_samples(P, U)
        rng = np.random.default_rng(random_state)
        P, U = subsample(P, MAX_POINTS, rng), subsample(U, MAX_POINTS, rng)
        self.in_u = np.r_[np.full(len(U), 1 / len(U)), np.zeros(len(P))]
        self.in_p = np.r_[np.zeros(len(U)), np.full(len(P), 1 / len(P))]
        self.smaller = min(len(P), len(U))
        self.K, self.mmd = _widest_apart(np.r_[U, P], self.in_u - self.in_p)
        self.pull = self.K @ (self.in_u - self.in_p)
        self.known = {1.0: (0.0, 0.0)}  # lambda: (d, d'); U itself is a mixture of the points

    def at(self, lam: float) -> tuple[float, float]:
        """d and its derivative, (u - v)^T K (mean of U - mean of P) / d at the optimal v."""
        if lam not in self.known:
            target = lam * self.in_u + (1 - lam) * self.in_p
            v, squared = nearest_mixture(self.K, target)
            d = float(np.sqrt(squared))
            rise = float((target - v) @ self.pull)
            self.known[lam] = d, rise / d if squared > SMALLEST_SQUARE else 0.0
        return self.known[lam]

    def slope(self, lam: float, step: float) -> float:
        return (self.at(lam + step)[0] - self.at(lam)[0]) / step

    def is_steeper(self, lam: float, threshold: float) -> bool:
        """Whether slope(lam) > threshold; d is convex: a derivative clearly above it settles that."""
        return self.at(lam)[1] > threshold + MARGIN * self.mmd or self.slope(lam, EPSILON / 2) > threshold

    @property
    def threshold1(self) -> float:
        threshold = 1 / np.sqrt(self.smaller)
        return threshold if threshold <= VAGUE * self.mmd else self.threshold2

    @cached_property
    def threshold2(self) -> float:
        return (1 - WEIGHT_OF_MMD) * self.slope(1.0, CURVATURE_STEP) + WEIGHT_OF_MMD * self.mmd

    def share_at(self, threshold: float) -> float:
        """kappa where the slope crosses the threshold; d is convex, so the slope crosses it once."""
        low, high = 1.0, LARGEST_LAMBDA
        while high - low > EPSILON:
            middle = (low + high) / 2
            if self.is_steeper(middle, threshold):
                high = middle
            else:
                low = middle
        return 1 - 2 / (low + high)


def _widest_apart(X: np.ndarray, contrast: np.ndarray) -> tuple[np.ndarray, float]:
    """The Gaussian kernel matrix under which the means of U and P differ most, and their distance (MMD)."""
    squared = squared_distances(X, X)
    # The diagonal counts towards the median, as in the authors' script. Among many ties it may be zero.
    apart = squared[squared > 0]
    scale = (np.median(squared) or np.median(apart)) if len(apart) else 1.0
    scale = max(scale, SMALLEST_SCALE)
    best, best_mmd = np.empty(0), -1.0
    for factor in BANDWIDTHS:
        K = np.exp(squared / (-2 * factor**2 * scale))
        mmd = float(np.sqrt(max(contrast @ K @ contrast, 0.0)))
        if mmd > best_mmd:
            best, best_mmd = K, mmd
    return best, best_mmd
