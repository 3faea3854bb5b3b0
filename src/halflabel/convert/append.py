"""append: new nodes and their edges, added to a graph that a model was fitted on."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from scipy import sparse

from halflabel.convert.assemble import EdgeCollector
from halflabel.convert.endpoints import IdsOfNodes
from halflabel.convert.features import Missing
from halflabel.convert.merge import is_symmetric, merge_edges
from halflabel.convert.newcomers import Newcomers, from_edges, from_table
from halflabel.convert.read import collect_edges, edge_columns_like
from halflabel.convert.streams import TableStream
from halflabel.convert.structure_more import structure_of_new
from halflabel.errors import DataError
from halflabel.graph import Features, Graph, dense


def append(
    graph: Graph,
    edges: str | os.PathLike[str] | Any,
    nodes: str | os.PathLike[str] | Any = None,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    unknown_nodes: Literal["error", "drop"] = "error",
    missing: Missing = "error",
    directed: bool | None = None,
    verbose: bool = False,
) -> Graph:
    """The graph with new nodes and edges; the new nodes are in focus, so a model's answers are about them.

    `edges` and `nodes` are tables as in :func:`~halflabel.read_graph`. Edges join new nodes with old or new
    ones; those between old nodes are taken as well, but change none that is there. The columns of `nodes`
    become features as those of the graph did: categories never seen before count as none, and gaps are an
    error where there were none, unless missing="mean". Rows of nodes that the graph has already must say the
    same, and are left out. Where the structure of the graph stood in for features, `nodes` is not needed.

    Without `directed`, the reverse of every new edge is added if the graph has that of all of its own.

    >>> from halflabel.ids import NodeIds
    >>> graph = Graph.from_edges([0, 1], [1, 2], np.array([[30.0], [40.0], [50.0]]), feature_names=["age"],
    ...                          ids=NodeIds(["ann", "bob", "eve"]))
    >>> more = append(graph, pa.table({"source": ["joe"], "target": ["ann"]}),
    ...               pa.table({"id": ["joe"], "age": [60]}))
    >>> more
    Graph(4 nodes, 3 directed edges, 1 features, 1 in focus)
    >>> more.ids.take(more.nodes)
    ['joe']
    """
    if unknown_nodes not in ("error", "drop"):
        raise DataError(f'unknown_nodes={unknown_nodes!r}: expected "error" or "drop".')
    links = TableStream.open(edges, "edges")
    columns, notes = edge_columns_like(graph, links, source=source, target=target, weight=weight)
    new = from_edges(graph, links, columns) if nodes is None else from_table(graph, nodes, id, missing)
    everybody = TableStream.of(pa.table({"id": new.ids.to_arrow()}), f"{new.where} or the fitted graph")
    places = IdsOfNodes(links, columns, everybody, "id", drop=unknown_nodes == "drop")
    collected = EdgeCollector(weighted=columns.weight is not None)
    collect_edges(links, columns, places.place, collected, verbose)
    places.ids()  # raises if there were strangers
    wider = _with_nodes(graph, new)
    added = collected.graph(new.ids, wider.X)
    both_ways = is_symmetric(graph) if directed is None else not directed
    merged, about_edges = merge_edges(wider, added, both_ways, old=graph.n_nodes)
    if new.X is None:
        merged.X[graph.n_nodes :] = structure_of_new(graph, merged)
    notes += [*new.notes, *places.notes(), *added.notes, *about_edges]
    return replace(merged, notes=(*graph.notes, *notes))


def _with_nodes(graph: Graph, new: Newcomers) -> Graph:
    """The graph with nodes that have no edges yet; features from structure are still zero."""
    count = len(new.ids) - graph.n_nodes
    X = np.zeros((count, graph.X.shape[1]), dtype=np.float32) if new.X is None else new.X
    return replace(graph, indptr=np.concatenate([graph.indptr, np.full(count, graph.n_edges)]),
                   X=_stacked(graph.X, X), ids=new.ids, focus=np.arange(graph.n_nodes, len(new.ids)))


def _stacked(old: Features, new: Features) -> Features:
    if isinstance(old, np.ndarray):
        return np.vstack([old, dense(new).astype(np.float32)])
    return sparse.csr_array(sparse.vstack([old, sparse.csr_array(new)], format="csr"), dtype=np.float32)
