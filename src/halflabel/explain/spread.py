"""Scores by methods without a network, had the graph fewer edges: labels are spread again over all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from halflabel.explain.local import Change
from halflabel.explain.surroundings import Surroundings
from halflabel.folds import Folds
from halflabel.graph import Graph
from halflabel.order import arrange


class SpreadScores:
    """Scores a node of a transductive method again; features do not enter.

    >>> from halflabel import LabelProp
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = LabelProp().fit(graph, payments_positives(y))
    >>> bool(SpreadScores(model, 427).scores([Change()])[0] == model.scores_[427])
    True
    """

    def __init__(self, model: Any, centre: int):
        self._model, self._centre = model, centre
        self._graph = Surroundings.of(model).graph

    @property
    def size(self) -> int:
        """Nodes that one score takes."""
        return self._graph.n_nodes

    @property
    def drift(self) -> float:
        """How far the unchanged graph is from the fitted score: the same computation gives the same."""
        return 0.0

    def scores(self, changes: Sequence[Change]) -> np.ndarray:
        """The node's score without each of several edges."""
        return np.array([self._spread(without_edge(self._graph, change.edge)) for change in changes])

    def _spread(self, graph: Graph) -> float:
        again = clone(self._model)
        if hasattr(self._model, "walks_"):  # a choice that fitting made
            again.set_params(walks=self._model.walks_)
        again.history_ = []
        ordered, listing = arrange(graph)
        problem = again.pose(ordered, self._model._known)
        rng = np.random.default_rng(again.random_state)
        folds = Folds.draw(problem.positive, problem.unlabelled, again.folds, rng)
        scores = again._spread(problem, ordered, folds).mean(axis=0)
        return float(listing.restore_nodes(scores)[self._centre])


def without_edge(graph: Graph, ends: tuple[int, int] | None) -> Graph:
    """A graph without the edges between two nodes, whichever way they go.

    >>> without_edge(Graph.from_edges([0, 1, 1], [1, 0, 2], np.eye(3)), (0, 1))
    Graph(3 nodes, 1 directed edges, 3 features)
    """
    if ends is None:
        return graph
    gone = [place for a, b in (ends, ends[::-1])
            for place in range(graph.indptr[a], graph.indptr[a + 1]) if graph.indices[place] == b]
    indptr = graph.indptr.copy()
    for place in gone:
        indptr[np.searchsorted(graph.indptr, place, side="right") :] -= 1
    weight = None if graph.edge_weight is None else np.delete(graph.edge_weight, gone)
    return replace(graph, indptr=indptr, indices=np.delete(graph.indices, gone), edge_weight=weight)
