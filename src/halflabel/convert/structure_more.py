"""Structural features of nodes that are added to a graph whose own stay as they were fitted.

Spectral coordinates of a larger graph would be other ones. But each coordinate u of the old graph satisfies
lambda u = S u, with S the normalised adjacency, so a new node takes what that equation says for its row:
u_v = sum over its old neighbours w of A_vw u_w / (lambda sqrt(d_v d_w)) [Nyström's extension, Bengio et al.
2003]. Likewise a node's core number is the largest k for which k of its neighbours have core number k or more
[Lü et al. 2016], here of its old neighbours. Degrees and clustering are counted in the new graph. So what
other new nodes have for neighbours elsewhere changes nothing.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from halflabel.convert.structure import clustering
from halflabel.graph import Graph


def structure_of_new(graph: Graph, grown: Graph) -> np.ndarray:
    """Features, as `structural_features` names them, of the nodes that `grown` has beside those of `graph`.

    >>> from halflabel.convert import as_graph
    >>> ring = np.array([[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0]])
    >>> graph = as_graph(ring, directed=False)
    >>> grown = as_graph(np.column_stack([ring, [6, 0], [6, 1]]), directed=False)
    >>> new = dict(zip(graph.names(), structure_of_new(graph, grown)[0].tolist(), strict=True))
    >>> new["core number"], new["clustering"]
    (2.0, 1.0)
    """
    names, n = graph.names(), graph.n_nodes
    place = {name: i for i, name in enumerate(names)}
    both = grown.symmetric()
    to_old = sparse.csr_array(both[n:, :n])
    pattern = sparse.csr_array((np.ones(both.nnz, dtype=np.float32), both.indices, both.indptr), both.shape)
    X = np.zeros((grown.n_nodes - n, len(names)))
    forward = grown.adjacency
    degrees = {"log degree": np.diff(both.indptr), "log out-degree": np.diff(forward.indptr),
               "log in-degree": np.bincount(forward.indices, minlength=grown.n_nodes)}
    for name in degrees.keys() & place.keys():
        X[:, place[name]] = np.log1p(degrees[name][n:])
    X[:, place["clustering"]] = clustering(pattern)[n:]
    X[:, place["core number"]] = _cores(to_old, graph.X[:, place["core number"]])
    spectral = [i for i, name in enumerate(names) if name.startswith("spectral ")]
    X[:, spectral] = _extended(graph.symmetric(), to_old, np.asarray(graph.X[:, spectral], dtype=np.float64))
    return X.astype(np.float32)


def _cores(to_old: sparse.csr_array, cores: np.ndarray) -> np.ndarray:
    found = np.zeros(to_old.shape[0])
    for node in range(to_old.shape[0]):
        near = np.sort(cores[to_old.indices[to_old.indptr[node] : to_old.indptr[node + 1]]])[::-1]
        found[node] = np.count_nonzero(near >= np.arange(1, len(near) + 1))
    return found


def _extended(old: sparse.csr_array, to_old: sparse.csr_array, vectors: np.ndarray) -> np.ndarray:
    root_old, root_new = (_inverse_root(matrix.sum(axis=1)) for matrix in (old, to_old))
    scaled = vectors * root_old[:, None]
    around = (old @ scaled) * root_old[:, None]
    # The eigenvalues were not kept, and power iteration stops before all vectors are exact: what u is to S u
    # is fitted by least squares. That is 1 / lambda for an eigenvector, and little for anything else.
    length = (around**2).sum(axis=0)
    slope = np.divide((vectors * around).sum(axis=0), length, out=np.zeros(len(length)), where=length > 0)
    return (to_old @ scaled) * root_new[:, None] * slope


def _inverse_root(strength: np.ndarray) -> np.ndarray:
    strength = np.asarray(strength, dtype=np.float64).ravel()
    return np.divide(1.0, np.sqrt(strength), out=np.zeros(len(strength)), where=strength > 0)
