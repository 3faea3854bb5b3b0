"""PEN-L1: the largest theta for which theta p(x | +) fits under p(x) (du Plessis, Niu and Sugiyama, Machine
Learning 2017, "Class-prior estimation for learning from positive and unlabeled data").

    beta_l(theta) = theta mean_P phi_l - mean_U phi_l,   phi_l(x) = exp(-||x - c_l||^2 / (2 s^2))
    J(theta) = (1/lambda) sum_l max(0, beta_l) beta_l - theta + 1,   pi = argmin J

Two choices differ from the common recipe (s = .6 median distance, lambda = .01), whose mean error on Gaussian
classes four apart, 1,000 positives and 4,000 unlabelled, is .01 in one dimension but .23 in five; here it is
.01 and .02. First, lambda is in units of sum_l (mean_P phi_l)^2, since a fixed one vanishes or dominates with
the dimension: for separable classes the bias is then lambda/2. Second, the two factors of J come from
different folds, and no centre counts itself: squared noise would look like excess and push the estimate down,
and without it the kernel can be narrow, s = .2 median distance.
"""

from __future__ import annotations

import numpy as np

from halflabel.priors.samples import as_samples, squared_distances, subsample, unit_columns

CENTRES = 200
BANDWIDTH = 0.2  # times the median distance
PENALTY = 0.01  # lambda, times sum_l (mean_P phi_l)^2
FOLDS = 5
GRID = np.linspace(0.0, 1.0, 1001)
MAX_PAIRED = 1000  # points among which the median distance is taken
CHUNK = 8192


def pen_l1(P: np.ndarray, U: np.ndarray, *, random_state: int = 0) -> float:
    """Share of positives in U, on a grid of thousandths of [0, 1]; features are standardised.

    The more dimensions carry noise, the more it overestimates: .1 to .2 in twenty. Points so few or so far
    apart that no positive lies near another leave nothing to match: the answer is 1.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 1400), rng.normal(5, 1, 1600)
    >>> abs(pen_l1(positive[:1000], np.r_[negative, positive[1000:]]) - 0.3) < 0.05
    True
    """
    P, U = _standardise(*unit_columns(*as_samples(P, U)))
    rng = np.random.default_rng(random_state)
    both = np.r_[P, U]
    chosen = rng.choice(len(both), min(CENTRES, len(both)), replace=False)
    width = BANDWIDTH * _median_distance(subsample(both, MAX_PAIRED, rng))
    sums_p, sizes_p = _sums_by_fold(P, both[chosen], chosen, width, rng)
    sums_u, sizes_u = _sums_by_fold(U, both[chosen], chosen - len(P), width, rng)
    scale = PENALTY * float(np.sum(_means(sums_p.sum(axis=0), sizes_p.sum(axis=0)) ** 2))
    if scale == 0:
        return 1.0
    fitted = _beta(_others(sums_p), _others(sizes_p), _others(sums_u), _others(sizes_u))
    held_out = _beta(sums_p, sizes_p, sums_u, sizes_u)
    excess = np.einsum("tkl,tkl->t", np.maximum(fitted, 0), held_out) / FOLDS
    return float(GRID[np.argmin(excess / scale - GRID + 1)])


def _standardise(P: np.ndarray, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    both = np.r_[P, U]
    mean, deviation = both.mean(axis=0), both.std(axis=0)
    return (P - mean) / deviation, (U - mean) / deviation


def _median_distance(X: np.ndarray) -> float:
    """Over all pairs; among many ties over those that differ; one, should all points drawn be the same."""
    squared = squared_distances(X, X)[np.triu_indices(len(X), 1)]
    apart = squared[squared > 0]
    return float(np.sqrt(np.median(squared) or np.median(apart))) if len(apart) else 1.0


def _sums_by_fold(
    X: np.ndarray, centres: np.ndarray, rows: np.ndarray, width: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Sum of phi_l over each fold of X and the fold's size, both (fold, centre) and without c_l itself.

    `rows` says which row of X a centre is; out of range: it is of the other sample.
    """
    fold = rng.permutation(len(X)) % FOLDS
    sums = np.zeros((FOLDS, len(centres)))
    for start in range(0, len(X), CHUNK):
        part = slice(start, start + CHUNK)
        phi = np.exp(squared_distances(X[part], centres) / (-2 * width**2))
        sums += (fold[part] == np.arange(FOLDS)[:, None]).astype(float) @ phi
    sizes = np.repeat(np.bincount(fold, minlength=FOLDS)[:, None], len(centres), axis=1)
    own = np.flatnonzero((rows >= 0) & (rows < len(X)))
    sums[fold[rows[own]], own] -= 1
    sizes[fold[rows[own]], own] -= 1
    return np.maximum(sums, 0), sizes


def _others(by_fold: np.ndarray) -> np.ndarray:
    return by_fold.sum(axis=0) - by_fold


def _means(sums: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    return sums / np.maximum(sizes, 1)


def _beta(sums_p: np.ndarray, sizes_p: np.ndarray, sums_u: np.ndarray, sizes_u: np.ndarray) -> np.ndarray:
    """theta mean_P phi - mean_U phi for every theta of the grid: (theta, fold, centre)."""
    return GRID[:, None, None] * _means(sums_p, sizes_p) - _means(sums_u, sizes_u)
