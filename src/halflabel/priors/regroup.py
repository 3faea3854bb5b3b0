"""Regrouping (ReMPE; Yao et al., ICLR 2022): add the unlabelled that look most positive to P.

Published, it is done always. Here a test asks first, from P and U alone, whether it is called for.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

SHARE = 0.1
LEVEL = 0.01


def regroup(scores_p: np.ndarray, scores_u: np.ndarray, *, share: float = SHARE) -> np.ndarray:
    """Scores of P together with *copies* of the floor(share n_u) most positive-looking of U, the set A.

    U itself stays as it is. The idea: negatives of A now count as positives, so that no negative is left
    where U looks most positive, and an estimator on the new P and U aims at

        pi' = pi + (1 - pi) P_n(A),      P_n(A) the share of negatives that lie in A.

    Copies are no sample of the positives, however. With w = n_p / (n_p + share n_u), a ratio of tails R at a
    threshold inside A becomes

        R' = R / (w + (1 - w) R / share),

    which lies between R and `share`. For classes that do not overlap, R = pi there: the estimate is *below*
    pi if pi > share, above if pi < share, for samples of any size, and a classifier fitted anew to the new P
    ranks A first and changes nothing. Hence `regroup_if_mixed`.

    >>> regroup(np.array([5.0]), np.arange(20.0)).tolist()
    [5.0, 19.0, 18.0]
    """
    count = int(share * len(scores_u))
    highest = np.argsort(-scores_u, kind="stable")[:count]
    return np.concatenate([scores_p, scores_u[highest]])


def regroup_if_mixed(scores_p: np.ndarray, scores_u: np.ndarray, *, share: float = SHARE) -> np.ndarray:
    """`regroup`, or P as it is if nothing says that negatives live in A: the one change to what is published.

    >>> P, U = np.arange(8.0, 20.0), np.arange(200.0) / 10
    >>> len(regroup_if_mixed(P, U)), len(regroup(P, U))
    (12, 32)
    """
    return regroup(scores_p, scores_u, share=share) if is_mixed(scores_p, scores_u, share=share) else scores_p


def is_mixed(
    scores_p: np.ndarray, scores_u: np.ndarray, *, share: float = SHARE, level: float = LEVEL
) -> bool:
    """Whether known positives score higher than unlabelled nodes inside A: a sign of negatives there.

    Without negatives the unlabelled of A are a sample of the same positives, and both look alike: regrouping
    has nothing to repair there, only to distort. Compared are those above the best score that A leaves out,
    which makes the two samples exchangeable; by ranks, as classifiers fix no scale (one-sided Mann and
    Whitney, normal approximation with ties and continuity). It is wrong about pure regions in `level` of
    samples. Too few points, or ties for the best tenth, are no sign.

    A difference says that A holds negatives, not that classes overlap: with pi below `share` it always does.

    >>> rng = np.random.default_rng(0)
    >>> P, positive, negative = rng.normal(3, 1, 500), rng.normal(3, 1, 500), rng.normal(0, 1, 1500)
    >>> is_mixed(P, np.r_[positive, negative]), is_mixed(P, np.r_[positive[:50], negative])
    (False, True)
    """
    count = int(share * len(scores_u))
    left_out = np.sort(scores_u)[: len(scores_u) - count]
    edge = left_out[-1] if len(left_out) else -np.inf
    return _surprise(scores_p[scores_p > edge], scores_u[scores_u > edge]) > NormalDist().inv_cdf(1 - level)


def _surprise(x: np.ndarray, y: np.ndarray) -> float:
    """Standard deviations by which x ranks above y; below zero if lower, or if nothing can be said."""
    n, m = len(x), len(y)
    ties = np.unique(np.concatenate([x, y]), return_counts=True)[1].astype(float)
    if len(ties) < 2 or n == 0 or m == 0:
        return -np.inf
    ordered = np.sort(y)
    wins = (np.searchsorted(ordered, x, "left") + np.searchsorted(ordered, x, "right")).sum() / 2
    total = n + m
    variance = n * m / 12 * (total + 1 - (ties**3 - ties).sum() / (total * (total - 1)))
    return float((wins - n * m / 2 - 0.5) / np.sqrt(variance))
