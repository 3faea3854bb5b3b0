"""PUNodeClassifier: scikit-learn's contract for classifiers of nodes that know only some positives."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Real
from typing import Any, Self

import numpy as np
import torch
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from halflabel.adjacency import Adjacency
from halflabel.convert import as_graph
from halflabel.errors import DataError
from halflabel.graph import Features, Graph
from halflabel.labels import as_positive_mask
from halflabel.priors import Prior, prior_methods
from halflabel.probabilities import calibration_slope, prior_shift, top_share_threshold
from halflabel.scaling import Scaling
from halflabel.threads import threads_for

MIN_POSITIVES = 4
# Share of positives among the unlabelled: a number, the method's own estimate, or an estimator's name.
PRIOR = [
    Interval(Real, 0, 1, closed="neither"),
    StrOptions({"auto", *prior_methods()} - {"two_view"}),
]


@dataclass(frozen=True)
class Problem:
    """What a method learns from: the undirected graph, scaled features, and who is P and who is U."""

    adjacency: Adjacency
    X: Features
    positive: np.ndarray
    unlabelled: np.ndarray


class PUNodeClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of all methods: checks the input, seeds, scales, and turns scores into probabilities.

    A method implements `_fit_problem`, which sets `scores_` (a logit for every node of the graph) and
    `out_of_fold_` (the same by a network that did not train on the node, or not a number), and returns the
    prior among the unlabelled nodes; `_score_graph`, which scores the nodes of another graph; and
    `_arrays` and `_restore`, which are what a saved model needs beyond `scores_`.
    """

    random_state: int
    scores_: np.ndarray
    out_of_fold_: np.ndarray
    history_: list[dict[str, float]]

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """Parameters as published, where they are not the defaults: `cls(**cls.paper_settings())`."""
        return {}

    @abstractmethod
    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior: ...

    @abstractmethod
    def _score_graph(self, graph: Graph) -> np.ndarray: ...

    @abstractmethod
    def _arrays(self) -> dict[str, torch.Tensor]: ...

    @abstractmethod
    def _restore(self, arrays: dict[str, torch.Tensor]) -> None: ...

    def fit(self, graph: Any, positives: Any) -> Self:
        """Learn from a graph and its known positives.

        `graph` is a Graph or anything `as_graph` takes; `positives` a boolean mask, labels in {1, 0} or
        {1, -1}, or ids. In a sliced graph only the nodes in focus are learned from; the others stay
        neighbours. The same `random_state` gives the same bits.
        """
        self._validate_params()
        graph = as_graph(graph)
        problem = self.pose(graph, positives)
        self.classes_ = np.array([0, 1])
        self.n_features_in_ = graph.X.shape[1]
        # A private random state: the caller's stays as it was.
        with threads_for(len(problem.adjacency.col)), torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.random_state)
            prior = self._fit_problem(problem, graph)
        self.prior_, self.prior_interval_ = prior.value, (prior.low, prior.high)
        self._decide(problem.positive, problem.unlabelled)
        self._fitted_parts = _parts(graph)
        return self

    def decision_function(self, graph: Any = None) -> np.ndarray:
        """Scores (logits; higher is more positive) of the fitted nodes, or of another graph's."""
        check_is_fitted(self)
        if graph is None:
            return self.scores_
        graph = as_graph(graph)
        scores = self.scores_ if self._knows(graph) else self._score_graph(graph)
        return scores[graph.nodes]

    def predict_proba(self, graph: Any = None) -> np.ndarray:
        """Columns P(negative), P(positive); over the unlabelled nodes the second averages to the prior."""
        positive = self._probabilities(self.decision_function(graph))
        return np.column_stack([1 - positive, positive])

    def predict(self, graph: Any = None) -> np.ndarray:
        """1 where the probability reaches `threshold_`, that of the top `prior_` share of the unlabelled."""
        return (self.predict_proba(graph)[:, 1] >= self.threshold_).astype(np.int64)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write the fitted model to a directory; `halflabel.load` reads it back."""
        from halflabel.modelfiles import save_model

        check_is_fitted(self)
        save_model(self, directory)

    def _decide(self, positive: np.ndarray, unlabelled: np.ndarray) -> None:
        honest = positive & ~np.isnan(self.out_of_fold_)
        self.slope_ = calibration_slope(
            self.out_of_fold_[honest], self.out_of_fold_[unlabelled], self.prior_) if honest.any() else 1.0
        scores_u = self.scores_[unlabelled]
        self.shift_ = prior_shift(self.slope_ * scores_u, self.prior_)
        self.threshold_ = top_share_threshold(self._probabilities(scores_u), self.prior_)

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        return expit(self.slope_ * scores.astype(np.float64) + self.shift_)

    def _knows(self, graph: Graph) -> bool:
        fitted = getattr(self, "_fitted_parts", ())
        return bool(fitted) and all(a is b for a, b in zip(_parts(graph), fitted, strict=True))

    def pose(self, graph: Graph, positives: Any) -> Problem:
        """The problem as the method sees it: an undirected graph, scaled features, who is P and who is U."""
        mask = as_positive_mask(positives, graph)
        self.scaling_ = Scaling.fit(graph.X, graph.names())
        positive, unlabelled = np.zeros(graph.n_nodes, dtype=bool), np.zeros(graph.n_nodes, dtype=bool)
        positive[graph.nodes], unlabelled[graph.nodes] = mask, ~mask
        if (known := int(positive.sum())) < MIN_POSITIVES:
            raise DataError(f"{known} known positive{'s' * (known > 1)}: at least {MIN_POSITIVES} are "
                            "needed, because some are held out to estimate how many are left. Label more.")
        # A unit self-loop competes with the edges, so weights count in multiples of their mean.
        weight = graph.edge_weight
        self.weight_unit_ = 1.0 if weight is None or not len(weight) else float(weight.mean())
        return Problem(*self._prepare(graph), positive, unlabelled)

    def _prepare(self, graph: Graph) -> tuple[Adjacency, Features]:
        """Structure and features of a graph, treated as those of the graph that was fitted."""
        X = self.scaling_.transform(graph.X, graph.names())
        return Adjacency.from_scipy(graph.symmetric(), unit=self.weight_unit_), X


def _parts(graph: Graph) -> tuple[Any, ...]:
    """What slices of one graph have in common, and other graphs, even of the same structure, do not."""
    return graph.indptr, graph.X, graph.edge_weight
