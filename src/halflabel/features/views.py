"""Other looks at the same nodes: graphs whose features say something else about each of them.

Views that are nearly independent given the class let one estimate the prior without a region free of
negatives (`two_view`), and none of them wins on every graph.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from halflabel.graph import Features, Graph


def neighbour_view(graph: Graph) -> Graph:
    """Each node described by the mean of its neighbours' features, and not by its own.

    >>> graph = Graph.from_edges([0, 0], [1, 2], np.array([[9.0], [1.0], [3.0]]))
    >>> neighbour_view(graph).X.tolist()
    [[2.0], [9.0], [9.0]]
    """
    X = compact(averaging(graph) @ graph.X)
    names = tuple(f"neighbours' {name}" for name in graph.names())
    return replace(graph, X=X, feature_names=names)


def averaging(graph: Graph) -> sparse.csr_array:
    """The matrix that takes each node's weighted mean over its neighbours; rows of isolated nodes are zero.

    >>> averaging(Graph.from_edges([0, 0], [1, 2], np.eye(3))).toarray().tolist()
    [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    adjacency = graph.symmetric()
    degree = np.asarray(adjacency.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(degree, 1e-12)).tocsr() @ adjacency)


def compact(X: Features) -> Features:
    """In single precision, and dense where a quarter is filled: dense products are then the faster ones.

    >>> type(compact(sparse.csr_array(np.eye(2)))).__name__
    'ndarray'
    """
    if not isinstance(X, np.ndarray) and 4 * X.nnz >= np.prod(X.shape):
        X = X.toarray()
    return X.astype(np.float32)


def link_view(graph: Graph) -> Graph:
    """Each node described by whom it links to: its row of the directed adjacency, and of the reverse.

    >>> graph = Graph.from_edges([0], [1], np.eye(2))
    >>> link_view(graph).X.toarray().tolist()
    [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
    """
    forward = graph.adjacency
    links = forward != 0
    X = sparse.hstack([links, links.T], format="csr")
    names = tuple(f"{way} {i}" for way in ("links to", "linked from") for i in range(graph.n_nodes))
    return replace(graph, X=sparse.csr_array(X, dtype=np.float32), feature_names=names)
