"""as_graph: whatever somebody has in memory becomes a Graph."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from halflabel.convert.assemble import assemble
from halflabel.convert.features import Missing, encode_features
from halflabel.convert.networks import EdgeArrays, networkx_edges, node_attributes
from halflabel.convert.read import node_features, read_graph
from halflabel.convert.streams import TableStream
from halflabel.convert.tables import as_table, is_frame
from halflabel.errors import DataError
from halflabel.features.diskrows import BLOCK_VALUES, is_on_disk
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds

ACCEPTED = """\
Accepted are:
  a Graph;  a path to an edge file or to a stored graph, or (edges, nodes) paths;
  PyTorch Geometric Data;  a networkx graph;
  (adjacency, X) with a square scipy sparse adjacency;
  (edge_index, X) with an integer array or tensor of shape (2, edges);
  an edge table, or (edges, nodes) tables, of pandas, polars or pyarrow.
Rows without any edges become a graph by halflabel.neighbour_graph(X)."""


def as_graph(
    obj: Any,
    X: Any = None,
    *,
    ids: Sequence[Any] | np.ndarray | None = None,
    feature_names: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    missing: Missing = "error",
    directed: bool = True,
) -> Graph:
    """Turn any common form of a graph into a :class:`Graph`; pairs come as one tuple or as two arguments.

    Accepted are a Graph (returned as it is), PyTorch Geometric Data, networkx graphs, (scipy adjacency, X),
    (edge_index, X), (edges, nodes) as tables or as paths, a lone edge table or path, and the directory of a
    stored graph. Tables and paths go to :func:`~halflabel.convert.read.read_graph`, which has more options.

    `ids` and `feature_names` name the nodes and the columns of matrices, which have no names of their own.
    `features`, `ignore` and `missing` are about node tables and networkx node attributes, as in `read_graph`:
    **an attribute that holds the answer must not be a feature.** directed=False adds the reverse of every
    edge; undirected networkx graphs need no telling.

    >>> graph = as_graph(np.array([[0, 1], [1, 2]]), np.eye(3), ids=["ann", "bob", "eve"])
    >>> graph, graph.ids[2]
    (Graph(3 nodes, 2 directed edges, 3 features), 'eve')
    """
    if isinstance(obj, tuple) and len(obj) == 2 and X is None:
        obj, X = obj
    is_table = isinstance(obj, (str, os.PathLike)) or is_frame(obj)
    is_networkx = hasattr(obj, "is_multigraph")
    has_names = is_table or is_networkx or isinstance(obj, Graph)
    # An argument that would have no effect is a mistake, not a detail.
    _refuse(has_names and ids is not None, "ids", "which has ids of its own")
    _refuse(is_table and feature_names is not None, "feature_names", "whose columns have names")
    _refuse(not has_names and features is not None, "features", "without named columns")
    _refuse(not has_names and ignore is not None, "ignore", "without named columns")
    if isinstance(obj, Graph):
        _refuse(X is not None, "X", "which has features of its own")
        return obj
    if is_table:
        return read_graph(obj, X, features=features, ignore=ignore, missing=missing, directed=directed)
    if X is None and hasattr(obj, "edge_index"):
        X = getattr(obj, "x", None)
    notes: list[str] = []
    encoding = None
    if X is not None:
        X, feature_names, notes = feature_matrix(X, feature_names, missing)
    elif is_networkx:
        attributes = node_attributes(obj)
        X, encoding, notes = node_features(
            TableStream.of(attributes, "node attributes"), attributes.num_rows, features=features,
            ignore=ignore, missing=missing)
        feature_names = encoding.features
    edges = networkx_edges(obj) if is_networkx else _edges(obj)
    nodes = edges.ids if edges.ids is not None else _node_ids(ids, edges, X)
    if X is not None and X.shape[1] and X.shape[0] != len(nodes):
        raise DataError(f"X has {X.shape[0]:,} rows for a graph of {len(nodes):,} nodes. "
                        "Give one row for each node.")
    return assemble(edges.source, edges.target, ids=nodes, X=X, feature_names=feature_names,
                    weight=edges.weight, directed=directed and edges.directed, notes=[*notes, *edges.notes],
                    encoding=encoding)


def _refuse(unfit: bool, argument: str, why: str) -> None:
    if unfit:
        raise DataError(f"as_graph: {argument} has no meaning for a graph {why}.")


def _node_ids(ids: Any, edges: EdgeArrays, X: Features | None) -> NodeIds:
    if ids is not None:
        return NodeIds(ids)
    if edges.n_nodes is not None:
        return NodeIds.range(edges.n_nodes)
    if X is not None:
        return NodeIds.range(X.shape[0])
    return NodeIds.range(int(max(edges.source.max(initial=-1), edges.target.max(initial=-1))) + 1)


def _edges(obj: Any) -> EdgeArrays:
    if sparse.issparse(obj):
        if obj.shape[0] != obj.shape[1]:
            raise DataError(f"An adjacency matrix is square; got shape {obj.shape}.")
        entries = sparse.coo_array(obj)
        plain = entries.dtype == bool or np.all(entries.data == 1)
        weight = None if plain else entries.data.astype(np.float64)
        return EdgeArrays(entries.row, entries.col, weight, n_nodes=obj.shape[0])
    if getattr(obj, "edge_index", None) is not None:
        return pyg_edges(obj)
    index = _numpy(obj) if hasattr(obj, "shape") else None
    if index is not None and index.ndim == 2 and len(index) == 2 and index.dtype.kind in "iu":
        return EdgeArrays(index[0], index[1])
    got = type(obj).__name__ if index is None else f"an array of shape {index.shape} and type {index.dtype}"
    raise DataError(f"Cannot make a graph of {got}.\n{ACCEPTED}")


def pyg_edges(data: Any) -> EdgeArrays:
    """The edges of torch_geometric's Data, in its order."""
    source, target = _numpy(data.edge_index)
    weight, notes = _pyg_weight(data)
    # Data guesses the number of nodes from the edges where it has no x, and warns about it.
    n_nodes = data.num_nodes if getattr(data, "x", None) is None else None
    return EdgeArrays(source, target, weight, n_nodes=n_nodes, notes=notes)


def _pyg_weight(data: Any) -> tuple[np.ndarray | None, tuple[str, ...]]:
    for name in ("edge_weight", "edge_attr"):
        if (values := getattr(data, name, None)) is not None:
            values = _numpy(values)
            if values.ndim == 2 and values.shape[1] == 1:
                values = values[:, 0]
            if values.ndim == 1:
                return values.astype(np.float64), ()
            return None, (f"{name} of shape {values.shape} is not used: a weight is one number an edge",)
    return None, ()


def feature_matrix(
    X: Any, names: Sequence[str] | None, missing: Missing = "error"
) -> tuple[Features, Sequence[str] | None, list[str]]:
    """Features that stand in node order, from a matrix or a data frame without an id column; names, notes.

    >>> feature_matrix([[1, 2]], ["a", "b"])
    (array([[1, 2]]), ['a', 'b'], [])
    """
    if is_frame(X):
        return encode_features(as_table(X, "X"), where="X", missing=missing)
    if sparse.issparse(X):
        matrix = sparse.csr_array(X)
        values = matrix.data
    else:
        matrix = values = X if is_on_disk(X) else _numpy(X)
    if matrix.ndim != 2 or values.dtype.kind not in "biuf":
        raise DataError(f"X must be a matrix of numbers, one row for each node; got shape {matrix.shape}, "
                        f"type {values.dtype}.")
    wrong, first = _not_finite(values)
    if wrong:
        where = "" if sparse.issparse(X) else f", the first in row {first:,}"
        raise DataError(f"X has {wrong:,} values that are missing or infinite{where}. "
                        "Fill them in, for example with the mean of their column.")
    return matrix, names, []


def _not_finite(values: np.ndarray) -> tuple[int, int]:
    """How many values are missing or infinite, and in what row the first; in blocks, as it may be on disk."""
    count, first_row, step = 0, 0, max(1, BLOCK_VALUES // max(1, values[:1].size))
    for first in range(0, len(values), step):
        with np.errstate(over="ignore"):
            wrong = ~np.isfinite(values[first : first + step].astype(np.float32))
        if not count and wrong.any():
            first_row = first + int(np.argmax(wrong.reshape(len(wrong), -1).any(axis=1)))
        count += int(np.count_nonzero(wrong))
    return count, first_row


def _numpy(values: Any) -> np.ndarray:
    """An array from an array or a tensor, wherever the tensor lives."""
    return values.detach().cpu().numpy() if hasattr(values, "detach") else np.asarray(values)
