"""Graphs from edge tables and node tables: files or data frames."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

from halflabel.convert.assemble import assemble
from halflabel.convert.columns import edge_columns, feature_columns, id_column
from halflabel.convert.endpoints import edge_ids, ids_in_edges, known_edges, node_ids
from halflabel.convert.features import Missing, encode_features
from halflabel.convert.tables import NamedTable
from halflabel.convert.textfiles import parse_text
from halflabel.errors import DataError
from halflabel.graph import Features, Graph


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
) -> Graph:
    """Read a graph from an edge table and, if there is one, a node table.

    Tables are files (.csv, .tsv, .txt, each also .gz, or .parquet) or data frames (pandas, polars, pyarrow).
    The first two columns of `edges` are the end points unless their names say otherwise (source, src, from;
    target, dst, to) or `source` and `target` do; a column `weight` holds weights. In `nodes` the id is a
    column called id, node, node_id or name, else the first. Every other column is a feature: **a column that
    holds the answer must not be one of them.** Columns called label, class, y, positive and the like are left
    out; name any other in `ignore`, or list the columns to use in `features`.

    Ids stay what they are: "001" is not 1. They become integers only if all of them, in both files, are.
    Without features, the structure of the graph stands in for them; `Graph.notes` says so.

    missing="mean" fills in missing features, unknown_nodes="drop" leaves out edges to nodes that are not in
    `nodes`, directed=False adds the reverse of every edge.

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
    links = NamedTable.open(edges, "edges")
    columns = edge_columns(links.columns, source=source, target=target, weight=weight, where=links.name)
    notes = [f"{links.name}: columns not used: {', '.join(columns.unused)}"] if columns.unused else []
    weights = None if columns.weight is None else links.numbers(columns.weight)
    ends = edge_ids(links, columns)
    if nodes is None:
        ids = ids_in_edges(ends, links.is_text)
        return assemble(*(ids.positions(end) for end in ends), ids=ids, weight=weights, directed=directed,
                        notes=notes, place=links.row)
    people = NamedTable.open(nodes, "nodes")
    key = id_column(people.columns, id, people.name)
    ids = node_ids(people, key, ends if links.is_text else ())
    X, names, about_features = node_features(
        people, without=key, features=features, ignore=ignore, missing=missing)
    at, rows, about_edges = known_edges(ends, ids, links, people, drop=unknown_nodes == "drop")
    return assemble(
        *at, ids=ids, X=X, feature_names=names, weight=None if weights is None else weights[rows],
        directed=directed, notes=[*notes, *about_features, *about_edges], place=lambda i: links.row(rows[i]))


def node_features(
    nodes: NamedTable,
    *,
    without: str | None = None,
    features: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    missing: Missing = "error",
) -> tuple[Features, list[str], list[str]]:
    """Feature matrix, its column names and notes, from the columns of a node table other than the id.

    >>> import pyarrow as pa
    >>> table = pa.table({"id": [7], "age": [40], "label": [1]})
    >>> node_features(NamedTable(table, "nodes"), without="id")[1]
    ['age']
    """
    candidates = [name for name in nodes.columns if name != without]
    chosen, notes = feature_columns(candidates, features=features, ignore=ignore, where=nodes.name)
    table = nodes.data.select(chosen)
    X, names, more = encode_features(parse_text(table) if nodes.is_text else table, where=nodes.name,
                                     missing=missing, first_row=nodes.first_row)
    return X, names, [f"{nodes.name}: {note}" for note in (*notes, *more)]
