"""Who is around a node of a fitted graph: both directions of every edge, without touching the other nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.methods.inductive import InductiveNetwork

EXACT = 2  # steps within which every node is met
CROWD = 2_000  # nodes from which a walk goes on after that: the most visited


class Steps(NamedTuple):
    """Single steps along edges, either way: from whom, to whom, and which directed edge was taken."""

    start: np.ndarray
    end: np.ndarray
    edge: np.ndarray


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The fitted graph as an explanation walks through it.

    `trust` has the learned weight of every directed edge, in the order of the graph; ones, where the method
    learned none. `known` and `probability` are of all nodes.
    """

    graph: Graph
    known: np.ndarray
    probability: np.ndarray
    flagged: np.ndarray
    trust: np.ndarray
    carried: bool  # whether what passes along an edge is multiplied by the trust in it

    @classmethod
    def of(cls, model: Any) -> Self:
        """Those of a fitted model; made once, because edges have to be sorted by their targets for it."""
        check_is_fitted(model)
        if model._graph is None:
            raise DataError("the model has no graph: it was loaded from its own files, which hold none. "
                            "Open the run (halflabel.open_run) or fit again.")
        kept = _MADE.get(model)
        if kept is None or kept[0] is not model.scores_:
            kept = _MADE[model] = (model.scores_, cls._make(model))
        return kept[1]

    @classmethod
    def _make(cls, model: Any) -> Self:
        graph = model._graph
        known = np.zeros(graph.n_nodes, dtype=bool)
        known[graph.nodes] = model._known
        weight = getattr(model, "edge_weight_", None)
        trust = np.ones(graph.n_edges, dtype=np.float32) if weight is None else weight
        flagged = (model.decision_function() > 0) & ~known
        carried = isinstance(model, InductiveNetwork)
        return cls(graph, known, model.predict_proba()[:, 1], flagged, trust, carried)

    @cached_property
    def ease(self) -> np.ndarray:
        """How readily a walk takes each directed edge: the weight in the data times the learned one."""
        return self._amount * self.trust

    @cached_property
    def strength(self) -> np.ndarray:
        """How much can pass along each directed edge.

        The same, unless scores do not pass through the learned weights (of Auto they are a verdict on an
        edge, found afterwards): then the weight in the data alone.
        """
        return self.ease if self.carried else self._amount

    @cached_property
    def _amount(self) -> np.ndarray:
        amount = self.graph.edge_weight
        return np.ones(self.graph.n_edges) if amount is None else np.asarray(amount, dtype=np.float64)

    @cached_property
    def _incoming(self) -> sparse.csr_array:
        """Row i lists who points at node i; its values are numbers of directed edges."""
        graph = self.graph
        numbered = np.arange(graph.n_edges, dtype=np.int64)
        forward = sparse.csr_array((numbered, graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
        return sparse.csr_array(forward.T.tocsr())

    def steps_from(self, nodes: np.ndarray) -> Steps:
        """All steps that lead away from some nodes, along edges and against them."""
        graph, incoming = self.graph, self._incoming
        start, at = entries(graph.indptr, nodes)
        back, entry = entries(incoming.indptr, nodes)
        return Steps(np.concatenate([start, back]),
                     np.concatenate([graph.indices[at], incoming.indices[entry]]).astype(np.int64),
                     np.concatenate([at, incoming.data[entry]]))

    def walk(self, position: int, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Who is within reach: their positions, how many steps away, and how close.

        `closeness` is the chance that a walk of one to `steps` steps, all lengths alike, ends there; it takes
        an edge as readily as its weight and the trust in it are large. Within two steps every node is met,
        further away those that the most travelled ways lead to.
        """
        here, mass = np.array([position]), np.ones(1)
        met, first, total = here, np.zeros(1, dtype=np.int64), np.zeros(1)
        for step in range(1, steps + 1):
            if step > EXACT and len(here) > CROWD:
                most = np.sort(np.argsort(-mass, kind="stable")[:CROWD])
                here, mass = here[most], mass[most]
            here, mass = self._spread(here, mass)
            everyone = np.union1d(met, here)
            old, new = np.searchsorted(everyone, met), np.searchsorted(everyone, here)
            reached, sums = np.full(len(everyone), step), np.zeros(len(everyone))
            reached[old], sums[old] = first, total
            sums[new] += mass / steps
            met, first, total = everyone, reached, sums
        return met, first, total

    def _spread(self, here: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        taken = self.steps_from(here)
        ease = self.ease[taken.edge]
        row = np.searchsorted(here, taken.start)
        leaving = np.bincount(row, ease, minlength=len(here))
        arriving = ease * (mass / np.maximum(leaving, 1e-300))[row]
        there, place = np.unique(taken.end, return_inverse=True)
        return there, np.bincount(place, arriving, minlength=len(there))


def entries(indptr: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row, and the place among all entries, of every entry in some rows of a compressed matrix.

    >>> rows, places = entries(np.array([0, 2, 2, 5]), np.array([0, 2]))
    >>> rows.tolist(), places.tolist()
    ([0, 0, 2, 2, 2], [0, 1, 2, 3, 4])
    """
    lengths = indptr[rows + 1] - indptr[rows]
    before = np.cumsum(lengths) - lengths
    places = np.arange(lengths.sum()) + np.repeat(indptr[rows] - before, lengths)
    return np.repeat(rows, lengths), places


_MADE: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
