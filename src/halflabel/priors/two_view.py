"""The prior from the covariance of two views, where no region is free of negatives.

Let z1, z2 be scores from two views of a node (its features, say, and its row of the adjacency matrix) that
are nearly independent given the class, w their covariance within a class, d_v = mean_P z_v - mean_U z_v. Then

    Cov_U(z1, z2) = w + pi / (1 - pi) d_1 d_2,    so    pi / (1 - pi) = (Cov_U - w) / (d_1 d_2),

and w is estimated on the known positives. Irreducibility, which every ratio of tails needs, is not used; that
both views carry signal is.
"""

from __future__ import annotations

import numpy as np

from halflabel.errors import DataError
from halflabel.priors.bootstrap import interval_around, resampled_means
from halflabel.priors.ranks import mid_ranks

REPLICATES = 500
MIN_SIGNAL = 3.0  # standard errors that d_v must lie above zero


def two_view(views_p: np.ndarray, views_u: np.ndarray) -> float:
    """pi = odds / (1 + odds), odds = (Cov_U - Cov_P) / (d_1 d_2) on ranks; 0 where the odds are negative.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(1, 1, (900, 2)), rng.normal(0, 1, (2100, 2))]
    >>> abs(two_view(rng.normal(1, 1, (1000, 2)), U) - 0.3) < 0.1
    True
    """
    ranks_p, ranks_u = _ranks(views_p, views_u)
    _check_signal(ranks_p, ranks_u)
    return _estimate(ranks_p, ranks_u)


def two_view_interval(
    views_p: np.ndarray, views_u: np.ndarray, *, replicates: int = REPLICATES, random_state: int = 0
) -> tuple[float, float]:
    """Bootstrap of all moments; ranks are taken once.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(1, 1, (900, 2)), rng.normal(0, 1, (2100, 2))]
    >>> low, high = two_view_interval(rng.normal(1, 1, (1000, 2)), U)
    >>> low < 0.3 < high
    True
    """
    rng = np.random.default_rng(random_state)
    ranks_p, ranks_u = _ranks(views_p, views_u)
    means_p = resampled_means(_moments(ranks_p), replicates, rng)
    means_u = resampled_means(_moments(ranks_u), replicates, rng)
    return interval_around(_estimate(ranks_p, ranks_u), _share(means_p, means_u))


def _ranks(views_p: np.ndarray, views_u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranks among all nodes in (0, 1]; they tame long tails, and any monotone change keeps the identity."""
    both = np.concatenate([views_p, views_u])
    ranks = np.column_stack([mid_ranks(view) for view in both.T]) / len(both)
    return ranks[: len(views_p)], ranks[len(views_p) :]


def _estimate(ranks_p: np.ndarray, ranks_u: np.ndarray) -> float:
    return float(_share(_moments(ranks_p).mean(axis=0), _moments(ranks_u).mean(axis=0)))


def _moments(z: np.ndarray) -> np.ndarray:
    return np.column_stack([z, z[:, 0] * z[:, 1]])


def _share(means_p: np.ndarray, means_u: np.ndarray) -> np.ndarray:
    """pi from (..., 3) means of z1, z2 and z1 z2."""
    covariance_p = means_p[..., 2] - means_p[..., 0] * means_p[..., 1]
    covariance_u = means_u[..., 2] - means_u[..., 0] * means_u[..., 1]
    signal = np.prod(np.maximum(means_p - means_u, 1e-12)[..., :2], axis=-1)
    excess = np.maximum(covariance_u - covariance_p, 0.0)
    return excess / (excess + signal)


def _check_signal(ranks_p: np.ndarray, ranks_u: np.ndarray) -> None:
    d = ranks_p.mean(axis=0) - ranks_u.mean(axis=0)
    error = np.sqrt(ranks_p.var(axis=0) / len(ranks_p) + ranks_u.var(axis=0) / len(ranks_u))
    for view in np.flatnonzero(d <= MIN_SIGNAL * error):
        raise DataError(
            f"View {view} (column {view} of the scores) carries no signal: known positives rank "
            f"{d[view]:+.3f} above unlabelled nodes, with a standard error of {error[view]:.3f}; "
            f"{MIN_SIGNAL:g} standard errors are needed. Pass another view, turn its sign if low scores mean "
            "positive, or use a method on one score such as 'bbe'.")
