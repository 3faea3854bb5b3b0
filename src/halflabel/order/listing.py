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
from scipy import sparse

from halflabel.features.diskrows import is_on_disk, reordered
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds
from halflabel.order.locality import memory_order

# Fitted attributes with a value for each node, or for each directed edge, of the graph.
NODE_VALUES = ("scores_", "out_of_fold_", "fold_")
EDGE_VALUES = ("edge_weight_",)


@dataclass(frozen=True)
class Listing:
    """How the data listed what is now sorted: the former place of every node.

    >>> Listing(np.array([2, 0, 1])).restore_nodes(np.array([7, 8, 9]))
    array([8, 9, 7])
    """

    nodes: np.ndarray | None = None  # None where the data was sorted already

    def followed_by(self, later: Listing) -> Listing:
        """Two changes of order as one.

        >>> Listing(np.array([2, 0, 1])).followed_by(Listing(np.array([1, 2, 0]))).nodes.tolist()
        [0, 1, 2]
        """
        return later if self.nodes is None else Listing(self.nodes[later.nodes])

    def restore_nodes(self, values: np.ndarray) -> np.ndarray:
        """One value for each node, from sorted order to that of the data."""
        if self.nodes is None:
            return values
        back = np.empty_like(values)
        back[self.nodes] = values
        return back

    def restore_edges(self, values: np.ndarray, graph: Graph) -> np.ndarray:
        """One value for each directed edge of the sorted graph, in the order of the data."""
        if self.nodes is None:
            return values
        place = _places(self.nodes)
        return _rows_and_columns(graph, values, rows=place, columns=self.nodes).data

    def restore(self, model: object, graph: Graph) -> None:
        """All that a model says of nodes and edges of the sorted graph, in the order of the data."""
        fitted = vars(model)
        fitted |= {name: self.restore_nodes(fitted[name]) for name in NODE_VALUES if name in fitted}
        fitted |= {name: self.restore_edges(fitted[name], graph) for name in EDGE_VALUES if name in fitted}


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
    place, weight = _places(order), graph.edge_weight
    nothing = np.zeros(graph.n_edges, dtype=np.int8)
    rows = _rows_and_columns(graph, nothing if weight is None else weight, rows=order, columns=place)
    ordered = replace(
        graph,
        indptr=rows.indptr.astype(np.int64),
        indices=rows.indices.astype(np.int32, copy=False),  # beyond 2^31 edges scipy counts in 64 bits
        X=_features_in_order(graph.X, order),
        ids=graph.ids.reordered(order),
        edge_weight=None if weight is None else rows.data,
        focus=place[graph.nodes],
    )
    return ordered, Listing(order)


def _places(order: np.ndarray) -> np.ndarray:
    """Where each node goes, from who stands at each place."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place


def _rows_and_columns(
    graph: Graph, values: np.ndarray, rows: np.ndarray, columns: np.ndarray
) -> sparse.csr_array:
    """Values of the edges, with the rows in another order and other numbers for the columns.

    Targets are sorted and occur once: no permutation of the edges has to be kept, or sorted as a whole.
    """
    target = columns.astype(np.int32)[graph.indices]
    matrix = sparse.csr_array((values, target, graph.indptr), shape=(graph.n_nodes, graph.n_nodes))[rows]
    matrix.sort_indices()
    return matrix


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


def _features_in_order(X: Features, order: np.ndarray) -> Features:
    return reordered(X, order) if isinstance(X, np.ndarray) and is_on_disk(X) else X[order]
