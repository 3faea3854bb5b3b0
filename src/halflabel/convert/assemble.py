"""The last step of every way in: end points as positions, weights, ids and features become a Graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from halflabel.convert.structure import structural_features
from halflabel.errors import DataError
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds
from halflabel.order import sort_by_id


def assemble(
    source: np.ndarray,
    target: np.ndarray,
    *,
    ids: NodeIds,
    X: Features | None = None,
    feature_names: Sequence[str] | None = None,
    weight: np.ndarray | None = None,
    directed: bool = True,
    notes: Sequence[str] = (),
    place: Callable[[int], str] = "edge {:,}".format,
) -> Graph:
    """Check the weights, add reversed edges if the graph is undirected, and features if there are none.

    `place` names an edge in messages, given its position.

    >>> graph = assemble(np.array([0, 1]), np.array([1, 2]), ids=NodeIds(["a", "b", "c"]), directed=False)
    >>> graph
    Graph(3 nodes, 4 directed edges, 4 features)
    >>> graph.notes
    ('no node features: used degree, clustering, core number and a spectral embedding instead',)
    """
    if not len(ids):
        raise DataError("The graph has no nodes.")
    notes = list(notes)
    if weight is not None:
        kept = check_weights(weight, place) > 0
        if zero := int(len(kept) - np.count_nonzero(kept)):
            notes.append(f"dropped {zero:,} edge{'s' * (zero > 1)} of weight zero")
            source, target, weight = source[kept], target[kept], weight[kept]
    if not directed:
        back = source != target  # a self-loop is its own reverse
        source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
        weight = None if weight is None else np.concatenate([weight, weight[back]])
    if X is not None and X.shape[1]:
        return Graph.from_edges(
            source, target, X, weight=weight, ids=ids, feature_names=feature_names, notes=notes)
    notes.append("no node features: used degree, clustering, core number and a spectral embedding instead")
    bare = Graph.from_edges(source, target, np.zeros((len(ids), 1)), weight=weight, ids=ids, notes=notes)
    # The spectral embedding has a random start: in what order nodes are listed must not change it.
    ordered, listing = sort_by_id(bare)
    structure, names = structural_features(ordered.adjacency)
    return replace(bare, X=listing.restore_nodes(structure), feature_names=tuple(names))


def check_weights(weight: np.ndarray, place: Callable[[int], str]) -> np.ndarray:
    """Return the weights if all are finite and not negative; else name the first that is not.

    >>> check_weights(np.array([1.0, -2.0]), "edges.csv row {:,}".format)
    Traceback (most recent call last):
    halflabel.errors.DataError: edges.csv row 1: weight -2.0. Weights must be finite numbers >= 0.
    """
    with np.errstate(over="ignore"):
        bad = ~(np.isfinite(weight.astype(np.float32)) & (weight >= 0))
    if bad.any():
        first = int(np.argmax(bad))
        got = "is missing" if np.isnan(weight[first]) else str(weight[first])
        raise DataError(f"{place(first)}: weight {got}. Weights must be finite numbers >= 0.")
    return weight
