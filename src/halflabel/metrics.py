"""Final scoring, where the labels of unlabelled nodes are known: always on the unlabelled nodes only."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from halflabel.base import PUNodeClassifier

CALIBRATION_BINS = 10


class Scorecard(NamedTuple):
    """How a fitted method did on the unlabelled nodes, beside the line that needs no method.

    >>> Scorecard(0.8, 0.85, 0.95, 0.19, 0.18, 0.31).prior_error.__round__(2)
    0.01
    """

    f1: float
    average_precision: float
    auc: float
    prior: float
    true_prior: float
    all_positive_f1: float

    @property
    def prior_error(self) -> float:
        """Absolute error of the prior."""
        return abs(self.prior - self.true_prior)


def score_unlabelled(model: PUNodeClassifier, truth: np.ndarray, known: np.ndarray) -> Scorecard:
    """Compare with the true labels of the nodes that were not labelled.

    >>> from halflabel.datasets import payments, payments_positives
    >>> from halflabel import GPL
    >>> graph, y = payments()
    >>> known = payments_positives(y)
    >>> card = score_unlabelled(GPL(epochs=2, warmup=5).fit(graph, known), y == 1, known)
    >>> 0 <= card.f1 <= 1
    True
    """
    hidden = ~np.asarray(known, dtype=bool)
    y, scores = np.asarray(truth, dtype=bool)[hidden], model.scores_[hidden]
    pi = float(y.mean())
    return Scorecard(
        f1=float(f1_score(y, model.predict()[hidden])),
        average_precision=float(average_precision_score(y, scores)),
        auc=float(roc_auc_score(y, scores)),
        prior=model.prior_,
        true_prior=pi,
        all_positive_f1=all_positive_f1(pi),
    )


def all_positive_f1(prior: float) -> float:
    """F1 of calling every unlabelled node positive: 2 pi / (1 + pi).

    >>> all_positive_f1(0.5).__round__(3)
    0.667
    """
    return 2 * prior / (1 + prior)


def calibration_error(probability: np.ndarray, truth: np.ndarray) -> float:
    """Expected calibration error: nodes in ten bins of equally many, by probability; how far the mean
    probability of a bin is from its share of positives, on average.

    >>> calibration_error(np.repeat([0.2, 0.8], 50), np.tile(np.arange(5) < 1, 20)).__round__(3)
    0.3
    """
    bins = np.array_split(np.argsort(probability, kind="stable"), CALIBRATION_BINS)
    gaps = [len(b) * abs(probability[b].mean() - truth[b].mean()) for b in bins if len(b)]
    return float(sum(gaps) / len(truth))
