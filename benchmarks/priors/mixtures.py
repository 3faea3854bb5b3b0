"""Scores of two Gaussian classes, for all benchmarks of class priors."""

from __future__ import annotations

import numpy as np

VIEW_GAP = 1.5  # of each of the two views, where an estimator takes two


def mixture(
    seed: int, prior: float, n_p: int, n_u: int, gap: float, *, fixed: bool = True
) -> tuple[np.ndarray, np.ndarray, float]:
    """Log-likelihood ratios of P and U (the logits of an ideal classifier), and the share in this very U.

    fixed: that share is the prior; otherwise every unlabelled point is positive with that probability.
    """
    rng = np.random.default_rng(seed)
    positives = round(prior * n_u) if fixed else int(rng.binomial(n_u, prior))
    scores_p = rng.normal(gap, 1, n_p)
    scores_u = np.r_[rng.normal(gap, 1, positives), rng.normal(0, 1, n_u - positives)]
    return gap * (scores_p - gap / 2), gap * (scores_u - gap / 2), positives / n_u


def two_views(
    seed: int, prior: float, n_p: int, n_u: int, gap: float, *, fixed: bool = True
) -> tuple[np.ndarray, np.ndarray, float]:
    """The same for two views that are independent given the class."""
    first_p, first_u, share = mixture(seed, prior, n_p, n_u, gap, fixed=fixed)
    positives = round(share * n_u)
    rng = np.random.default_rng(seed + 10**6)
    second_p = gap * (rng.normal(gap, 1, n_p) - gap / 2)
    second_u = gap * (np.r_[rng.normal(gap, 1, positives), rng.normal(0, 1, n_u - positives)] - gap / 2)
    return np.column_stack([first_p, second_p]), np.column_stack([first_u, second_u]), share


def scores_for(method: str, *setting: float, fixed: bool = True) -> tuple[np.ndarray, np.ndarray, float]:
    """Scores as the method takes them: setting is seed, prior, n_p, n_u, gap."""
    seed, prior, n_p, n_u, gap = setting
    make = two_views if method == "two_view" else mixture
    return make(int(seed), prior, int(n_p), int(n_u), gap, fixed=fixed)
