"""PULP: reliable positives and negatives by Katz similarity, then label propagation from both."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils._param_validation import Interval, StrOptions

from halflabel.base import Problem
from halflabel.edges.harmonic import harmonic, neighbour_mean
from halflabel.edges.walks import katz, spectral_radius, weighted_matrix
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.methods.transductive import Transductive
from halflabel.progress import track
from halflabel.thresholds import Threshold
from halflabel.training.folds import Folds

AUTO_KATZ = 0.35  # of the factor from which on the similarity is infinite
BLEND = 0.01  # of the neighbours' say into a clamped label: orders nodes that are clamped alike


class PULP(Transductive):
    """PU-LP (Ma and Zhang, 2017), on the given graph rather than a nearest-neighbour graph of features.

    Katz similarity W = (I - a A)^-1 - I counts walks, a walk of length k as a^k. In each of `rounds` rounds
    the `expansion` / `rounds` * |P| unlabelled nodes of highest mean similarity to the positives so far
    join them, those of similarity 0 never; then as many unlabelled nodes of lowest similarity are taken for
    negatives, or all that are left. Labels spread from both sides until every other node has the mean of
    its neighbours (Gaussian fields). The score is the logit of that, so above 0 the positive side wins; a
    node that no label reaches, an isolated one too, has 0. No prior is needed for this decision.

    W is never formed: a mean over a set is one product with its indicator. `katz` is a; "auto" is 0.35
    over the spectral radius of A, where 1 would make W infinite. Similarities that agree in single precision
    are ties, decided by a random order of the nodes that `random_state` draws.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = PULP().fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **Transductive._parameter_constraints,
        "katz": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "rounds": [Interval(Integral, 1, None, closed="left")],
        "expansion": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        prior: float | str = "auto",
        folds: int = 5,
        katz: float | str = "auto",
        rounds: int = 2,
        expansion: float = 0.6,
        threshold: Threshold = "prior",
        random_state: int = 0,
        verbose: bool = False,
    ):
        self.prior = prior
        self.folds = folds
        self.katz = katz
        self.rounds = rounds
        self.expansion = expansion
        self.threshold = threshold
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """Of the published grids a in {.005, .01, .02} and lambda in {.6, .8}, m = 2; one model, no folds."""
        return {"katz": 0.01, "rounds": 2, "expansion": 0.6, "folds": 1}

    def _spread(self, problem: Problem, graph: Graph, folds: Folds) -> np.ndarray:
        A = weighted_matrix(problem.adjacency)
        damping = self._damping(A)
        order = np.random.default_rng(self.random_state).permutation(len(problem.positive))
        positive = problem.positive & ~folds.held
        open_ = (problem.positive | problem.unlabelled) & ~positive
        wanted = np.floor(self.expansion / self.rounds * positive.sum(axis=1)).astype(int)
        for _ in track(self.rounds, "choosing reliable positives", shown=self.verbose):
            similarity = _similarity(A, positive, damping)
            # Half of the candidates stay, so that there are negatives to choose.
            count = np.minimum(wanted, open_.sum(axis=1) // 2)
            chosen = _best(similarity, open_ & (similarity > 0), count, order)
            positive, open_ = positive | chosen, open_ & ~chosen
            self._record(positive)
        negative = _best(-_similarity(A, positive, damping), open_, positive.sum(axis=1), order)
        self._record(positive, negative)
        return _logits(A, positive.T.astype(np.float64) - negative.T).T

    def _damping(self, A: sparse.csr_array) -> float:
        radius = spectral_radius(A)
        if isinstance(self.katz, str):
            return AUTO_KATZ / radius if radius else AUTO_KATZ
        if self.katz * radius >= 0.999:
            raise DataError(f"katz={self.katz:g}: the similarity is infinite from {1 / radius:.3g} on, one "
                            "over the spectral radius of this graph. Pass less, or katz=\"auto\".")
        return float(self.katz)

    def _record(self, positive: np.ndarray, negative: np.ndarray | None = None) -> None:
        self.history_.append({
            "round": len(self.history_) + 1,
            "positives": float(positive.sum(axis=1).mean()),
            "negatives": 0.0 if negative is None else float(negative.sum(axis=1).mean()),
        })


def _similarity(A: sparse.csr_array, members: np.ndarray, damping: float) -> np.ndarray:
    """Katz similarity of every node to each row's set; a sum, which orders nodes as the mean does."""
    return katz(A, members.T.astype(np.float64), damping).T.astype(np.float32)


def _best(values: np.ndarray, among: np.ndarray, counts: np.ndarray, order: np.ndarray) -> np.ndarray:
    """In each row, the `count` highest values among the marked nodes, ties as in `order`; all, if fewer."""
    chosen = np.zeros_like(among)
    for row, count in enumerate(counts):
        candidates = order[among[row, order]]
        chosen[row, candidates[np.argsort(-values[row, candidates], kind="stable")[:count]]] = True
    return chosen


def _logits(A: sparse.csr_array, clamped: np.ndarray) -> np.ndarray:
    """2 artanh of values in [-1, 1], drawn in by 1 % so that certainty is finite."""
    values = harmonic(A, clamped)
    values = (1 - 2 * BLEND) * values + BLEND * neighbour_mean(A, values)
    return 2 * np.arctanh(values)
