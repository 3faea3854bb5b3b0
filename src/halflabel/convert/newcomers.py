"""Who is new: ids and features of nodes that a graph does not have yet, from a table or from edges alone."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from halflabel.convert.columns import EdgeColumns, id_column
from halflabel.convert.encode_again import encode_again
from halflabel.convert.features import Missing
from halflabel.convert.read import encoding_of
from halflabel.convert.streams import TableStream
from halflabel.errors import DataError, quote_some
from halflabel.graph import Features, Graph, dense
from halflabel.ids import NodeIds, as_integers, as_text

SAME = 1e-5  # relative, of features that were written to a file and read again


class Newcomers(NamedTuple):
    """All ids, old ones first, features of the new nodes (None: from structure), the table's name, notes."""

    ids: NodeIds
    X: Features | None
    where: str
    notes: list[str]


def from_table(graph: Graph, nodes: Any, id: str | None, missing: Missing) -> Newcomers:
    """From a node table. Rows of nodes that the graph has already must say the same, and are left out."""
    people = TableStream.open(nodes, "nodes")
    key = id_column(people.columns, id, people.name)
    given = NodeIds(people.read([key]).ids(key), where=f"{people.name}, column {key!r}")
    old = graph.ids.positions(given.to_arrow())
    new = np.flatnonzero(old < 0)
    if not len(new):
        raise DataError(f"{people.name}: all {len(given):,} nodes are in the graph already. There is nothing "
                        "new to score; the answers for these are in the run.")
    ids = joined_ids(graph.ids, given.to_arrow().take(pa.array(new)), people.is_text)
    left = len(given) - len(new)
    notes = [f"{people.name}: left out {left:,} row{'s' * (left > 1)} of nodes that were fitted"] * (left > 0)
    if graph.lacks_features:
        if more := [name for name in people.columns if name != key]:
            notes.append(f"{people.name}: columns not used, as the fitted graph has no features: "
                         f"{quote_some(more)}")
        return Newcomers(ids, None, people.name, notes)
    X, _, about_features = encode_again(people, encoding_of(graph), without=key, missing=missing)
    _check_same(graph, X, given, old, people.name)
    return Newcomers(ids, X[new], people.name, [*about_features, *notes])


def from_edges(graph: Graph, links: TableStream, columns: EdgeColumns) -> Newcomers:
    """From the ends of edges: enough where structure is all there is."""
    if not graph.lacks_features:
        raise DataError("The fitted graph has features, so new nodes need them too: give a table of nodes "
                        "(nodes=).")
    table = links.read(list(dict.fromkeys([columns.source, columns.target])))
    ends = [table.ids(name) for name in (columns.source, columns.target)]
    if ends[0].type != ends[1].type:
        ends = [as_text(end) for end in ends]
    met = pa.concat_arrays(ends).unique().drop_null()
    new = met.filter(pa.array(graph.ids.positions(met) < 0))
    if not len(new):
        raise DataError(f"{links.name}: no node that is not in the fitted graph. There is nothing new to "
                        "score; the answers for these are in the run.")
    return Newcomers(joined_ids(graph.ids, new, links.is_text), None, links.name, [])


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


def _check_same(graph: Graph, X: Features, ids: NodeIds, old: np.ndarray, where: str) -> None:
    """Refuse rows of old nodes that say something else than before."""
    rows = np.flatnonzero(old >= 0)
    if not len(rows):
        return
    before, now = (dense(part) for part in (graph.X[old[rows]], X[rows]))
    differs = ~np.isclose(now, before, rtol=SAME, atol=SAME * np.abs(before).max(axis=0, initial=1e-30))
    if differs.any():
        wrong = np.flatnonzero(differs.any(axis=1))
        column = int(np.argmax(differs[wrong[0]]))
        values = f"{now[wrong[0], column]:.6g}, not {before[wrong[0], column]:.6g}"
        raise DataError(
            f"{where}: {len(wrong):,} node{'s' * (len(wrong) > 1)} of the fitted graph with other features "
            f"than then: {quote_some(ids.take(rows[wrong]))}; of the first, {graph.names()[column]!r} is "
            f"{values}. Leave old nodes out, or give the new ones other ids.")
