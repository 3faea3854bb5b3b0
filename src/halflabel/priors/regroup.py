"""Regrouping (ReMPE; Yao et al., ICLR 2022): make irreducibility true, at a small known price."""

from __future__ import annotations

import numpy as np

SHARE = 0.1


def regroup(scores_p: np.ndarray, scores_u: np.ndarray, *, share: float = SHARE) -> np.ndarray:
    """Scores of P together with *copies* of the floor(share n_u) most positive-looking of U, the set A.

    U itself stays as it is. The idea: negatives of A now count as positives, so that no negative is left
    where U looks most positive, and an estimator on the new P and U aims at

        pi' = pi + (1 - pi) P_n(A),      P_n(A) the share of negatives that lie in A.

    The price not in the formula: the copies make A weigh more in P than in the positives of U, which draws
    ratio estimators *below* pi where classes were separated to begin with, the more so the larger U is
    beside P. Use it where classes overlap and an estimate is known to be too high.

    >>> regroup(np.array([5.0]), np.arange(20.0)).tolist()
    [5.0, 19.0, 18.0]
    """
    count = int(share * len(scores_u))
    highest = np.argsort(-scores_u, kind="stable")[:count]
    return np.concatenate([scores_p, scores_u[highest]])
