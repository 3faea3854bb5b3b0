"""Scores by methods without a network, had the graph fewer edges: labels are spread again over all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from halflabel.explain.local import Change
from halflabel.explain.surroundings import Surroundings
from halflabel.graph import Graph
from halflabel.order import arrange
from halflabel.training.folds import Folds


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

    def reaches(self, positions: np.ndarray) -> np.ndarray:
        """Which of some nodes matter to the score: any may."""
        return np.ones(len(positions), dtype=bool)

    @property
    def drift(self) -> float:
        """How far the unchanged graph is from the fitted score: the same computation gives the same."""
        return 0.0

    def scores(self, changes: Sequence[Change]) -> np.ndarray:
        """The node's score under each of several changes."""
        return np.array([self._spread(without(self._graph, change)) for change in changes])

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


def without(graph: Graph, change: Change) -> Graph:
    """A graph without the edges that a change takes away.

    >>> ring = Graph.from_edges([0, 1, 1], [1, 0, 2], np.eye(3))
    >>> without(ring, Change(edge=(0, 1))), without(ring, Change(node=1))
    (Graph(3 nodes, 1 directed edges, 3 features), Graph(3 nodes, 0 directed edges, 3 features))
    """
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    kept = ~change.takes(source, graph.indices)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(source[kept], minlength=graph.n_nodes))])
    weight = None if graph.edge_weight is None else graph.edge_weight[kept]
    return replace(graph, indptr=indptr, indices=graph.indices[kept], edge_weight=weight)
