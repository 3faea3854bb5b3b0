"""KM1 and KM2: kernel mean embeddings (Ramaswamy, Scott and Tewari, ICML 2016, "Mixture proportion estimation
via kernel embeddings of distributions").

Let F be the distribution of U and H that of P. Taking a share of H out of F leaves lambda F + (1-lambda) H,
which is a distribution while kappa = (lambda-1)/lambda is at most the share of positives; beyond, its
distance to the distributions, d(lambda), starts to grow. On samples d grows slowly from the start, so the
estimate is where its slope crosses a threshold:

    KM1: 1/sqrt(min(n_p, n_u))      KM2: .8 (d(1.05) - d(1))/.05 + .2 ||mu_F - mu_H||

Numbering as in the paper; in the authors' script the variables numbered 1 hold KM2. The distance is to
mixtures of the sampled points, a quadratic program in as many variables. On scores the kernel matrix has a
thin factor and is never held. In three dimensions and more it has none, the cost is cubic, and few points
must do.

Published are 2,000 + 2,000. Of scores, 4,000 of U are taken: lambda F + (1-lambda) H has the sampling
variance lambda^2/n_u + (lambda-1)^2/n_p, so that U adds more of it, and more of P would lower KM1's threshold
too. One estimate takes about a second of one core, in the plane five, in more dimensions two to four.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from halflabel.priors.bootstrap import PointFunction, bootstrap_interval
from halflabel.priors.kernel_sample import draw_sample
from halflabel.priors.nearest_mixture import ABSOLUTE_GAP, nearest_mixture
from halflabel.priors.samples import as_samples

# Of P and of U: of scores, of embeddings whose kernel has a thin factor, of others.
MAX_POINTS, MAX_POINTS_PLANE, MAX_POINTS_DENSE = (2000, 4000), (2000, 2000), (400, 400)
RESAMPLED = 200  # points of either kind in one sample of the bootstrap
REPLICATES = 15
LARGEST_LAMBDA = 8.0  # so that no estimate exceeds 1 - 1/8 = .875
EPSILON = 0.04  # width at which the search ends; half of it is the step of the slope
CURVATURE_STEP = 0.05
WEIGHT_OF_MMD = 0.2
SMALLEST_SQUARE = 1e-12  # of d; below, rounding decides the derivative
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


def km1_interval(
    P: np.ndarray, U: np.ndarray, *, replicates: int = REPLICATES, random_state: int = 0
) -> tuple[float, float]:
    """Bootstrap of KM1 on RESAMPLED points of either kind, wider by what the search does not resolve.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 140), rng.normal(5, 1, 260)
    >>> low, high = km1_interval(positive[:200], np.r_[negative, positive[200:]])
    >>> low < 0.3 < high
    True
    """
    curve = _DistanceCurve(P, U, random_state)
    return _interval(km1, curve.share_at(curve.threshold1), min(curve.most), P, U, replicates, random_state)


def km2_interval(
    P: np.ndarray, U: np.ndarray, *, replicates: int = REPLICATES, random_state: int = 0
) -> tuple[float, float]:
    """Bootstrap of KM2 on RESAMPLED points of either kind, wider by what the search does not resolve.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 140), rng.normal(5, 1, 260)
    >>> low, high = km2_interval(positive[:200], np.r_[negative, positive[200:]])
    >>> low < 0.3 < high
    True
    """
    curve = _DistanceCurve(P, U, random_state)
    return _interval(km2, curve.share_at(curve.threshold2), min(curve.most), P, U, replicates, random_state)


def _interval(
    point: PointFunction, value: float, used: int, P: np.ndarray, U: np.ndarray, replicates: int, seed: int
) -> tuple[float, float]:
    low, high = bootstrap_interval(point, P, U, value=value, replicates=replicates, most=RESAMPLED, used=used,
                                   random_state=seed)
    # The search leaves half of EPSILON on either side of lambda open, and the slope, a difference to a point
    # half of EPSILON further on, may cross its threshold as much too early.
    half = EPSILON / 2 * (1 - value) ** 2  # in units of 1 - 1/lambda
    return max(low - half, 0.0), min(high + 2 * half, 1.0)


class _DistanceCurve:
    """d(lambda) on a sub-sample, every point of it computed once."""

    def __init__(self, P: np.ndarray, U: np.ndarray, random_state: int) -> None:
        P, U = as_samples(P, U)
        rng = np.random.default_rng(random_state)
        self.most = MAX_POINTS if P.shape[1] == 1 else MAX_POINTS_PLANE
        sample = draw_sample(P, U, self.most, rng)
        kernel = sample.thin()
        if kernel is None:
            self.most = MAX_POINTS_DENSE
            sample = draw_sample(P, U, self.most, rng)
            kernel = sample.dense()
        self.kernel, self.in_u, self.in_p, self.mmd = kernel, sample.in_u, sample.in_p, sample.mmd
        self.smaller = min(len(P), len(U), *self.most)
        self.pull = self.kernel.times(self.in_u - self.in_p)
        self.known = {1.0: (0.0, 0.0)}  # lambda: (d, d'); U itself is a mixture of the points

    def at(self, lam: float) -> tuple[float, float]:
        """d and its derivative, (u - v)^T K (mean of U - mean of P) / d at the optimal v."""
        if lam not in self.known:
            target = lam * self.in_u + (1 - lam) * self.in_p
            v, squared = nearest_mixture(self.kernel, target)
            d = float(np.sqrt(squared)) if squared > ABSOLUTE_GAP else 0.0
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
