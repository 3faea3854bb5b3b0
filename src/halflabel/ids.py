"""Node ids of any type, and the way from an id to its position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from halflabel.errors import DataError, quote_some


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
        return cls(pa.array(np.arange(n, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, position: int) -> Any:
        value = self.values[int(position)]
        return value.as_py() if isinstance(value, pa.Scalar) else value

    def take(self, positions: np.ndarray) -> list[Any]:
        """The ids at these positions, as Python values."""
        if isinstance(self.values, pa.Array):
            return self.values.take(pa.array(np.asarray(positions, dtype=np.int64))).to_pylist()
        return [self.values[int(i)] for i in positions]

    def to_arrow(self) -> pa.Array:
        """As an Arrow column; ids that Arrow cannot hold are written with str()."""
        return self.values if isinstance(self.values, pa.Array) else pa.array([str(v) for v in self.values])

    def positions(self, wanted: Sequence[Any] | np.ndarray | pa.Array | pa.ChunkedArray) -> np.ndarray:
        """Position of every wanted id, -1 where the graph has no such node.

        The integer 7 and the text "7" name the same node; "007" is another one.
        """
        if isinstance(self.values, list):
            return np.array([self._lookup.get(v, -1) for v in wanted], dtype=np.int64)
        column = _arrow_or_list(wanted)
        if isinstance(column, list):
            return np.full(len(column), -1, dtype=np.int64)
        found = pc.index_in(_cast_like(column, self.values.type), value_set=self.values)
        return pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)

    @cached_property
    def _lookup(self) -> dict[Any, int]:
        return {value: i for i, value in enumerate(self.values)}

    def _check_unique(self, where: str) -> None:
        if isinstance(self.values, list):
            if len(self._lookup) == len(self.values):
                return
            repeated = [v for i, v in enumerate(self.values) if self._lookup[v] != i]
        else:
            if self.values.null_count:
                raise DataError(f"{where}: {self.values.null_count:,} of {len(self.values):,} node ids are empty. "
                                "Every node needs an id.")
            if pc.count_distinct(self.values).as_py() == len(self.values):
                return
            counts = self.values.value_counts()
            repeated = counts.filter(pc.greater(counts.field("counts"), 1)).field("values").to_pylist()
        raise DataError(f"{where}: node ids must be unique; repeated: {quote_some(dict.fromkeys(repeated))}. "
                        "Remove the repeated rows, or choose another id column.")


def _arrow_or_list(values: Any) -> pa.Array | list[Any]:
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if isinstance(values, pa.DictionaryArray):
        values = values.dictionary_decode()
    if isinstance(values, pa.Array):
        return values
    if isinstance(values, np.ndarray) and values.dtype != object:
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


def _cast_like(column: pa.Array, wanted: pa.DataType) -> pa.Array:
    """Cast between integers and text where nothing is lost; leave ids that cannot be cast unmatched."""
    if column.type == wanted:
        return column
    as_text = pc.cast(column, pa.string(), safe=False) if not pa.types.is_null(column.type) else column
    if pa.types.is_string(wanted) or pa.types.is_large_string(wanted):
        return as_text.cast(wanted)
    if pa.types.is_integer(wanted):
        return canonical_integers(as_text).cast(wanted, safe=False)
    try:
        return column.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.nulls(len(column), wanted)


def canonical_integers(text: pa.Array) -> pa.Array:
    """Integers where the text is exactly what printing them would give, null elsewhere.

    >>> canonical_integers(pa.array(["7", "007", "x"])).to_pylist()
    [7, None, None]
    """
    # At most 18 digits: those always fit 64 bits.
    canonical = pc.match_substring_regex(text, r"^(0|-?[1-9][0-9]{0,17})$")
    return pc.if_else(canonical, text, pa.scalar(None, text.type)).cast(pa.int64())
