"""Regrouping (ReMPE; Yao et al., ICLR 2022): add the unlabelled that look most positive to P."""

from __future__ import annotations

import numpy as np

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
    ranks A first and changes nothing. Use it where an estimate is known to be too high.

    >>> regroup(np.array([5.0]), np.arange(20.0)).tolist()
    [5.0, 19.0, 18.0]
    """
    count = int(share * len(scores_u))
    highest = np.argsort(-scores_u, kind="stable")[:count]
    return np.concatenate([scores_p, scores_u[highest]])
