"""Features for graphs that come without any: what the position of a node says about it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy import sparse

SPECTRAL_DIMENSIONS = 16
BLOCK_COST = 20_000_000  # multiplications a block: bounds the memory of sparse products to some hundred MB


def structural_features(adjacency: sparse.csr_array) -> tuple[np.ndarray, list[str]]:
    """Log degrees, clustering, core number and a spectral embedding of every node.

    Degrees are counted in and out where the graph is directed; the rest sees an edge either way. Spectral
    coordinates have a meaning only within one graph: a model that uses them does not carry over to another.

    >>> path = sparse.csr_array(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]))
    >>> X, names = structural_features(path)
    >>> names
    ['log degree', 'clustering', 'core number', 'spectral 1', 'spectral 2']
    >>> X[:, 2].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    forward = sparse.csr_array(adjacency, dtype=np.float32)
    both = sparse.csr_array(forward.maximum(forward.T.tocsr()))
    both.sort_indices()
    pattern = sparse.csr_array((np.ones(both.nnz, dtype=np.float32), both.indices, both.indptr), both.shape)
    columns = _degrees(forward, both)
    columns |= {"clustering": clustering(pattern), "core number": core_numbers(pattern)}
    spectral = spectral_embedding(both, min(SPECTRAL_DIMENSIONS, both.shape[0] - 2))
    columns |= {f"spectral {i + 1}": coordinate for i, coordinate in enumerate(spectral.T)}
    return np.column_stack(list(columns.values())).astype(np.float32), list(columns)


def _degrees(forward: sparse.csr_array, both: sparse.csr_array) -> dict[str, np.ndarray]:
    out_degree = np.diff(forward.indptr)
    if forward.nnz == both.nnz:  # every edge has its reverse
        return {"log degree": np.log1p(out_degree)}
    in_degree = np.bincount(forward.indices, minlength=forward.shape[1])
    return {"log out-degree": np.log1p(out_degree), "log in-degree": np.log1p(in_degree)}


def clustering(pattern: sparse.csr_array) -> np.ndarray:
    """Share of a node's pairs of neighbours that are neighbours themselves; 0 with fewer than two.

    Takes a symmetric 0/1 matrix with an empty diagonal. Every edge is directed towards its end of higher
    degree, which leaves few outgoing edges even at hubs (at most the root of twice the number of edges), so
    that counting triangles stays cheap.

    >>> triangle_and_tail = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]])
    >>> clustering(sparse.csr_array(triangle_and_tail)).round(2).tolist()
    [1.0, 1.0, 0.33, 0.0]
    """
    degree = np.diff(pattern.indptr)
    rank = np.empty(len(degree), dtype=np.int64)
    rank[np.argsort(degree, kind="stable")] = np.arange(len(degree))
    edges = pattern.tocoo()
    rises = rank[edges.row] < rank[edges.col]
    ends = (edges.row[rises], edges.col[rises])
    up = sparse.csr_array((np.ones(rises.sum(), dtype=np.float32), ends), shape=pattern.shape)
    # In a triangle u -> v -> w, u -> w: the first product finds u, the second v (by row) and w (by column).
    lowest, _ = _sums_on_edges(up, up, up)
    middle, highest = _sums_on_edges(up.T.tocsr(), up, up)
    pairs = degree * (degree - 1.0) / 2
    return np.divide(lowest + middle + highest, pairs, out=np.zeros(len(degree)), where=pairs > 0)


def _sums_on_edges(
    left: sparse.csr_array, right: sparse.csr_array, mask: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    """Row and column sums of (left @ right) * mask, computed in blocks of rows of bounded cost."""
    cost = np.concatenate([[0], np.cumsum(np.diff(right.indptr)[left.indices])])[left.indptr]
    cuts = np.searchsorted(cost, np.arange(BLOCK_COST, cost[-1] + 1, BLOCK_COST))
    bounds = np.unique(np.concatenate([[0], cuts, [left.shape[0]]]))
    rows, columns = np.zeros(left.shape[0]), np.zeros(right.shape[1])
    for start, stop in pairwise(bounds):
        block = (left[start:stop] @ right).multiply(mask[start:stop])
        rows[start:stop] = block.sum(axis=1)
        columns += block.sum(axis=0)
    return rows, columns


def core_numbers(pattern: sparse.csr_array) -> np.ndarray:
    """Largest k for which a node is in a subgraph where everybody has k neighbours.

    Takes a symmetric 0/1 matrix with an empty diagonal. Nodes are peeled off in order of remaining degree,
    each edge being looked at twice [Batagelj and Zaversnik 2003].

    >>> triangle_and_tail = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]])
    >>> core_numbers(sparse.csr_array(triangle_and_tail)).tolist()
    [2, 2, 2, 1]
    """
    degree = np.diff(pattern.indptr).tolist()
    start = pattern.indptr.tolist()
    buckets: list[list[int]] = [[] for _ in range(max(degree, default=0) + 1)]
    for node, d in enumerate(degree):
        buckets[d].append(node)
    core = [-1] * len(degree)
    for k, bucket in enumerate(buckets):
        while bucket:
            node = bucket.pop()
            if core[node] >= 0:  # peeled already; an outdated entry
                continue
            core[node] = k
            for other in pattern.indices[start[node] : start[node + 1]].tolist():
                if degree[other] > k:
                    degree[other] -= 1
                    buckets[degree[other]].append(other)
    return np.array(core, dtype=np.int64)


def spectral_embedding(adjacency: sparse.csr_array, dimensions: int, iterations: int = 20) -> np.ndarray:
    """Leading eigenvectors, by modulus, of the symmetrically normalised adjacency, as columns.

    Block power iteration from a fixed start [Halko, Martinsson and Tropp 2011, algorithm 4.4]; the largest
    entry of each vector is positive, so that the same graph always gives the same coordinates.

    >>> edge = sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> spectral_embedding(edge, 1).round(2).tolist()
    [[0.71], [0.71]]
    """
    n = adjacency.shape[0]
    if dimensions < 1 or not adjacency.nnz:
        return np.zeros((n, max(dimensions, 0)))
    strength = np.asarray(adjacency.sum(axis=1), dtype=np.float64)
    root = np.divide(1.0, np.sqrt(strength), out=np.zeros(n), where=strength > 0)
    scale = sparse.diags_array(root)
    operator = sparse.csr_array(scale @ adjacency @ scale, dtype=np.float32)
    width = min(dimensions + 8, n)
    basis = np.random.default_rng(0).standard_normal((n, width), dtype=np.float32)
    for _ in range(iterations):
        basis = _orthonormal(operator @ basis)
    values, mixing = np.linalg.eigh(basis.T @ (operator @ basis))
    # Bipartite graphs have pairs of equal modulus: rounding noise must not decide which comes first.
    order = np.lexsort((-values, -np.abs(values).round(4)))[:dimensions]
    vectors = basis @ mixing[:, order]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(order))]
    return vectors * np.where(largest < 0, -1.0, 1.0)


def _orthonormal(block: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the columns' span, by way of their small Gram matrix.

    Many times faster than a QR decomposition of a million rows. Directions that the span does not have
    (a star has rank two) come out as zero columns.
    """
    values, vectors = np.linalg.eigh(block.T.astype(np.float64) @ block)
    present = values > 1e-10 * values[-1]
    scale = np.where(present, 1 / np.sqrt(np.where(present, values, 1.0)), 0.0)
    return block @ (vectors * scale).astype(np.float32)
