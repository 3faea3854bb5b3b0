"""Regrouping (ReMPE; Yao et al., ICLR 2022): add the unlabelled that look most positive to P.

Published, it is done always. Here it is done where classes are seen, from P and U alone, to overlap.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from halflabel.auc import SEPARATED, implied_auc, placements
from halflabel.priors.bbe import best_bin
from halflabel.priors.bootstrap import LEVEL

SHARE = 0.1
QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)


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
    ranks A first and changes nothing. Hence `regroup_if_overlapping`.

    >>> regroup(np.array([5.0]), np.arange(20.0)).tolist()
    [5.0, 19.0, 18.0]
    """
    count = int(share * len(scores_u))
    highest = np.argsort(-scores_u, kind="stable")[:count]
    return np.concatenate([scores_p, scores_u[highest]])


def regroup_if_overlapping(scores_p: np.ndarray, scores_u: np.ndarray, *, share: float = SHARE) -> np.ndarray:
    """`regroup` if classes are seen to overlap, else P as it is: the one change to what is published.

    >>> P, U = np.arange(30.0, 40.0), np.r_[np.arange(30.0, 40.0), np.zeros(30)]
    >>> len(regroup_if_overlapping(P, U)), len(regroup(P, U))
    (10, 14)
    """
    return regroup(scores_p, scores_u, share=share) if overlap_is_seen(scores_p, scores_u) else scores_p


def overlap_is_seen(scores_p: np.ndarray, scores_u: np.ndarray) -> bool:
    """Whether P and U alone say that negatives score among the positives, so that regrouping is called for.

    With the share that best-bin estimation finds, AUC(P, U) implies that of positives against negatives, and
    `halflabel check` takes an estimate for an upper bound if that is below SEPARATED. Here its 90 % interval
    must lie below: for that share, by the variance of the AUC (DeLong et al. 1988). Few points see nothing.

    A test for negatives inside A, whether P ranks above U there, sees less: the ratio of U to P may be flat
    at the top though no region is free of negatives. Those that score just like positives are seen by none.

    >>> rng = np.random.default_rng(0)
    >>> P, positive, negative = rng.normal(4, 1, 500), rng.normal(4, 1, 300), rng.normal(0, 1, 700)
    >>> overlap_is_seen(P, np.r_[positive, negative]), overlap_is_seen(P, np.r_[positive, negative + 3])
    (False, True)
    """
    if min(len(scores_p), len(scores_u)) < 2:
        return False
    placed = placements(scores_p, scores_u), placements(scores_u, scores_p)
    error = np.sqrt(sum(np.var(places, ddof=1) / len(places) for places in placed))
    prior = min(best_bin(scores_p, scores_u), 1.0)
    return prior < 1 and implied_auc(float(placed[0].mean() + QUANTILE * error), prior) < SEPARATED
