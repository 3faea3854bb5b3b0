"""Sums over walks in an undirected graph, for many starting sets at once: one sparse product a step.

All terms are non-negative, so even the smallest sums keep their leading digits, which an iterative solver
would lose: who is furthest away is decided by just these.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh

from halflabel.edges.adjacency import Adjacency

TINY = float(np.finfo(np.float32).tiny)  # sums below are beyond single precision, in which they are compared


def weighted_matrix(adjacency: Adjacency) -> sparse.csr_array:
    """The graph as a symmetric scipy matrix in double precision."""
    values = adjacency.base.numpy(force=True).astype(np.float64)[adjacency.edge.numpy(force=True)]
    n = adjacency.n_nodes
    return sparse.csr_array(
        (values, adjacency.col.numpy(force=True), adjacency.crow.numpy(force=True)), shape=(n, n))


def normalised(matrix: sparse.csr_array) -> sparse.csr_array:
    """D^-1/2 A D^-1/2, with D the weighted degrees; rows of isolated nodes stay empty.

    >>> path = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]))
    >>> normalised(path).toarray().round(3).tolist()
    [[0.0, 0.707, 0.0], [0.707, 0.0, 0.707], [0.0, 0.707, 0.0]]
    """
    root = np.sqrt(degrees(matrix))
    scale = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    data = matrix.data * np.repeat(scale, np.diff(matrix.indptr)) * scale[matrix.indices]
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def degrees(matrix: sparse.csr_array) -> np.ndarray:
    """Weighted degree of every node."""
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()


def walk_terms(matrix: sparse.csr_array, start: np.ndarray, damping: float) -> Iterator[np.ndarray]:
    """(a M)^k Y for k = 1, 2, ...: in each column of Y, what arrives at every node over walks of length k.

    >>> path = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]))
    >>> terms = walk_terms(path, np.array([[1.0], [0.0], [0.0]]), 0.5)
    >>> next(terms).ravel().tolist(), next(terms).ravel().tolist()
    ([0.0, 0.5, 0.0], [0.25, 0.0, 0.25])
    """
    term = start
    while True:
        term = damping * (matrix @ term)
        yield term


def katz(matrix: sparse.csr_array, start: np.ndarray, damping: float, tolerance: float = 1e-9) -> np.ndarray:
    """((I - a A)^-1 - I) Y, to a relative precision in every entry; needs a below 1 / spectral radius.

    >>> path = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]))
    >>> exact = np.linalg.inv(np.eye(3) - 0.1 * path.toarray()) - np.eye(3)
    >>> np.allclose(katz(path, np.eye(3), 0.1), exact, rtol=1e-8)
    True
    """
    total = np.zeros_like(start, dtype=np.float64)
    for term in walk_terms(matrix, start, damping):
        total += term
        if not ((term > tolerance * total) & (total > TINY)).any():
            return total
    raise AssertionError("unreachable: the terms never end")


def spectral_radius(matrix: sparse.csr_array) -> float:
    """Largest eigenvalue of a symmetric non-negative matrix.

    >>> triangle = sparse.csr_array(np.ones((3, 3)) - np.eye(3))
    >>> round(spectral_radius(triangle), 6)
    2.0
    """
    if not matrix.nnz:
        return 0.0
    # Not the ones, which may be the wanted vector itself or orthogonal to it in a small graph.
    start = 1.0 + degrees(matrix)
    return float(eigsh(matrix, k=1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)[0])
