"""Transductive: a method without a network, with scores for the graph it was fitted on and no other."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral
from typing import ClassVar

import numpy as np
import torch
from sklearn.utils._param_validation import Interval

from halflabel.base import PRIOR, THRESHOLD, Problem, PUNodeClassifier
from halflabel.errors import DataError
from halflabel.fingerprint import PARTS, fingerprint
from halflabel.graph import Graph
from halflabel.methods.prior import chosen_prior
from halflabel.priors import Prior
from halflabel.training.folds import Folds


class Transductive(PUNodeClassifier):
    """Cross-fitting by columns: each member spreads what is known without its fold of the positives.

    To the member that holds it out, a known positive is an unlabelled node like any other, so its score
    there is what it would get if nobody knew about it. A method implements `_spread`. The fitted graph is
    recognised by its content, also by a model that was saved and loaded.
    """

    _parameter_constraints: ClassVar[dict] = {
        "prior": PRIOR,
        "folds": [Interval(Integral, 0, None, closed="left")],
        "threshold": THRESHOLD,
        "random_state": [Interval(Integral, 0, 2**32 - 1, closed="both")],
        "verbose": ["boolean"],
    }

    first_layers = 0

    prior: float | str
    folds: int
    verbose: bool
    fold_: np.ndarray
    _fingerprint: dict[str, bytes]
    _fitted_scores: np.ndarray  # in the order in which nodes were fitted, which need not be the data's

    @abstractmethod
    def _spread(self, problem: Problem, graph: Graph, folds: Folds) -> np.ndarray:
        """Logits of shape (members, nodes); member m knows the positives that `folds.held[m]` leaves."""

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        rng = np.random.default_rng(self.random_state)
        folds = Folds.draw(problem.positive, problem.unlabelled, self.folds, rng)
        self.history_ = []
        logits = self._spread(problem, graph, folds)
        self.scores_ = self._fitted_scores = logits.mean(axis=0)
        self.fold_ = folds.owner
        self.out_of_fold_ = out_of_fold(logits, problem, folds)
        self._fingerprint = fingerprint(graph)
        return chosen_prior(
            self.prior, self.out_of_fold_, problem.positive, problem.unlabelled, self.random_state)

    def _score_graph(self, graph: Graph) -> np.ndarray:
        if other := [part for part, value in fingerprint(graph).items() if value != self._fingerprint[part]]:
            raise DataError(
                f"{type(self).__name__} scores only the graph it was fitted on, and this one has other "
                f"{', '.join(other)}. Fit it on the new graph, or use a method that scores unseen nodes: "
                "gpl, naive, ted, nnpu, ...")
        return self._fitted_scores

    def _arrays(self) -> dict[str, torch.Tensor]:
        hashes = {part: torch.tensor(list(value), dtype=torch.uint8)
                  for part, value in self._fingerprint.items()}
        return {"fitted_scores": torch.tensor(self._fitted_scores), **hashes}

    def _restore(self, arrays: dict[str, torch.Tensor]) -> None:
        self._fitted_scores = arrays["fitted_scores"].numpy()
        self._fingerprint = {part: bytes(arrays[part].tolist()) for part in PARTS}


def out_of_fold(logits: np.ndarray, problem: Problem, folds: Folds) -> np.ndarray:
    """Each node's score by the member that held it out; nan for positives that no member did."""
    known_to_all = problem.positive & ~folds.judged(problem.positive)
    return np.where(known_to_all, np.nan, folds.out_of_fold(logits))
