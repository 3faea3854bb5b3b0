"""Cross-fitting as a service: every node scored by a model that did not train on it.

Estimators of the class prior compare scores of P with scores of U. A model has fitted the positives that it
was trained on, so their scores are too high and the estimate too low; out-of-fold scores have no such bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import clone

from halflabel.base import PUNodeClassifier
from halflabel.convert import as_graph
from halflabel.errors import DataError, unknown_name, without_doubts
from halflabel.graph import Graph
from halflabel.labels import as_positive_mask
from halflabel.methods.naive import Naive
from halflabel.nets import BACKBONES
from halflabel.probabilities import calibration_slope, prior_shift
from halflabel.training.folds import Folds


@dataclass(frozen=True)
class CrossFit:
    """Out-of-fold scores of the nodes in focus, and which of them are known positives; fold of each node."""

    scores: np.ndarray
    known: np.ndarray
    fold: np.ndarray

    @property
    def scores_p(self) -> np.ndarray:
        """Scores of the known positives, each by a model that did not know it."""
        return self.scores[self.known]

    @property
    def scores_u(self) -> np.ndarray:
        """Scores of the unlabelled nodes."""
        return self.scores[~self.known]

    def probabilities(self, prior: float) -> np.ndarray:
        """Probability of being positive for every node, in agreement with this prior."""
        slope = calibration_slope(self.scores_p, self.scores_u, prior)
        return expit(slope * self.scores + prior_shift(slope * self.scores_u, prior))


def cross_fit(
    graph: Any,
    positives: Any,
    method: str | PUNodeClassifier = "gcn",
    *,
    folds: int = 5,
    random_state: int = 0,
) -> CrossFit:
    """Score every node by a model that did not train on it.

    `method` is the name of a backbone, trained on P against U with all folds in one stacked network; or a
    method, of which a fresh copy is fitted for each fold, so that whatever learns from P (edge weights,
    selection, prior) does so inside the fold. Nodes held out stay in the graph, and in no loss.

    >>> from halflabel.datasets import payments, payments_positives
    >>> from halflabel.priors import estimate_prior
    >>> graph, y = payments()
    >>> fitted = cross_fit(graph, payments_positives(y), "mlp")
    >>> len(fitted.scores_p), len(fitted.scores_u)
    (60, 1940)
    >>> 0 < estimate_prior(fitted.scores_p, fitted.scores_u).value < 0.3
    True
    """
    graph = as_graph(graph)
    known = as_positive_mask(positives, graph)
    if not 2 <= folds <= int(known.sum()):
        raise DataError(f"folds={folds}: expected 2 to {int(known.sum())}, the number of known positives.")
    if isinstance(method, str):
        if method not in BACKBONES:
            raise DataError(unknown_name("backbone", method, BACKBONES))
        return _stacked(Naive(backbone=method, folds=folds, random_state=random_state), graph, known)
    drawn = Folds.draw(known, ~known, folds, np.random.default_rng(random_state))
    return _one_by_one(method, graph, known, drawn)


def _stacked(model: Naive, graph: Graph, known: np.ndarray) -> CrossFit:
    with without_doubts():
        model.fit(graph, known)
    return CrossFit(model.out_of_fold_[graph.nodes], known, model.fold_[graph.nodes])


def _one_by_one(method: PUNodeClassifier, graph: Graph, known: np.ndarray, drawn: Folds) -> CrossFit:
    scores = np.empty(len(graph))
    for held in drawn.held:
        with without_doubts():
            model = clone(method).fit(graph[~held], known[~held])
        # Not the decision function: it counts from the threshold, and every fold has its own.
        scores[held] = model.scores_[graph.nodes[held]]
    return CrossFit(scores, known, drawn.owner)
