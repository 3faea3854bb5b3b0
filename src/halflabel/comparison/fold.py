"""What one fold says of a method: known positives were hidden from it, and no negative is needed.

Write U for the nodes that were never labelled, pi for the share of positives among them, and H for the known
positives that were hidden, so that to the method they were as unlabelled as U. If the known positives are a
random sample of all positives, H is a sample of the positives in U, and

    recall in U     =  P(flagged | positive)                  =  r, the share of H that is flagged
    precision in U  =  pi P(flagged | positive) / P(flagged)  =  pi r / f, where f is the flagged share of U
    F1 in U         =  2 / (1/precision + 1/recall)           =  2 pi r / (pi + f)

AUC(H, U) = pi/2 + (1 - pi) AUC(positives, negatives) needs no pi at all to tell the better of two methods.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from halflabel.auc import pu_auc


class FoldScores(NamedTuple):
    """A method on a fold of `hidden` positives.

    `recall_at_prior` is what it finds in a top share of U as large as the common prior, the same for all
    methods; the columns after it judge what the method flags by itself.
    """

    hidden: int
    auc: float
    recall_at_prior: float
    flagged: float
    recall: float
    precision: float
    f1: float


def judge(
    scores: np.ndarray, flagged: np.ndarray, hidden: np.ndarray, unlabelled: np.ndarray, prior: float
) -> FoldScores:
    """Judge scores and decisions of all nodes by those that were hidden and those never labelled.

    >>> scores = np.array([3.0, 1.0, 2.0, 0.0, 0.0, 0.0])
    >>> hidden = np.array([True, True, False, False, False, False])
    >>> fold = judge(scores, scores >= 2, hidden, ~hidden, prior=0.25)
    >>> fold.auc, fold.flagged, fold.recall, fold.precision, fold.f1
    (0.875, 0.25, 0.5, 0.5, 0.5)
    """
    H, U = scores[hidden], scores[unlabelled]
    recall, share = float(np.mean(flagged[hidden])), float(np.mean(flagged[unlabelled]))
    return FoldScores(
        hidden=len(H),
        auc=pu_auc(H, U),
        recall_at_prior=recall_at_share(H, U, prior),
        flagged=share,
        recall=recall,
        precision=implied_precision(recall, share, prior),
        f1=implied_f1(recall, share, prior),
    )


def implied_precision(recall: float, flagged: float, prior: float) -> float:
    """pi r / f; at most 1, which chance or too high a prior would exceed; 0 if nothing is found.

    >>> implied_precision(0.5, 0.25, 0.25), implied_precision(0.5, 0.1, 0.25)
    (0.5, 1.0)
    """
    found = prior * recall
    return found / max(flagged, found) if found else 0.0


def implied_f1(recall: float, flagged: float, prior: float) -> float:
    """2 pi r / (pi + f), with the same bound on precision.

    >>> implied_f1(1.0, 1.0, 0.5).__round__(3)  # calling everything positive
    0.667
    """
    found = prior * recall
    return 2 * found / (prior + max(flagged, found)) if found else 0.0


def recall_at_share(scores_h: np.ndarray, scores_u: np.ndarray, share: float) -> float:
    """Share of hidden positives among the top `share`; of nodes that tie at the edge, the part that fits.

    At the prior this is recall, precision and F1 in one. Without parting ties, equal scores would flag all.

    >>> recall_at_share(np.array([2.0, 0.0]), np.array([2.0, 1.0, 0.0, 0.0]), 0.25)
    0.5
    >>> recall_at_share(np.zeros(4), np.zeros(10), 0.3)
    0.3
    """
    count = max(1, int(np.ceil(round(share * len(scores_u), 9))))
    edge = np.partition(scores_u, -count)[-count]
    above_u, at_u = np.mean(scores_u > edge), np.mean(scores_u >= edge)
    above_h, at_h = np.mean(scores_h > edge), np.mean(scores_h >= edge)
    return float(above_h + (at_h - above_h) * (share - above_u) / (at_u - above_u))
