"""Graphs from edge tables and node tables: files or data frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from halflabel.convert.assemble import EdgeCollector
from halflabel.convert.columns import EdgeColumns, edge_columns, feature_columns, id_column
from halflabel.convert.encode_again import encode_again
from halflabel.convert.endpoints import EmptyEnds, Ends, IdsInEdges, IdsOfNodes, Placed
from halflabel.convert.features import Missing, encode_columns
from halflabel.convert.streams import TableStream
from halflabel.convert.tables import NamedTable
from halflabel.convert.textfiles import parse_text
from halflabel.errors import DataError, some_names
from halflabel.features.encoding import Encoding
from halflabel.graph import Features, Graph
from halflabel.graphfiles import is_stored_graph, load_graph
from halflabel.progress import meter


def read_graph(
    edges: str | os.PathLike[str] | Any,
    nodes: str | os.PathLike[str] | Any = None,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    features: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    unknown_nodes: Literal["error", "drop"] = "error",
    missing: Missing = "error",
    directed: bool = True,
    like: Graph | None = None,
    verbose: bool = False,
) -> Graph:
    """Read a graph from an edge table and, if there is one, a node table.

    Tables are files (.csv, .tsv, .txt, each also .gz, or .parquet) or data frames (pandas, polars, pyarrow).
    In their place, `edges` may be the directory of a graph stored by :func:`~halflabel.save_graph`.
    The first two columns of `edges` are the end points unless their names say otherwise (source, src, from;
    target, dst, to) or `source` and `target` do; a column `weight` holds weights. In `nodes` the id is a
    column called id, node, node_id or name, else the first. Every other column is a feature: **a column that
    holds the answer must not be one of them.** Columns called label, class, y, positive and the like are left
    out; name any other in `ignore`, or list the columns to use in `features`.

    Ids stay what they are: "001" is not 1. They become integers only if all of them, in both files, are.
    Without features, the structure of the graph stands in for them; `Graph.notes` says so.

    missing="mean" fills in missing features, unknown_nodes="drop" leaves out edges to nodes that are not in
    `nodes`, directed=False adds the reverse of every edge, verbose=True shows progress if reading takes long.
    `like` is a graph whose features these are, so that a model of that one can score this one: the same
    columns are used, in the same way.

    Edges are read piece by piece, so that a table far larger than the graph it makes needs little more memory
    than the graph. Where there are more than some hundred thousand, sorted pieces wait in a temporary file.

    >>> import pyarrow as pa
    >>> edges = pa.table({"from": ["ann", "bob"], "to": ["bob", "eve"]})
    >>> nodes = pa.table({"id": ["eve", "ann", "bob"], "age": [30, 40, 50]})
    >>> graph = read_graph(edges, nodes)
    >>> graph
    Graph(3 nodes, 2 directed edges, 1 features)
    >>> graph.ids[0], graph.X[0].tolist()
    ('eve', [30.0])
    """
    if unknown_nodes not in ("error", "drop"):
        raise DataError(f'unknown_nodes={unknown_nodes!r}: expected "error" or "drop".')
    if is_stored_graph(edges):
        options = {"nodes": nodes, "source": source, "target": target, "weight": weight, "id": id,
                   "features": features, "ignore": ignore, "missing": missing != "error" or None,
                   "unknown_nodes": unknown_nodes != "error" or None, "directed": not directed or None,
                   "like": like}
        _refuse_options(edges, [name for name, value in options.items() if value is not None])
        return load_graph(edges)
    check_like(like, nodes, features, ignore)
    links = TableStream.open(edges, "edges")
    columns, notes = edge_columns_like(like, links, source=source, target=target, weight=weight)
    collected = EdgeCollector(columns.weight is not None, directed, links.name)
    if nodes is None:
        found = IdsInEdges(links, columns)
        collect_edges(links, columns, found.place, collected, verbose)
        return collected.graph(found.ids(), notes=notes)
    people = TableStream.open(nodes, "nodes")
    key = id_column(people.columns, id, people.name)
    given = IdsOfNodes(links, columns, people, key, drop=unknown_nodes == "drop")
    X, encoding, about_features = (
        node_features(people, len(given), without=key, features=features, ignore=ignore, missing=missing)
        if like is None else encode_again(people, encoding_of(like), without=key, missing=missing))
    collect_edges(links, columns, given.place, collected, verbose)
    ids, about_edges = given.ids(), given.notes()
    del given  # and its hash table
    notes += [*about_features, *about_edges]
    return collected.graph(ids, X, encoding.features, notes, encoding)


def edge_columns_like(
    graph: Graph | None, links: TableStream, *, source: str | None, target: str | None, weight: str | None
) -> tuple[EdgeColumns, list[str]]:
    """Which column of an edge table is which, and notes; weights if another graph has them, or by name.

    >>> import numpy as np
    >>> import pyarrow as pa
    >>> links = TableStream.of(pa.table({"s": ["a"], "t": ["b"], "weight": [2]}), "edges")
    >>> plain = Graph.from_edges([0], [1], np.eye(2))
    >>> edge_columns_like(plain, links, source=None, target=None, weight=None)[1]
    ['edges: columns not used: weight']
    """
    columns = edge_columns(links.columns, source=source, target=target, weight=weight, where=links.name)
    if graph is not None and graph.edge_weight is not None and columns.weight is None:
        raise DataError(f"{links.name}: no column of weights, but edges of the fitted graph have them. There "
                        f"is: {some_names(links.columns)}. Add a column called weight, or name another.")
    unused = list(columns.unused)
    if graph is not None and graph.edge_weight is None and columns.weight is not None:
        if weight is not None:
            raise DataError(f"{links.name}: weight {weight!r}, but edges of the fitted graph have none.")
        unused.append(columns.weight)
        columns = columns._replace(weight=None)
    return columns, [f"{links.name}: columns not used: {some_names(unused)}"] if unused else []


def encoding_of(graph: Graph) -> Encoding:
    """How the features of a graph came about; those of a matrix are numbers that go by their names.

    >>> encoding_of(Graph.from_edges([0], [1], [[30.0], [40.0]], feature_names=["age"])).features
    ['age']
    """
    if graph.encoding is None:
        return Encoding.numbers(graph.names())
    if graph.lacks_features:
        raise DataError("The graph has no features of its own: its structure stood in for them, and means "
                        "nothing in another graph. Append new nodes to the graph, or fit with a node table.")
    return graph.encoding


def _refuse_options(path: str | os.PathLike[str], given: Sequence[str]) -> None:
    """An argument that would have no effect is a mistake, not a detail."""
    if given:
        raise DataError(f"{path}: a stored graph, whose tables were read already; {', '.join(given)} can "
                        "have no effect. Leave it out, or convert the tables again with it.")


def check_like(
    like: Graph | None, nodes: Any, features: Sequence[str] | None, ignore: Sequence[str] | None
) -> None:
    """Features as those of another graph come from a node table, and leave nothing to choose."""
    if like is None:
        return
    encoding_of(like)
    if nodes is None:
        raise DataError("like: the other graph has features, so this one needs a table of nodes.")
    if features is not None or ignore is not None:
        raise DataError("like: the other graph decides which columns are features; leave features and "
                        "ignore out.")


def collect_edges(
    edges: TableStream,
    columns: EdgeColumns,
    place: Callable[[NamedTable, Ends], Placed],
    collected: EdgeCollector,
    verbose: bool,
) -> None:
    """Read an edge table to its end, piece by piece."""
    empty = EmptyEnds()
    wanted = [columns.source, columns.target, *([] if columns.weight is None else [columns.weight])]
    with meter(f"reading {edges.name}", shown=verbose) as show:
        for piece, share in edges.pieces(list(dict.fromkeys(wanted))):
            weight = None if columns.weight is None else piece.numbers(columns.weight)
            ends = piece.ids(columns.source), piece.ids(columns.target)
            if not empty.found_in(piece, ends):
                placed = place(piece, ends)
                where = partial(_row_of, piece, placed)
                collected.add(placed.source, placed.target, placed.weights(weight), where)
            show(share)
    empty.complain()


def _row_of(piece: NamedTable, placed: Placed, i: int) -> str:
    return piece.row(placed.row(i))


def node_features(
    nodes: TableStream,
    rows: int,
    *,
    without: str | None = None,
    features: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    missing: Missing = "error",
) -> tuple[Features, Encoding, list[str]]:
    """Feature matrix, how it came about and notes, from the columns of a node table but the id.

    >>> import pyarrow as pa
    >>> table = pa.table({"id": [7], "age": [40], "label": [1]})
    >>> node_features(TableStream.of(table, "nodes"), 1, without="id")[1].features
    ['age']
    """
    candidates = [name for name in nodes.columns if name != without]
    chosen, notes = feature_columns(candidates, features=features, ignore=ignore, where=nodes.name)
    typed = (parse_text(part.data) if nodes.is_text else part.data for part in nodes.read_in_groups(chosen))
    columns = (column for table in typed for column in zip(table.column_names, table.columns, strict=True))
    X, used, more = encode_columns(
        columns, rows, where=nodes.name, missing=missing, first_row=nodes.first_row)
    names = {column.name for column in used}
    encoding = Encoding(tuple(used), tuple(name for name in candidates if name not in names))
    return X, encoding, [f"{nodes.name}: {note}" for note in (*notes, *more)]
