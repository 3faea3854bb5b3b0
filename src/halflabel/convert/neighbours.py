"""A graph for rows that come without one: each row is joined to the rows nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from halflabel.convert.assemble import assemble
from halflabel.convert.objects import feature_matrix
from halflabel.errors import DataError
from halflabel.features.scaling import Scaling
from halflabel.graph import Graph
from halflabel.ids import NodeIds

NEIGHBOURS = 10


def neighbour_graph(
    X: Any,
    k: int = NEIGHBOURS,
    *,
    ids: Sequence[Any] | np.ndarray | None = None,
    feature_names: Sequence[str] | None = None,
) -> Graph:
    """A graph of the rows of a table: an edge, both ways, from every row to the `k` nearest ones.

    `X` is a matrix, dense or sparse, or a data frame. Distances are Euclidean, after the features were scaled
    as methods scale them. This is the graph that `fit` makes of a plain array; build it yourself to choose
    `k`, or to give rows without edges to `cross_fit` or `compare`.

    >>> graph = neighbour_graph(np.array([[0.0], [1.0], [2.0], [9.0]]), k=1)
    >>> graph
    Graph(4 nodes, 6 directed edges, 1 features)
    >>> graph.notes
    ('no edges: joined every row to its 1 nearest',)
    """
    from sklearn.neighbors import NearestNeighbors  # takes a while to import

    X, feature_names, notes = feature_matrix(X, feature_names)
    n, width = X.shape
    if k < 1:
        raise DataError(f"k={k}: expected at least one neighbour.")
    if n < 2 or not width:
        raise DataError(f"X of shape {X.shape}: neighbours need two rows and a feature.")
    k = min(k, n - 1)
    columns = [f"x{i}" for i in range(width)] if feature_names is None else feature_names
    X = sparse.csr_array(X, dtype=np.float32) if sparse.issparse(X) else np.asarray(X, dtype=np.float32)
    scaled = Scaling.fit(X, columns).transform(X, columns)
    nearest = NearestNeighbors(n_neighbors=k).fit(scaled).kneighbors(return_distance=False)
    notes = [*notes, f"no edges: joined every row to its {k} nearest"]
    source, target = np.repeat(np.arange(n), k), nearest.ravel()
    # Two rows that are each other's neighbours are joined once, which is nothing to report.
    pairs = np.unique(np.minimum(source, target) * np.int64(n) + np.maximum(source, target))
    return assemble(pairs // n, pairs % n, ids=NodeIds.range(n) if ids is None else NodeIds(ids), X=X,
                    feature_names=feature_names, directed=False, notes=notes)
