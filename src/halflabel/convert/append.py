"""append: new nodes and their edges, added to a graph that a model was fitted on."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from scipy import sparse

from halflabel.convert.assemble import EdgeCollector
from halflabel.convert.columns import EdgeColumns, edge_columns, id_column
from halflabel.convert.encode_again import encode_again
from halflabel.convert.endpoints import IdsOfNodes
from halflabel.convert.features import Missing
from halflabel.convert.read import collect_edges, encoding_of
from halflabel.convert.streams import TableStream
from halflabel.errors import DataError, quote_some
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds, as_integers, as_text
from halflabel.merge import is_symmetric, merge_edges

SAME = 1e-5  # relative, of features that were written to a file and read again


def append(
    graph: Graph,
    edges: str | os.PathLike[str] | Any,
    nodes: str | os.PathLike[str] | Any,
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

    `edges` and `nodes` are tables as in :func:`~halflabel.read_graph`, or None for no edges. Edges join new
    nodes with old or new ones; those between old nodes are taken as well, but change none that is there.
    The columns of `nodes` become features as those of the graph did: `halflabel.read_graph(..., like=graph)`
    tells how. Rows of nodes that the graph has already must say the same, and are left out.

    Without `directed`, the reverse of every new edge is added if the graph has that of all of its own.

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
    people = TableStream.open(nodes, "nodes")
    key = id_column(people.columns, id, people.name)
    names = people.read([key])
    given = NodeIds(names.ids(key), where=f"{people.name}, column {key!r}")
    X, _, notes = encode_again(people, encoding_of(graph), without=key, missing=missing)
    old = graph.ids.positions(given.to_arrow())
    new = np.flatnonzero(old < 0)
    if not len(new):
        raise DataError(f"{people.name}: all {len(given):,} nodes are in the graph already. There is nothing "
                        "new to score; the answers for these are in the run.")
    notes += _known_again(graph, X, given, old, people.name)
    ids = joined_ids(graph.ids, given.to_arrow().take(pa.array(new)), people.is_text)
    fresh = replace(graph, indptr=np.concatenate([graph.indptr, np.full(len(new), graph.n_edges)]),
                    X=_stacked(graph.X, X[new]), ids=ids, focus=np.arange(graph.n_nodes, len(ids)), notes=())
    if edges is None:
        return replace(fresh, notes=(*graph.notes, *notes))
    links = TableStream.open(edges, "edges")
    columns, about_columns = _edge_columns(graph, links, source, target, weight)
    everybody = TableStream.of(pa.table({"id": ids.to_arrow()}), f"{people.name} or the fitted graph")
    places = IdsOfNodes(links, columns, everybody, "id", drop=unknown_nodes == "drop")
    collected = EdgeCollector(weighted=columns.weight is not None)
    collect_edges(links, columns, places.place, collected, verbose)
    places.ids()  # raises if there were strangers
    added = collected.graph(ids, fresh.X)
    both_ways = is_symmetric(graph) if directed is None else not directed
    merged, about_edges = merge_edges(fresh, added, both_ways, old=graph.n_nodes)
    notes += [*about_columns, *places.notes(), *added.notes, *about_edges]
    return replace(merged, notes=(*graph.notes, *notes))


def joined_ids(old: NodeIds, new: pa.Array, from_text: bool) -> NodeIds:
    """Old and new ids in one array: integers if all are, else as the text that names them in a file.

    >>> joined_ids(NodeIds([1, 2]), pa.array(["3"]), from_text=True).values.to_pylist()
    [1, 2, 3]
    >>> joined_ids(NodeIds([1, 2]), pa.array(["x"]), from_text=True).values.to_pylist()
    ['1', '2', 'x']
    """
    first = old.to_arrow()
    if from_text and pa.types.is_integer(first.type) and (integers := as_integers(new)) is not None:
        new = integers
    if pa.types.is_integer(first.type) and pa.types.is_integer(new.type):
        new = new.cast(first.type)
    if new.type != first.type:
        first, new = as_text(first), as_text(new)
    return NodeIds.different(pa.concat_arrays([first, new]))


def _edge_columns(
    graph: Graph, links: TableStream, source: str | None, target: str | None, weight: str | None
) -> tuple[EdgeColumns, list[str]]:
    """Which column is which; weights if and only if the graph has them."""
    columns = edge_columns(links.columns, source=source, target=target, weight=weight, where=links.name)
    if graph.edge_weight is not None and columns.weight is None:
        raise DataError(f"{links.name}: no column of weights, but edges of the fitted graph have them. There "
                        f"is: {', '.join(links.columns)}. Name the column (weight=), or add one.")
    unused = list(columns.unused)
    if graph.edge_weight is None and columns.weight is not None:
        if weight is not None:
            raise DataError(f"{links.name}: weight {weight!r}, but edges of the fitted graph have none.")
        unused.append(columns.weight)
        columns = columns._replace(weight=None)
    return columns, [f"{links.name}: columns not used: {', '.join(unused)}"] if unused else []


def _known_again(graph: Graph, X: Features, ids: NodeIds, old: np.ndarray, where: str) -> list[str]:
    """Refuse rows of old nodes that say something else than before; note how many were left out."""
    rows = np.flatnonzero(old >= 0)
    if not len(rows):
        return []
    before, now = (_dense(part) for part in (graph.X[old[rows]], X[rows]))
    differs = ~np.isclose(now, before, rtol=SAME, atol=SAME * np.abs(before).max(axis=0, initial=1e-30))
    if differs.any():
        wrong = np.flatnonzero(differs.any(axis=1))
        column = int(np.argmax(differs[wrong[0]]))
        values = f"{now[wrong[0], column]:.6g}, not {before[wrong[0], column]:.6g}"
        raise DataError(
            f"{where}: {len(wrong):,} node{'s' * (len(wrong) > 1)} of the fitted graph with other features "
            f"than then: {quote_some(ids.take(rows[wrong]))}; of the first, {graph.names()[column]!r} is "
            f"{values}. Leave old nodes out, or give the new ones other ids.")
    return [f"{where}: left out {len(rows):,} row{'s' * (len(rows) > 1)} of nodes that were fitted"]


def _dense(X: Features) -> np.ndarray:
    return X if isinstance(X, np.ndarray) else X.toarray()


def _stacked(old: Features, new: Features) -> Features:
    if isinstance(old, np.ndarray):
        return np.vstack([old, _dense(new).astype(np.float32)])
    return sparse.csr_array(sparse.vstack([old, sparse.csr_array(new)], format="csr"), dtype=np.float32)
