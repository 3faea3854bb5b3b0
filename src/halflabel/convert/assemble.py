"""The last step of every way in: end points as positions, weights, ids and features become a Graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import blake2b

import numpy as np

from halflabel.compress import EdgeSorter
from halflabel.convert.structure import structural_features
from halflabel.ends import check_positions, note_zero_weights, weigh_something
from halflabel.errors import DataError
from halflabel.features.encoding import Encoding
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds
from halflabel.order import sort_by_id

LARGEST_SUM = float(np.finfo(np.float32).max) / 2  # of all weights, so that nowhere a sum is infinite
NO_FEATURES = "no node features: used degree, clustering, core number and a spectral embedding instead"


class EdgeCollector:
    """Takes edges piece by piece, checks their weights, and adds reversed ones if the graph is undirected.

    >>> edges = EdgeCollector(weighted=False, directed=False)
    >>> edges.add(np.array([0, 1]), np.array([1, 2]))
    >>> edges.graph(NodeIds(["a", "b", "c"]), np.eye(3))
    Graph(3 nodes, 4 directed edges, 3 features)
    """

    def __init__(self, weighted: bool, directed: bool = True, name: str = "edges"):
        self._name = name
        self._sorter = EdgeSorter(weighted)
        self._directed = directed
        self._zero = 0

    def add(
        self,
        source: np.ndarray,
        target: np.ndarray,
        weight: np.ndarray | None = None,
        place: Callable[[int], str] = "edge {:,}".format,
    ) -> None:
        """Take some edges; `place` names one of them in messages, given its position."""
        if weight is not None:
            kept = weigh_something(weight, place)
            self._zero += int(len(kept) - np.count_nonzero(kept))
            source, target, weight = source[kept], target[kept], weight[kept]
        self._sorter.add(source, target, weight)
        if not self._directed:
            back = source != target  # a self-loop is its own reverse
            self._sorter.add(target[back], source[back], None if weight is None else weight[back])

    def graph(
        self,
        ids: NodeIds,
        X: Features | None = None,
        feature_names: Sequence[str] | None = None,
        notes: Sequence[str] = (),
        encoding: Encoding | None = None,
    ) -> Graph:
        """The graph of all edges so far; its own structure stands in for features if there are none."""
        if not len(ids):
            raise DataError("The graph has no nodes.")
        notes = [*notes, *note_zero_weights(self._zero)]
        rows = self._sorter.rows(len(ids))
        if rows.weight is not None and (total := rows.weight.sum(dtype=np.float64)) > LARGEST_SUM:
            raise DataError(f"{self._name}: the column of weights adds up to {total:.3g}, more than 32 bits "
                            "can hold. Divide all by the same number: only their proportions matter.")
        if X is not None and X.shape[1]:
            graph = Graph.from_rows(rows, X, ids=ids, feature_names=feature_names, notes=notes)
            return replace(graph, encoding=encoding)
        notes.append(NO_FEATURES)
        bare = Graph.from_rows(rows, np.zeros((len(ids), 1)), ids=ids, notes=notes)
        # The spectral embedding has a random start: in what order nodes are listed must not change it.
        ordered, listing = sort_by_id(bare)
        structure, names = structural_features(ordered.adjacency)
        return replace(bare, X=listing.restore_nodes(structure), feature_names=tuple(names),
                       encoding=Encoding(structure=_hash(ordered)))


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
    encoding: Encoding | None = None,
) -> Graph:
    """A graph from all its edges at once, whose ends are not known to be positions.

    >>> graph = assemble(np.array([0, 1]), np.array([1, 2]), ids=NodeIds(["a", "b", "c"]), directed=False)
    >>> graph
    Graph(3 nodes, 4 directed edges, 4 features)
    >>> graph.notes
    ('no node features: used degree, clustering, core number and a spectral embedding instead',)
    """
    source = check_positions(source, "source", len(ids))
    target = check_positions(target, "target", len(ids))
    edges = EdgeCollector(weight is not None, directed)
    edges.add(source, target, weight)
    return edges.graph(ids, X, feature_names, notes, encoding)


def _hash(graph: Graph) -> str:
    """Of a structure: which node has which edges, in the order of ids, and of what weight."""
    summed = blake2b(digest_size=16)
    for part in (graph.indptr, graph.indices, graph.edge_weight):
        if part is not None:
            summed.update(np.ascontiguousarray(part).data)
    return summed.hexdigest()
