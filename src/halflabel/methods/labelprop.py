"""LabelProp: how many of the walks from a node end at a known positive, against how many would by chance."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import ClassVar, Literal

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from halflabel.auc import pu_auc
from halflabel.base import Problem
from halflabel.edges.walks import normalised, walk_terms, weighted_matrix
from halflabel.graph import Graph
from halflabel.methods.transductive import Transductive, out_of_fold
from halflabel.progress import track
from halflabel.thresholds import Threshold
from halflabel.training.folds import Folds

PRECISION = 1e-6  # share of the weight of all walks that may be left out
PSEUDO_MASS = 1.0  # of chance, in units of one direct neighbour at alpha = 1


class LabelProp(Transductive):
    """Label spreading (Zhou et al., 2004) from the known positives, without a network or features.

    Walks of length k weigh alpha^k in S^k, S = D^-1/2 A D^-1/2 with the graph's edge weights. With m_P the
    weight of those that end at a known positive, m of those that end at any labelled or unlabelled node, and
    b the share of known positives among these,

        e = (m_P + b) / (m + 1),    score = logit(e) - logit(b).

    A score above 0, the method's own decision, means more known positives within reach than chance would
    put there; the added b and 1 draw nodes with few neighbours towards 0, and an isolated node has exactly
    0. Features do not enter. `steps` ends the walks at a length; without it they go on until the rest
    weighs less than a millionth. `walks="even"` counts only those of even length, which on heterophilic
    graphs lead from a positive over a negative back to a positive; "auto" takes whichever ranks held-out
    positives higher among the unlabelled (`walks_`).

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = LabelProp().fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > 0 > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **Transductive._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "steps": [Interval(Integral, 2, None, closed="left"), None],
        "walks": [StrOptions({"auto", "all", "even"})],
    }

    walks_: Literal["all", "even"]

    def __init__(
        self,
        *,
        prior: float | str = "auto",
        folds: int = 5,
        alpha: float = 0.8,
        steps: int | None = None,
        walks: str = "auto",
        threshold: Threshold = "prior",
        random_state: int = 0,
        verbose: bool = False,
    ):
        self.prior = prior
        self.folds = folds
        self.alpha = alpha
        self.steps = steps
        self.walks = walks
        self.threshold = threshold
        self.random_state = random_state
        self.verbose = verbose

    def _spread(self, problem: Problem, graph: Graph, folds: Folds) -> np.ndarray:
        labelled = problem.positive | problem.unlabelled
        known = problem.positive & ~folds.held
        base = known.sum(axis=1) / labelled.sum()
        start = np.column_stack([known.T, labelled]).astype(np.float64)
        odd, even = self._mass_by_parity(problem, start)
        odd += even
        every, twos = (_log_odds(mass, base).T for mass in (odd, even))
        self.walks_ = self._choose(every, twos, problem, folds)
        return every if self.walks_ == "all" else twos

    def _mass_by_parity(self, problem: Problem, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What arrives at each node over walks of odd and of even length; a column per start."""
        S = normalised(weighted_matrix(problem.adjacency))
        steps = math.ceil(math.log(PRECISION) / math.log(self.alpha)) if self.steps is None else self.steps
        sums, terms = (np.zeros_like(start), np.zeros_like(start)), walk_terms(S, start, self.alpha)
        for step in track(max(steps, 2), "spreading labels", shown=self.verbose):
            term = next(terms)
            sums[step % 2][:] += term
            self.history_.append({"step": step + 1, "largest_change": float(term[:, :-1].max())})
        return sums

    def _choose(
        self, every: np.ndarray, twos: np.ndarray, problem: Problem, folds: Folds
    ) -> Literal["all", "even"]:
        judged = folds.judged(problem.positive)
        if self.walks != "auto" or not judged.any():
            return "even" if self.walks == "even" else "all"
        honest = (out_of_fold(logits, problem, folds) for logits in (every, twos))
        auc_all, auc_even = (pu_auc(scores[judged], scores[problem.unlabelled]) for scores in honest)
        self.history_[-1] |= {"auc_all": auc_all, "auc_even": auc_even}
        return "even" if auc_even > auc_all else "all"


def _log_odds(mass: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Log-odds of a known positive among the ends of walks, relative to those among all nodes."""
    # The last column counts every node, also the known positives: odds need those that are not.
    positive = mass[:, :-1] + PSEUDO_MASS * base
    other = mass[:, -1:] + PSEUDO_MASS - positive
    return np.log(positive / base) - np.log(other / (1 - base))
