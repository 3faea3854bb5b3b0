"""What is usual among the unlabelled nodes, feature by feature: what a node is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse
from scipy.stats import rankdata

from halflabel.explain.surroundings import Surroundings
from halflabel.graph import dense

VALUES = 2_000_000  # of features that are looked at, in nodes spread evenly over the unlabelled ones
LEAST = 500  # nodes, however many features there are


@dataclass(frozen=True, eq=False)
class Usual:
    """Medians and spreads of the features over unlabelled nodes, and which way each goes with the score.

    `association` is the correlation, from -1 to 1, of a feature with the score over these nodes: of ranks,
    or of values where features are a sparse matrix.

    >>> from halflabel import LabelProp
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> usual = Usual.of(LabelProp().fit(graph, payments_positives(y)))
    >>> float(usual.median[graph.names().index("chargebacks_30d")])
    0.0
    """

    rows: np.ndarray | sparse.csc_array
    median: np.ndarray
    spread: np.ndarray
    association: np.ndarray

    @classmethod
    def of(cls, model: Any) -> Self:
        """As a fitted model sees it; measured once."""
        around = Surroundings.of(model)
        if around not in _MEASURED:
            _MEASURED[around] = cls._measure(around, model.scores_)
        return _MEASURED[around]

    @classmethod
    def _measure(cls, around: Surroundings, scores: np.ndarray) -> Self:
        graph = around.graph
        unlabelled = graph.nodes[~around.known[graph.nodes]]
        count = max(LEAST, VALUES // max(1, graph.X.shape[1]))
        sample = unlabelled[:: -(-len(unlabelled) // count)]
        rows, scores = graph.X[sample], rankdata(scores[sample])
        if not isinstance(rows, np.ndarray):
            columns = sparse.csc_array(rows)
            return cls(columns, _sparse_median(columns), *_moments(rows, scores))
        rows = np.asarray(rows)
        _, association = _moments(rankdata(rows, axis=0), scores)
        return cls(rows, np.median(rows, axis=0), rows.std(axis=0), association)

    def as_far_out(self, feature: int, value: float) -> float:
        """The share of unlabelled nodes whose value is at least as far from the median on the same side."""
        column = self.rows[:, [feature]]
        column = dense(column).ravel()
        above = value >= self.median[feature]
        return float((column >= value if above else column <= value).mean())


def _moments(rows: Any, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviation of every column, and its correlation with the scores."""
    mean = np.asarray(rows.mean(axis=0)).ravel()
    squares = rows.multiply(rows) if sparse.issparse(rows) else rows**2
    spread = np.sqrt(np.maximum(np.asarray(squares.mean(axis=0)).ravel() - mean**2, 0))
    centred = (scores - scores.mean()) / max(scores.std(), 1e-12)
    together = np.asarray(rows.T @ centred).ravel() / len(scores)
    return spread, np.divide(together, spread, out=np.zeros(len(spread)), where=spread > 1e-9)


def _sparse_median(columns: sparse.csc_array) -> np.ndarray:
    """Zero, unless half of a column or more is filled."""
    filled = np.diff(columns.indptr)
    median = np.zeros(columns.shape[1])
    for column in np.flatnonzero(2 * filled >= columns.shape[0]):
        median[column] = np.median(columns[:, [column]].toarray())
    return median


_MEASURED: WeakKeyDictionary[Surroundings, Any] = WeakKeyDictionary()
