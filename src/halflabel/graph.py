"""Graph: who is connected to whom, what is known of each node, and which nodes are in focus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from halflabel.compress import EdgeSorter, Rows
from halflabel.ends import check_positions, note_zero_weights, weigh_something
from halflabel.errors import DataError
from halflabel.features.diskrows import is_on_disk
from halflabel.features.encoding import Encoding
from halflabel.ids import NodeIds

Features = np.ndarray | sparse.csr_array


@dataclass(frozen=True, eq=False)
class Graph:
    """A directed graph in compressed rows, with features and ids for its nodes.

    Row i of the structure lists the targets of node i, sorted, each once, without i itself. Slicing selects
    the nodes in focus (those with a label to learn from, or a score to return) and never cuts an edge, so
    scikit-learn's cross-validation splits the nodes while the network still sees the whole graph.

    >>> graph = Graph.from_edges([0, 1, 1], [1, 2, 1], X=np.eye(3))
    >>> graph
    Graph(3 nodes, 2 directed edges, 3 features)
    >>> graph.notes
    ('dropped 1 self-loop',)
    >>> len(graph[[0, 2]]), graph[[0, 2]].n_nodes
    (2, 3)
    """

    indptr: np.ndarray
    indices: np.ndarray
    X: Features
    ids: NodeIds
    edge_weight: np.ndarray | None = None
    feature_names: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    focus: np.ndarray | None = None
    encoding: Encoding | None = None  # how features came about, where they come from a table, or from nothing

    @classmethod
    def from_edges(
        cls,
        source: Sequence[int] | np.ndarray,
        target: Sequence[int] | np.ndarray,
        X: Features,
        *,
        weight: np.ndarray | None = None,
        ids: NodeIds | None = None,
        feature_names: Sequence[str] | None = None,
        notes: Sequence[str] = (),
    ) -> Graph:
        """Build from edge end points given as positions.

        Merges duplicates, drops self-loops and edges of weight zero, and notes all of it.
        """
        X = _as_features(X)
        n = X.shape[0]
        source, target = check_positions(source, "source", n), check_positions(target, "target", n)
        if len(source) != len(target) or (weight is not None and len(weight) != len(source)):
            weights = "" if weight is None else f" and {len(weight):,} weights"
            raise DataError(f"Every edge needs both ends: got {len(source):,} sources, "
                            f"{len(target):,} targets{weights}.")
        if weight is not None:
            weight = np.asarray(weight)
            kept = weigh_something(weight)
            notes = [*notes, *note_zero_weights(int(len(kept) - kept.sum()))]
            source, target, weight = source[kept], target[kept], weight[kept]
        edges = EdgeSorter(weighted=weight is not None)
        edges.add(source, target, weight)
        return cls.from_rows(edges.rows(n), X, ids=ids, feature_names=feature_names, notes=notes)

    @classmethod
    def from_rows(
        cls,
        rows: Rows,
        X: Features,
        *,
        ids: NodeIds | None = None,
        feature_names: Sequence[str] | None = None,
        notes: Sequence[str] = (),
    ) -> Graph:
        """Build from edges that are compressed already; note what that changed."""
        X = _as_features(X)
        n = X.shape[0]
        names = tuple(map(str, feature_names)) if feature_names is not None else None
        if names is not None and len(names) != X.shape[1]:
            raise DataError(f"{len(names)} feature names for {X.shape[1]} feature columns.")
        ids = NodeIds.range(n) if ids is None else ids
        if len(ids) != n:
            raise DataError(f"{len(ids):,} node ids for {n:,} rows of features.")
        return cls(
            indptr=rows.indptr,
            indices=rows.indices,
            edge_weight=rows.weight,
            X=X,
            ids=ids,
            feature_names=names,
            notes=(*notes, *rows.notes()),
        )

    @property
    def n_nodes(self) -> int:
        """Number of nodes, in focus or not."""
        return len(self.indptr) - 1

    @property
    def n_edges(self) -> int:
        """Number of directed edges."""
        return len(self.indices)

    @property
    def nodes(self) -> np.ndarray:
        """Positions of the nodes in focus."""
        return np.arange(self.n_nodes) if self.focus is None else self.focus

    @property
    def shape(self) -> tuple[int, int]:
        """(nodes in focus, features), as scikit-learn expects of an X."""
        return len(self), self.X.shape[1]

    @property
    def adjacency(self) -> sparse.csr_array:
        """The directed adjacency as a scipy matrix; weights are one where none are known."""
        data = np.ones(self.n_edges, dtype=np.float32) if self.edge_weight is None else self.edge_weight
        return sparse.csr_array((data, self.indices, self.indptr), shape=(self.n_nodes, self.n_nodes))

    @property
    def lacks_features(self) -> bool:
        """Whether it has none of its own, so that its structure stands in for them."""
        return self.encoding is not None and self.encoding.structure is not None

    def symmetric(self) -> sparse.csr_array:
        """The undirected adjacency: an edge either way counts, with the larger of its two weights."""
        forward = self.adjacency
        both = forward.maximum(forward.T.tocsr())
        both.sort_indices()
        return both

    def names(self) -> tuple[str, ...]:
        """Feature names, numbered where the data has none."""
        return self.feature_names or tuple(f"x{i}" for i in range(self.X.shape[1]))

    def __len__(self) -> int:
        return self.n_nodes if self.focus is None else len(self.focus)

    def __getitem__(self, selection: Any) -> Graph:
        return replace(self, focus=np.atleast_1d(self.nodes[selection]))

    def __repr__(self) -> str:
        focus = "" if self.focus is None else f", {len(self):,} in focus"
        return (f"Graph({self.n_nodes:,} nodes, {self.n_edges:,} directed edges, "
                f"{self.X.shape[1]:,} features{focus})")


def _as_features(X: Any) -> Features:
    if sparse.issparse(X):
        return sparse.csr_array(X, dtype=np.float32)
    # A memory-mapped matrix stays where it is; methods that cannot work with it there read it as an array.
    X = X if is_on_disk(X) and X.dtype == np.float32 else np.asarray(X, dtype=np.float32)
    if X.ndim != 2:
        raise DataError(f"Features must be a matrix of shape (nodes, features); got shape {X.shape}.")
    return X


def dense(X: Features) -> np.ndarray:
    """Features as a plain array.

    >>> dense(sparse.csr_array(np.eye(2))).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return X if isinstance(X, np.ndarray) else X.toarray()
