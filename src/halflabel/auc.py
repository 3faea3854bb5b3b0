"""How well scores order known positives above unlabelled nodes."""

from __future__ import annotations

import numpy as np

SEPARATED = 0.9  # AUC of positives against negatives, implied by an estimate, below which classes overlap
WEAK = 0.6  # AUC of P against U, below which nearly all being positive and knowing nothing look alike


def pu_auc(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """Share of pairs of a known positive and an unlabelled node with the former higher; ties count half.

    If known positives are a random sample of all, AUC(P, U) = pi/2 + (1 - pi) AUC(P, N): whatever orders P
    above U better also orders positives above negatives better, so this ranks models without any negative.

    >>> pu_auc(np.array([2.0, 3.0]), np.array([1.0, 2.0]))
    0.875
    """
    # What is looked up in order is found in a fifth of the time.
    return float(_twice_below(np.sort(scores_p), scores_u).mean() / (2 * len(scores_u)))


def implied_auc(auc: float, prior: float) -> float:
    """AUC of positives against negatives, from that of P against U and an estimate of the prior.

    >>> round(implied_auc(0.85, 0.2), 4)
    0.9375
    """
    return (auc - prior / 2) / max(1 - prior, 1e-12)


def placements(scores_p: np.ndarray, scores_u: np.ndarray) -> np.ndarray:
    """For each known positive, the share of unlabelled nodes below it; their mean is the AUC.

    >>> placements(np.array([2.0, 3.0]), np.array([1.0, 2.0])).tolist()
    [0.75, 1.0]
    """
    return _twice_below(scores_p, scores_u) / (2 * len(scores_u))


def prominence(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """How far up known positives rank: the mean of -log(share of unlabelled nodes above), 1 by chance.

    From the 100th place to the 10th is as much as from the 1,000th to the 100th. To the AUC the latter is ten
    times as much; but a list is read from the top, all the more where positives are rare.

    >>> scores = np.arange(1000.0)
    >>> round(prominence(scores, scores), 2), round(prominence(np.array([990.0]), scores), 1)
    (1.0, 4.6)
    """
    return float(-np.log(1 - placements(scores_p, scores_u) + 0.5 / len(scores_u)).mean())


def _twice_below(scores_p: np.ndarray, scores_u: np.ndarray) -> np.ndarray:
    ordered = np.sort(scores_u)
    return np.searchsorted(ordered, scores_p, side="left") + np.searchsorted(ordered, scores_p, side="right")
