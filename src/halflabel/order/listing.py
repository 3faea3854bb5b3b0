"""One order of the nodes, by id: what is learned from a graph must not depend on how its nodes were listed.

Folds, dropout and sums of floating-point numbers go by position. Methods therefore see the nodes sorted by
id, and what they find is put back in the order of the data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from halflabel.diskrows import is_on_disk, reordered
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds
from halflabel.order.locality import memory_order

# Fitted attributes with a value for each node, or for each directed edge, of the graph.
NODE_VALUES = ("scores_", "out_of_fold_", "fold_")
EDGE_VALUES = ("edge_weight_",)


@dataclass(frozen=True)
class Listing:
    """How the data listed what is now sorted: the former place of every node, and of every directed edge.

    >>> Listing(nodes=np.array([2, 0, 1]), edges=np.array([], dtype=int)).restore_nodes(np.array([7, 8, 9]))
    array([8, 9, 7])
    """

    nodes: np.ndarray | None = None  # None where the data was sorted already
    edges: np.ndarray | None = None

    def followed_by(self, later: Listing) -> Listing:
        """Two changes of order as one.

        >>> first, later = (Listing(np.array(places), np.array([0])) for places in ([2, 0, 1], [1, 2, 0]))
        >>> first.followed_by(later).nodes.tolist()
        [0, 1, 2]
        """
        if self.nodes is None or self.edges is None:
            return later
        return Listing(self.nodes[later.nodes], self.edges[later.edges])

    def restore_nodes(self, values: np.ndarray) -> np.ndarray:
        """One value for each node, from sorted order to that of the data."""
        return values if self.nodes is None else _restored(values, self.nodes)

    def restore_edges(self, values: np.ndarray) -> np.ndarray:
        """One value for each directed edge, from sorted order to that of the data."""
        return values if self.edges is None else _restored(values, self.edges)

    def restore(self, model: object) -> None:
        """All that a model says of nodes and edges, from sorted order to that of the data."""
        fitted = vars(model)
        fitted |= {name: self.restore_nodes(fitted[name]) for name in NODE_VALUES if name in fitted}
        fitted |= {name: self.restore_edges(fitted[name]) for name in EDGE_VALUES if name in fitted}


def forget(model: object) -> None:
    """Take away what an earlier fit said of nodes and edges: the next one may say less, or of other data."""
    for name in (*NODE_VALUES, *EDGE_VALUES, "_rows", "_graph", "_known"):
        vars(model).pop(name, None)


def sort_by_id(graph: Graph) -> tuple[Graph, Listing]:
    """The same graph with its nodes sorted by id, and the way back; a sorted graph is returned as it is.

    The nodes in focus, all or some, are listed as before: labels for the one graph are labels for the other.

    >>> graph = Graph.from_edges([0], [1], np.array([[1.0], [2.0]]), ids=NodeIds(["b", "a"]))
    >>> ordered, listing = sort_by_id(graph)
    >>> ordered.ids[0], ordered.X.tolist(), ordered.indices.tolist(), listing.nodes.tolist()
    ('a', [[2.0], [1.0]], [0], [1, 0])
    """
    order = sorting(graph.ids)
    return (graph, Listing()) if order is None else _reordered(graph, order)


def arrange(graph: Graph) -> tuple[Graph, Listing]:
    """Nodes sorted by id, and those of a large graph then as products are fastest; and the way back.

    >>> graph = Graph.from_edges([0], [1], np.array([[1.0], [2.0]]), ids=NodeIds(["b", "a"]))
    >>> arrange(graph)[0].ids[0]
    'a'
    """
    ordered, listing = sort_by_id(graph)
    # After sorting, or the order would depend on how the nodes were listed.
    order = memory_order(ordered)
    if order is None:
        return ordered, listing
    ordered, again = _reordered(ordered, order)
    return ordered, listing.followed_by(again)


def _reordered(graph: Graph, order: np.ndarray) -> tuple[Graph, Listing]:
    n = graph.n_nodes
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    rows = np.repeat(place, np.diff(graph.indptr))
    edges = np.argsort(rows * np.int64(n) + place[graph.indices])
    ordered = replace(
        graph,
        indptr=np.concatenate([[0], np.cumsum(np.diff(graph.indptr)[order])]),
        indices=place[graph.indices][edges].astype(np.int32),
        X=_rows_in_order(graph.X, order),
        ids=graph.ids.reordered(order),
        edge_weight=None if graph.edge_weight is None else graph.edge_weight[edges],
        focus=place[graph.nodes],
    )
    # Kept until the answer is put back, while the fit needs its memory.
    return ordered, Listing(order, edges.astype(np.int32) if len(edges) < 2**31 else edges)


def sorting(ids: NodeIds) -> np.ndarray | None:
    """Positions of the ids in ascending order, or None if that is the order they are in.

    Ids of different types, which do not compare, are sorted by what str() makes of them.

    >>> sorting(NodeIds(["a", "b"])), sorting(NodeIds([30, 4])).tolist()
    (None, [1, 0])
    """
    values: Any = ids.values
    if isinstance(values, pa.Array):
        if len(values) < 2 or pc.all(pc.less(values.slice(0, len(values) - 1), values.slice(1))).as_py():
            return None
        return pc.array_sort_indices(values).to_numpy().astype(np.int64)
    try:
        order = sorted(range(len(values)), key=values.__getitem__)
    except TypeError:
        order = sorted(range(len(values)), key=lambda i: (str(values[i]), type(values[i]).__name__))
    return None if order == list(range(len(values))) else np.array(order)


def _rows_in_order(X: Features, order: np.ndarray) -> Features:
    return reordered(X, order) if isinstance(X, np.ndarray) and is_on_disk(X) else X[order]


def _restored(values: np.ndarray, former: np.ndarray) -> np.ndarray:
    back = np.empty_like(values)
    back[former] = values
    return back
