"""Node ids of any type, and the way from an id to its position."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from halflabel.errors import DataError, quote_some
from halflabel.ids.index import IdIndex
from halflabel.ids.keys import keys_of

BLOCK = 1 << 16  # ids in memory a second time


class NodeIds:
    """The ids of a graph's nodes, in node order; unique and never null.

    Numbers, strings and dates live in an Arrow array (compact, hashed look-up); anything else hashable,
    such as the tuples of a networkx grid, in a list.

    >>> ids = NodeIds(["ann", "bob"])
    >>> ids.positions(["bob", "eve"]).tolist()
    [1, -1]
    >>> ids[1]
    'bob'
    """

    def __init__(self, values: Sequence[Any] | np.ndarray | pa.Array | pa.ChunkedArray, where: str = "ids"):
        self.values = _arrow_or_list(values)
        self._check_unique(where)

    @classmethod
    def range(cls, n: int) -> NodeIds:
        """Ids 0 .. n-1, for graphs that come without any."""
        return cls.different(pa.array(np.arange(n, dtype=np.int64)))

    @classmethod
    def different(cls, values: pa.Array | list[Any]) -> NodeIds:
        """Ids that are known to be unique: not checked again."""
        ids = cls.__new__(cls)
        ids.values = values
        return ids

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, position: int) -> Any:
        value = self.values[int(position)]
        return value.as_py() if isinstance(value, pa.Scalar) else value

    def take(self, positions: np.ndarray) -> list[Any]:
        """The ids at these positions, as Python values."""
        if isinstance(self.values, list):
            return [self.values[int(i)] for i in positions]
        return self.values.take(pa.array(np.asarray(positions, dtype=np.int64))).to_pylist()

    def reordered(self, positions: np.ndarray) -> NodeIds:
        """The same ids in another order, of which `positions` is a permutation."""
        values = self.values
        listed = isinstance(values, list)
        return NodeIds.different(self.take(positions) if listed else values.take(pa.array(positions)))

    def to_arrow(self) -> pa.Array:
        """As an Arrow column; ids that Arrow cannot hold are written with str()."""
        return self.values if isinstance(self.values, pa.Array) else pa.array([str(v) for v in self.values])

    def positions(self, wanted: Sequence[Any] | np.ndarray | pa.Array | pa.ChunkedArray) -> np.ndarray:
        """Position of every wanted id, -1 where the graph has no such node.

        The integer 7 and the text "7" name the same node; "007" is another one.
        """
        column = _arrow_or_list(wanted)
        if isinstance(self.values, list):
            return self._positions_in_list(column if isinstance(column, list) else column.to_pylist())
        if isinstance(column, list):
            # A mixed bag, or integers beyond 64 bits: what can match does so as text.
            column = pa.array([v if v is None else str(v) for v in column], pa.string())
        return _positions(*_comparable(column, self.values))

    def _positions_in_list(self, wanted: list[Any]) -> np.ndarray:
        exact = (self._lookup.get(v, -1) for v in wanted)
        # A file can only hold text: (0, 1) is found again by the name to_arrow() wrote it with.
        found = (self._by_text.get(v, -1) if i < 0 and isinstance(v, str) else i
                 for i, v in zip(exact, wanted, strict=True))
        return np.fromiter(found, dtype=np.int64, count=len(wanted))

    @cached_property
    def _lookup(self) -> dict[Any, int]:
        return {value: i for i, value in enumerate(self.values)}

    @cached_property
    def _by_text(self) -> dict[str, int]:
        return {str(value): i for i, value in enumerate(self.values)}

    def _check_unique(self, where: str) -> None:
        if isinstance(self.values, list):
            if len(self._lookup) == len(self.values):
                return
            repeated = [v for i, v in enumerate(self.values) if self._lookup[v] != i]
        else:
            if empty := self.values.null_count:
                raise DataError(f"{where}: {empty:,} of {len(self.values):,} node ids are empty. "
                                "Every node needs an id.")
            if _all_different(self.values):
                return
            counts = self.values.value_counts()
            repeated = counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist()
        raise DataError(f"{where}: node ids must be unique; repeated: {quote_some(dict.fromkeys(repeated))}. "
                        "Remove the repeated rows, or choose another id column.")


def _positions(wanted: pa.Array, ids: pa.Array) -> np.ndarray:
    """The position of each wanted id. Arrow's table takes some 70 bytes an entry: it is made of the fewer."""
    if len(wanted) >= len(ids):
        return _filled(pc.index_in(wanted, ids))
    asked = wanted.dictionary_encode()
    answers = _filled(pc.index_in(ids, asked.dictionary))  # which of those asked for each id is
    at = np.flatnonzero(answers >= 0)
    position = np.full(len(asked.dictionary) + 1, -1)  # the last for no id at all
    position[answers[at]] = at
    return position[_filled(asked.indices)]


def _filled(found: pa.Array) -> np.ndarray:
    return pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)


def _all_different(values: pa.Array) -> bool:
    if (keys := keys_of(values)) is None:
        return len(values.unique()) == len(values)
    return IdIndex(len(values)).add(keys, len(values))


def _arrow_or_list(values: Any) -> pa.Array | list[Any]:
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if isinstance(values, pa.DictionaryArray):
        values = values.dictionary_decode()
    if isinstance(values, pa.Array):
        return values
    if isinstance(values, np.ndarray) and values.dtype != object:
        if values.dtype.kind == "c":  # Arrow knows none, and nobody is called so
            return values.tolist()
        return pa.array(values.astype(str) if values.dtype.kind == "U" else values)
    values = list(values)
    kinds = {bool if isinstance(v, (bool, np.bool_)) else type(v) for v in values if v is not None}
    # Arrow would turn 1 and 1.5 into floats and a tuple into a list: only columns of one plain type go there.
    if len(kinds) <= 1 and not any(issubclass(kind, (tuple, list, dict, set, frozenset)) for kind in kinds):
        try:
            return pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            return values
    return values


def _comparable(column: pa.Array, ids: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Both in one type that loses nothing: their own if they agree, else text where both can be written."""
    if column.type == ids.type:
        return column, ids
    if pa.types.is_null(column.type):
        return pa.nulls(len(column), ids.type), ids
    try:
        if pa.types.is_temporal(ids.type) and pa.types.is_temporal(column.type):
            return column.cast(ids.type), ids
        return as_text(column), as_text(ids)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.nulls(len(column), ids.type), ids


def as_text(column: pa.Array) -> pa.Array:
    """Ids of another type as the text that would name them in a file.

    >>> as_text(pa.array([7.0, None])).to_pylist()
    ['7', None]
    """
    if pa.types.is_floating(column.type):
        # pandas turns integers into floats as soon as one is missing; 1e15 must still be 1000000000000000.
        with contextlib.suppress(pa.ArrowInvalid):
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column).cast(pa.int64())
    return column.cast(pa.large_string())


def canonical_integers(text: pa.Array) -> pa.Array:
    """64-bit integers where the text is exactly what printing them would give, null elsewhere.

    >>> canonical_integers(pa.array(["7", "007", "x", "9223372036854775808"])).to_pylist()
    [7, None, None, None]
    """
    canonical = pc.match_substring_regex(text, r"^(0|-?[1-9][0-9]{0,18})$")
    digits = pc.utf8_ltrim(text, characters="-")
    # Nineteen digits need not fit: numbers of equal length compare as text does.
    too_large = pc.and_(pc.equal(pc.utf8_length(digits), 19), pc.greater(digits, str(2**63 - 1)))
    fits = pc.and_(canonical, pc.invert(too_large))
    return pc.if_else(fits, text, pa.scalar(None, text.type)).cast(pa.int64())


def as_integers(text: pa.Array) -> pa.Array | None:
    """All as 64-bit integers, or None if one of them is not exactly what printing an integer would give.

    >>> as_integers(pa.array(["7", "12"])).to_pylist(), as_integers(pa.array(["7", "007"]))
    ([7, 12], None)
    """
    blocks = []
    for first in range(0, len(text), BLOCK):  # mostly the first few tell
        blocks.append(canonical_integers(text.slice(first, BLOCK)))
        if blocks[-1].null_count:
            return None
    return pa.concat_arrays(blocks) if blocks else pa.array([], pa.int64())
