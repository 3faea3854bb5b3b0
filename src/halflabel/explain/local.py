"""Scores of one node, had it other features or had the graph fewer edges: nothing is trained.

A copy of the node's surroundings is scored instead of the whole graph, many changed copies in one pass. Nodes
beyond two steps are lumped into one average node, tied to those at the rim so strongly that every degree is
what it is in the whole graph: networks that look two steps far score the copy as they do the whole graph.
A network that looks further gets the whole graph, if it is small; of a large one, and for the many of Auto,
what is up to four steps away, and only what is further is averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from halflabel.explain.surroundings import EXACT, Steps, Surroundings
from halflabel.explain.usual import Usual
from halflabel.graph import Graph, dense
from halflabel.ids import NodeIds
from halflabel.training.threads import threads_for

MOST = 2_000  # nodes of the copy: the closest
FURTHER, ENOUGH = 4, 600  # steps, and nodes, of those of networks that look further than two
SMALL = 5_000  # nodes of a graph that can be scored as a whole
AT_ONCE = 8_000  # nodes in one pass
OUTSIDE = "(everybody further away)"  # an id that no fitted node should have


@dataclass(frozen=True)
class Change:
    """What to try: features at their usual values, the edges between two nodes or all of one taken away.

    >>> Change(node=1).takes(np.array([0, 1, 2]), np.array([1, 2, 0])).tolist()
    [True, True, False]
    """

    features: frozenset[int] = frozenset()
    edge: tuple[int, int] | None = None
    node: int | None = None

    def takes(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Which of some edges are taken away, whichever way they go."""
        gone = np.zeros(len(source), dtype=bool)
        if self.node is not None:
            gone |= (source == self.node) | (target == self.node)
        for one, other in (self.edge, self.edge[::-1]) if self.edge else ():
            gone |= (source == one) & (target == other)
        return gone


class LocalScores:
    """Scores a node under changes; without any, as the fit did.

    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=2, warmup=5).fit(graph, payments_positives(y))
    >>> local = LocalScores(model, 427)
    >>> bool(local.scores([Change()])[0] == model.scores_[427]), bool(abs(local.drift) < 1e-3)
    (True, True)
    """

    def __init__(self, model: Any, centre: int):
        around = Surroundings.of(model)
        self._model, self._centre = model, centre
        self._nodes = self._surrounding(around)
        taken = around.steps_from(self._nodes)
        inside = np.isin(taken.end, self._nodes)
        self._inner_edges(around, np.unique(taken.edge[inside]))
        self._rim(around, Steps(*(part[~inside] for part in taken)))
        self._median = Usual.of(model).median
        self._X = _with_average(around.graph.X[self._nodes], Usual.of(model))
        self._ids = [*map(str, around.graph.ids.take(self._nodes)), OUTSIDE]
        self._names = around.graph.feature_names

    def _surrounding(self, around: Surroundings) -> np.ndarray:
        n, network = around.graph.n_nodes, getattr(self._model, "network_", None)
        looks_far = getattr(network or self._model, "radius", EXACT) > EXACT
        if looks_far and network is not None and n <= SMALL:
            return np.arange(n)
        met, steps, closeness = around.walk(self._centre, FURTHER if looks_far else EXACT)
        near = int((steps <= EXACT).sum())
        order = np.lexsort((met, -closeness, np.minimum(steps, EXACT + 1)))
        return np.sort(met[order[: min(max(near, ENOUGH), MOST)]])

    def _inner_edges(self, around: Surroundings, edge: np.ndarray) -> None:
        graph = around.graph
        ends = np.searchsorted(graph.indptr, edge, side="right") - 1, graph.indices[edge]
        self._source, self._target = (np.searchsorted(self._nodes, side) for side in ends)
        self._weight = np.ones(len(edge)) if graph.edge_weight is None else graph.edge_weight[edge]

    def _rim(self, around: Surroundings, leaving: Steps) -> None:
        """Edges from the rim to the average node, with the weight of all edges that lead outside."""
        amount = around.graph.edge_weight
        weight = np.ones(len(leaving.edge)) if amount is None else amount[leaving.edge].astype(np.float64)
        if around.carried and len(around.trust):
            # Networks multiply weights by what was learned; an edge they have never seen gets the mean.
            weight = weight * around.trust[leaving.edge] / max(float(around.trust.mean()), 1e-12)
        # Of two edges in opposite directions networks see one, with the larger weight.
        order = np.lexsort((-weight, leaving.end, leaving.start))
        start, end, weight = leaving.start[order], leaving.end[order], weight[order]
        new = np.ones(len(start), dtype=bool)
        new[1:] = (np.diff(start) != 0) | (np.diff(end) != 0)
        place = np.searchsorted(self._nodes, start[new])
        strength = np.bincount(place, weight[new], minlength=len(self._nodes))
        rim = np.flatnonzero(strength)
        self._source = np.concatenate([self._source, rim])
        self._target = np.concatenate([self._target, np.full(len(rim), len(self._nodes))])
        self._weight = np.concatenate([self._weight, strength[rim]])

    @property
    def size(self) -> int:
        """Nodes that one score takes."""
        return len(self._ids)

    def reaches(self, positions: np.ndarray) -> np.ndarray:
        """Which of some nodes are in the copy: changes of others cannot be told."""
        return np.isin(positions, self._nodes)

    @property
    def drift(self) -> float:
        """How far the unchanged copy is from the fitted score; changes are counted from the copy's."""
        return self._unchanged - float(self._model.scores_[self._centre])

    @cached_property
    def _unchanged(self) -> float:
        return float(self._pass([Change()])[0])

    def scores(self, changes: Sequence[Change]) -> np.ndarray:
        """The node's score under each of several changes."""
        at_once = max(1, AT_ONCE // len(self._ids))
        parts = [self._pass(changes[i : i + at_once]) for i in range(0, len(changes), at_once)]
        local = np.concatenate(parts) if parts else np.zeros(0)
        fitted = float(self._model.scores_[self._centre])
        # One pass more or less rounds differently: what does not change must not seem to.
        moved = local - self._unchanged
        return fitted + np.where(np.abs(moved) < 1e-5, 0.0, moved)

    def _pass(self, changes: Sequence[Change]) -> np.ndarray:
        size, place = len(self._ids), int(np.searchsorted(self._nodes, self._centre))
        everybody = np.append(self._nodes, -1)
        ends = everybody[self._source], everybody[self._target]
        kept = [np.flatnonzero(~change.takes(*ends)) for change in changes]
        offset = np.repeat(np.arange(len(changes)) * size, [len(edges) for edges in kept])
        edges = np.concatenate(kept)
        graph = Graph.from_edges(
            self._source[edges] + offset, self._target[edges] + offset, self._features(changes, place),
            weight=self._weight[edges].astype(np.float32), feature_names=self._names,
            ids=NodeIds.different(pa.array(self._ids * len(changes))))
        with threads_for(graph.n_edges):
            return self._model._score_graph(graph)[place::size].astype(np.float64)

    def _features(self, changes: Sequence[Change], place: int) -> Any:
        own = self._X[[place]]
        rows = np.repeat(dense(own), len(changes), axis=0)
        for row, change in zip(rows, changes, strict=True):
            columns = list(change.features)
            row[columns] = self._median[columns]
        at = np.arange(len(changes)) * len(self._ids) + place
        if isinstance(self._X, np.ndarray):
            X = np.tile(self._X, (len(changes), 1))
            X[at] = rows
            return X
        before, after = self._X[:place], self._X[place + 1 :]
        return sparse.vstack([part for row in rows for part in (before, sparse.csr_array(row[None]), after)],
                             format="csr")


def _with_average(X: Any, usual: Usual) -> Any:
    """Some rows, and the mean over unlabelled nodes below."""
    mean = np.asarray(usual.rows.mean(axis=0), dtype=np.float32).reshape(1, -1)
    if isinstance(X, np.ndarray):
        return np.concatenate([np.array(X), mean])
    return sparse.csr_array(sparse.vstack([X, sparse.csr_array(mean)], format="csr"))
