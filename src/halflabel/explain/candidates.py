"""What is worth trying: the edges and the features that may well have carried a node's score."""

from __future__ import annotations

from typing import Any

import numpy as np

from halflabel.explain.neighbourhood import DOUBT
from halflabel.explain.reasons import leaning
from halflabel.explain.surroundings import Surroundings


def edges_to_try(around: Surroundings, centre: int, most: int) -> list[tuple[int, int, int]]:
    """Source, target and number of edges: the node's own, then those that lead on to likely positives.

    Of edges in both directions between two nodes one is named; both are taken away.

    >>> from halflabel import LabelProp
    >>> from halflabel.graph import Graph
    >>> ring = Graph.from_edges(np.arange(12), (np.arange(12) + 1) % 12, np.eye(12))
    >>> model = LabelProp(prior=0.5, folds=1).fit(ring, np.arange(12) < 4)
    >>> [edge[:2] for edge in edges_to_try(Surroundings.of(model), 0, most=3)]
    [(0, 1), (11, 0), (1, 2)]
    """
    own = around.steps_from(np.array([centre]))
    ease = around.strength[own.edge] / max(float(around.strength[own.edge].sum()), 1e-300)
    first = own.edge[np.lexsort((own.edge, -ease))]
    nearest, place = np.unique(own.end, return_inverse=True)
    reached = np.bincount(place, ease, minlength=len(nearest))
    on = around.steps_from(nearest)
    row = np.searchsorted(nearest, on.start)
    leaving = np.bincount(row, around.strength[on.edge], minlength=len(nearest))
    interest = DOUBT + np.maximum(around.probability[on.end], around.known[on.end])
    carried = reached[row] * around.strength[on.edge] / np.maximum(leaving[row], 1e-300) * interest
    onward = np.lexsort((on.edge, -carried))
    second = on.edge[onward[on.end[onward] != centre]]
    kept = dict.fromkeys(first[: max(1, 2 * most // 3)].tolist())
    kept |= dict.fromkeys([*second[:most].tolist(), *first.tolist()])
    return _one_a_pair(around, list(kept), most)


def features_to_try(model: Any, centre: int, most: int) -> np.ndarray:
    """Features whose values are unusual in a way that goes along with the score, either way."""
    leans = np.abs(leaning(model, [centre])[0])
    order = np.argsort(-leans, kind="stable")[:most]
    differs = np.flatnonzero(leans[order] > 0)
    return order[differs] if len(differs) else order[:1]


def _one_a_pair(around: Surroundings, edges: list[int], most: int) -> list[tuple[int, int, int]]:
    source = np.searchsorted(around.graph.indptr, edges, side="right") - 1
    target = around.graph.indices[edges]
    chosen: dict[tuple[int, int], tuple[int, int, int]] = {}
    for a, b, edge in zip(source.tolist(), target.tolist(), edges, strict=True):
        chosen.setdefault((min(a, b), max(a, b)), (a, b, edge))
    return list(chosen.values())[:most]
