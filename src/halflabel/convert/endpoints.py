"""From the ids at the ends of edges to positions of nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from halflabel.convert.columns import EdgeColumns
from halflabel.convert.tables import NamedTable
from halflabel.errors import DataError
from halflabel.ids import NodeIds, canonical_integers

Ends = tuple[pa.Array, pa.Array]


def edge_ids(edges: NamedTable, columns: EdgeColumns) -> Ends:
    """The ids at both ends of every edge; an empty one is an error.

    >>> edges = NamedTable.open(pa.table({"source": ["a"], "target": [None]}), "edges")
    >>> edge_ids(edges, EdgeColumns("source", "target", None, []))
    Traceback (most recent call last):
    halflabel.errors.DataError: edges row 0: target is empty. 1 such edge. Every edge needs two ends.
    """
    ends = edges.ids(columns.source), edges.ids(columns.target)
    for side, end in zip(("source", "target"), ends, strict=True):
        if count := end.null_count:
            first = int(np.argmax(end.is_null().to_numpy(zero_copy_only=False)))
            raise DataError(f"{edges.row(first)}: {side} is empty. {_such_edges(count)} "
                            "Every edge needs two ends.")
    return ends


def ids_in_edges(ends: Ends, is_text: bool) -> NodeIds:
    """The ids that occur in edges, in the order in which a reader of the table meets them.

    >>> ids_in_edges((pa.array(["9", "1"]), pa.array(["1", "2"])), is_text=True).values.to_pylist()
    [9, 1, 2]
    """
    source, target = ends
    if source.type != target.type:
        integers = pa.types.is_integer(source.type) and pa.types.is_integer(target.type)
        source, target = (end.cast(pa.int64() if integers else pa.string()) for end in ends)
    order = np.arange(2 * len(source)).reshape(2, -1).T.ravel()
    ids = pa.concat_arrays([source, target]).take(pa.array(order)).unique()
    return NodeIds(canonical_integers(ids) if is_text and _all_integers([ids]) else ids)


def node_ids(nodes: NamedTable, column: str, text_ends: Sequence[pa.Array] = ()) -> NodeIds:
    """The ids of a node table; those of a text file become integers if all are, there and in its edges.

    >>> node_ids(NamedTable.open(pa.table({"id": ["007", "008"]}), "nodes"), "id")[0]
    '007'
    """
    ids = nodes.ids(column)
    integers = nodes.is_text and _all_integers([ids, *text_ends])
    return NodeIds(canonical_integers(ids) if integers else ids, where=f"{nodes.name}, column {column!r}")


def known_edges(
    ends: Ends, ids: NodeIds, edges: NamedTable, nodes: NamedTable, *, drop: bool
) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray, list[str]]:
    """Positions of both ends, the rows of the edges kept, and notes; unknown ends are an error or dropped.

    >>> edges = NamedTable.open(pa.table({"s": ["a", "a"], "t": ["b", "x"]}), "edges")
    >>> nodes = NamedTable.open(pa.table({"id": ["a", "b"]}), "nodes")
    >>> known_edges((edges.ids("s"), edges.ids("t")), NodeIds(["a", "b"]), edges, nodes, drop=True)[2]
    ['dropped 1 edge with an end that is not in nodes']
    """
    source, target = (ids.positions(end) for end in ends)
    known = (source >= 0) & (target >= 0)
    rows = np.flatnonzero(known)
    unknown = len(known) - len(rows)
    if not unknown:
        return (source, target), rows, []
    if drop and not len(rows):
        raise DataError(f"{edges.name}: none of the {len(known):,} edges joins two nodes of {nodes.name} "
                        f"(ids there: {ids[0]!r}, ...; here: {ends[0][0].as_py()!r}, ...). "
                        "Is the id column the right one?")
    if not drop:
        first = int(np.argmin(known))
        side = 0 if source[first] < 0 else 1
        name, stranger = ("source", "target")[side], ends[side][first].as_py()
        raise DataError(f"{edges.row(first)}: {name} {stranger!r} is not in {nodes.name} ({len(ids):,} ids). "
                        f"{_such_edges(unknown)} Add the nodes, or pass --unknown-nodes drop.")
    note = f"dropped {unknown:,} edge{'s' * (unknown > 1)} with an end that is not in {nodes.name}"
    return (source[rows], target[rows]), rows, [note]


def _such_edges(count: int) -> str:
    return f"{count:,} such edge{'s' * (count > 1)}."


def _all_integers(columns: Sequence[pa.Array]) -> bool:
    return all(canonical_integers(column).null_count == 0 for column in columns)
