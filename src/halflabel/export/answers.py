"""What a fitted model says of every node and every edge of its graph, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halflabel.base import PUNodeClassifier
from halflabel.errors import DataError
from halflabel.graph import Graph


@dataclass(frozen=True)
class Answers:
    """In the order of the graph's nodes and edges; `rank` counts from 1, and is 0 for known positives."""

    graph: Graph
    score: np.ndarray
    probability: np.ndarray
    rank: np.ndarray
    known: np.ndarray
    flagged: np.ndarray
    trust: np.ndarray

    @classmethod
    def of(cls, model: PUNodeClassifier) -> Answers:
        """Ask a fitted model about the graph it was fitted on.

        >>> from halflabel import Naive
        >>> from halflabel.datasets import payments, payments_positives
        >>> graph, y = payments()
        >>> answers = Answers.of(Naive(epochs=5).fit(graph, payments_positives(y)))
        >>> int(answers.rank.max()) == len(y) - 60, bool((answers.rank[answers.known] == 0).all())
        (True, True)
        """
        if not isinstance(model, PUNodeClassifier):
            raise DataError(f"Expected a fitted method, such as GPL(); got {type(model).__name__}.")
        probability = model.predict_proba()[:, 1]
        if model._graph is None or model._known is None:
            raise DataError(
                "The model does not know its graph: it was loaded, or several processes fitted it, each with "
                "a part. Fit it here, or take the model of halflabel.open_run(...), which has the graph.")
        known = np.zeros(model._graph.n_nodes, dtype=bool)
        known[model._graph.nodes] = model._known
        graph = replace(model._graph, focus=None)
        # A method that learns no edge weights trusts every edge alike.
        trust = getattr(model, "edge_weight_", np.ones(graph.n_edges, dtype=np.float32))
        flagged = (model.predict() == model.classes_[1]) & ~known
        return cls(graph, model.scores_, probability, _ranks(model.scores_, known), known, flagged, trust)

    @property
    def order(self) -> np.ndarray:
        """Positions of the nodes, best rank first, then the known positives."""
        return _order(self.score, self.known)

    def of_nodes(self) -> dict[str, list[Any]]:
        """Columns of Python values; no rank is None."""
        return {
            "score": self.score.tolist(),
            "probability": self.probability.tolist(),
            "rank": [rank or None for rank in self.rank.tolist()],
            "known_positive": self.known.tolist(),
            "flagged": self.flagged.tolist(),
        }


def sources(graph: Graph) -> np.ndarray:
    """Position of the node that each edge starts from; `graph.indices` has where it ends.

    >>> sources(Graph.from_edges([2, 0, 2], [1, 1, 0], X=np.eye(3))).tolist()
    [0, 2, 2]
    """
    return np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))


def _order(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    return np.lexsort((-scores, known))  # a stable sort: the last key decides first


def _ranks(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Of equal scores the node that comes first in the graph wins, as in scores.csv."""
    order = _order(scores, known)
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[order] = np.arange(1, len(scores) + 1)
    return np.where(known, 0, ranks)
