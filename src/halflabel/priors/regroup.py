"""Regrouping (ReMPE; Yao et al., ICLR 2022): add the unlabelled that look most positive to P.

Published, it is done always. Here it is left out where classes are seen, from P and U alone, to be separated.
"""

from __future__ import annotations

import numpy as np

from halflabel.auc import SEPARATED, implied_auc, pu_auc
from halflabel.priors.bbe import best_bin

SHARE = 0.1


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
    """`regroup`, or P as it is if classes are seen to be separated: the one change to what is published.

    >>> P, U = np.arange(30.0, 40.0), np.r_[np.arange(30.0, 40.0), np.zeros(30)]
    >>> len(regroup_if_overlapping(P, U)), len(regroup(P, U))
    (10, 14)
    """
    return scores_p if are_separated(scores_p, scores_u) else regroup(scores_p, scores_u, share=share)


def are_separated(scores_p: np.ndarray, scores_u: np.ndarray) -> bool:
    """Whether P and U alone say that positives score above negatives, so that nothing needs regrouping.

    With the share that best-bin estimation finds, AUC(P, U) implies that of positives against negatives, and
    `halflabel check` takes an estimate for an upper bound if that is below SEPARATED. So does this. A test
    for negatives inside A sees less: where none of the regions is free of them, the case that regrouping is
    made for, P and U may look alike at the top all the same. With few points, or nearly all of U positive,
    the implied AUC is rough. Negatives that score just like positives are seen by nobody.

    >>> rng = np.random.default_rng(0)
    >>> P, positive, negative = rng.normal(4, 1, 500), rng.normal(4, 1, 300), rng.normal(0, 1, 700)
    >>> are_separated(P, np.r_[positive, negative]), are_separated(P, np.r_[positive, negative + 3])
    (True, False)
    """
    prior = min(best_bin(scores_p, scores_u), 1.0)
    return prior < 1 and implied_auc(pu_auc(scores_p, scores_u), prior) >= SEPARATED
