"""How well scores order known positives above unlabelled nodes."""

from __future__ import annotations

import numpy as np


def pu_auc(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """Share of pairs of a known positive and an unlabelled node with the former higher; ties count half.

    If known positives are a random sample of all, AUC(P, U) = pi/2 + (1 - pi) AUC(P, N): whatever orders P
    above U better also orders positives above negatives better, so this ranks models without any negative.

    >>> pu_auc(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    0.875
    """
    ordered = np.sort(scores_u)
    below = np.searchsorted(ordered, scores_p, side="left") + np.searchsorted(ordered, scores_p, side="right")
    return float(below.mean() / (2 * len(ordered)))
