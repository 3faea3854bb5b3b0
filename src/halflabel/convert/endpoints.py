"""From the ids at the ends of edges to positions of nodes, piece by piece."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from halflabel.convert.columns import EdgeColumns
from halflabel.convert.streams import TableStream
from halflabel.convert.tables import NamedTable
from halflabel.errors import DataError, short
from halflabel.ids import NodeIds, as_integers, canonical_integers
from halflabel.ids.store import finder, store_for

Ends = tuple[pa.Array, pa.Array]
SIDES = ("source", "target")


class Placed(NamedTuple):
    """Positions of both ends of some edges, and the rows of the piece that these edges were in."""

    source: np.ndarray
    target: np.ndarray
    rows: np.ndarray | None = None  # None for all

    def weights(self, weight: np.ndarray | None) -> np.ndarray | None:
        """Of these edges, from those of all rows."""
        return weight if weight is None or self.rows is None else weight[self.rows]

    def row(self, i: int) -> int:
        """The row of an edge."""
        return i if self.rows is None else int(self.rows[i])


class EmptyEnds:
    """Counts edges that lack an end, so that the message can say how many there are.

    >>> empty = EmptyEnds()
    >>> edges = NamedTable.open(pa.table({"source": ["a"], "target": [None]}), "edges")
    >>> empty.found_in(edges, (edges.ids("source"), edges.ids("target")))
    True
    >>> empty.complain()
    Traceback (most recent call last):
    halflabel.errors.DataError: edges row 0: target is empty. 1 such edge. Every edge needs two ends.
    """

    def __init__(self) -> None:
        self._first = ["", ""]
        self._count = [0, 0]

    def found_in(self, piece: NamedTable, ends: Ends) -> bool:
        """Whether there was one up to and with this piece; then nothing else needs to be done."""
        for side, end in enumerate(ends):
            if end.null_count and not self._count[side]:
                self._first[side] = piece.row(int(np.argmax(end.is_null().to_numpy(zero_copy_only=False))))
            self._count[side] += end.null_count
        return any(self._count)

    def complain(self) -> None:
        """Raise if there was one."""
        for side, first, count in zip(SIDES, self._first, self._count, strict=True):
            if count:
                raise DataError(f"{first}: {side} is empty. {_such_edges(count)} Every edge needs two ends.")


class IdsInEdges:
    """Nodes are whoever occurs in an edge, in the order in which a reader of the table meets them.

    >>> edges = TableStream.open(pa.table({"s": ["b", "a"], "t": ["a", "c"]}), "edges")
    >>> nodes = IdsInEdges(edges, EdgeColumns("s", "t", None, []))
    >>> nodes.place(edges.name, (pa.array(["b", "a"]), pa.array(["a", "c"])))[:2]
    (array([0, 1], dtype=int32), array([1, 2], dtype=int32))
    >>> nodes.ids().values.to_pylist()
    ['b', 'a', 'c']
    """

    def __init__(self, edges: TableStream, columns: EdgeColumns):
        kinds = edges.id_type(columns.source), edges.id_type(columns.target)
        integers = all(pa.types.is_integer(kind) for kind in kinds)
        same = kinds[0] == kinds[1]
        self._kind = kinds[0] if same else pa.int64() if integers else pa.string()
        self._name, self._is_text = edges.name, edges.is_text
        self._store = store_for(self._kind)

    def place(self, piece: NamedTable, ends: Ends) -> Placed:
        """Positions of both ends; who is new gets the next one."""
        try:
            both = [end.cast(self._kind) for end in ends]
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise DataError(f"{self._name}: ids of type {ends[0].type} at one end and {ends[1].type} at the "
                            f"other ({error}). Give both columns one type, for example text.") from error
        at = [self._store.find(end) for end in both]
        new = [np.flatnonzero(found < 0) for found in at]
        if len(new[0]) or len(new[1]):
            names = [end.take(pa.array(rows)) for end, rows in zip(both, new, strict=True)]
            met = np.argsort(np.concatenate([2 * new[0], 2 * new[1] + 1]))  # row by row, source first
            self._store.add(pa.concat_arrays(names).take(pa.array(met)).unique())
            for found, rows, strangers in zip(at, new, names, strict=True):
                found[rows] = self._store.find(strangers)
        return Placed(*at)

    def ids(self) -> NodeIds:
        """All that were met; integers if they come from a text file and all are."""
        return NodeIds.different(_typed(self._store.to_arrow(), self._is_text))


class IdsOfNodes:
    """Nodes are those of a node table; an end that is not among them is an error, or drops the edge.

    >>> edges = TableStream.open(pa.table({"s": ["a", "a"], "t": ["b", "x"]}), "edges")
    >>> table = TableStream.open(pa.table({"id": ["a", "b"]}), "nodes")
    >>> nodes = IdsOfNodes(edges, EdgeColumns("s", "t", None, []), table, "id", drop=True)
    >>> nodes.place(NamedTable(pa.table({}), "edges"), (pa.array(["a", "a"]), pa.array(["b", "x"]))).rows
    array([0])
    >>> nodes.ids()[0], nodes.notes()
    ('a', ['dropped 1 edge with an end that is not in nodes'])
    """

    def __init__(
        self, edges: TableStream, columns: EdgeColumns, nodes: TableStream, column: str, *, drop: bool
    ):
        self._edges, self._nodes, self._drop = edges, nodes, drop
        nodes.id_type(column)  # nothing that cannot be an id
        values = nodes.read([column]).ids(column)
        self._integers = as_integers(values) if nodes.is_text else None
        if self._integers is not None and not edges.is_text:
            values, self._integers = self._integers, None
        self._ids = NodeIds(values, where=f"{nodes.name}, column {column!r}")
        kinds = [edges.id_type(name) for name in (columns.source, columns.target)]
        finders = {kind: finder(self._ids, kind) for kind in dict.fromkeys(kinds)}
        self._find = [finders[kind] for kind in kinds]
        self._count = self._unknown = 0
        self._stranger = self._example = ""

    def __len__(self) -> int:
        return len(self._ids)

    def place(self, piece: NamedTable, ends: Ends) -> Placed:
        """Positions of both ends, of the edges between two nodes of the table."""
        source, target = (find(end) for find, end in zip(self._find, ends, strict=True))
        known = (source >= 0) & (target >= 0)
        rows = np.flatnonzero(known)
        self._example = self._example or (short(ends[0][0].as_py()) if len(known) else "")
        self._count += len(known)
        if len(rows) == len(known):
            return Placed(source, target)
        first = int(np.argmin(known))
        if not self._unknown:
            side = 0 if source[first] < 0 else 1
            self._stranger = f"{piece.row(first)}: {SIDES[side]} {short(ends[side][first].as_py())}"
        self._unknown += len(known) - len(rows)
        if self._integers is not None:  # "02" is not 2: then 2 is text as well
            strangers = [end.filter(pa.array(at < 0)) for end, at in zip(ends, (source, target), strict=True)]
            if any(canonical_integers(names).null_count for names in strangers):
                self._integers = None
        return Placed(source[rows], target[rows], rows)

    def ids(self) -> NodeIds:
        """The ids of the table; integers if both files are text and all are, there and in the edges."""
        ids = self._ids if self._integers is None else NodeIds.different(self._integers)
        if self._unknown and not self._drop:
            raise DataError(f"{self._stranger} is not in {self._nodes.name} ({len(ids):,} ids). "
                            f'{_such_edges(self._unknown)} Add the nodes, or pass unknown_nodes="drop".')
        if self._unknown and self._unknown == self._count:
            raise DataError(f"{self._edges.name}: none of the {self._count:,} edges joins two nodes of "
                            f"{self._nodes.name} (ids there: {short(ids[0])}, ...; here: {self._example}, "
                            "...). Is the id column the right one?")
        return ids

    def notes(self) -> list[str]:
        """What was dropped."""
        count = self._unknown
        edges = f"{count:,} edge{'s' * (count > 1)}"
        return [f"dropped {edges} with an end that is not in {self._nodes.name}"] if count else []


def _typed(ids: pa.Array, from_text: bool) -> pa.Array:
    integers = as_integers(ids) if from_text else None
    return ids if integers is None else integers


def _such_edges(count: int) -> str:
    return f"{count:,} such edge{'s' * (count > 1)}."
