"""Ids that are met one after another, each kept once and found again by hash."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from halflabel.ids.index import IdIndex
from halflabel.ids.keys import IntegerKeys, Keys, TextKeys, is_integer, is_text, keys_of
from halflabel.ids.nodeids import NodeIds, as_text

LARGEST_OFFSET = 2**31 - 1  # of Arrow's ordinary strings


def finder(ids: NodeIds, kind: pa.DataType) -> Callable[[pa.Array], np.ndarray]:
    """What finds the positions of ids of this type among `ids`, column after column; -1 where there is none.

    As `ids.positions`, with a table that is built once and takes a few bytes an id.

    >>> find = finder(NodeIds(["ann", "bob"]), pa.string())
    >>> find(pa.array(["bob", "eve"])).tolist()
    [1, -1]
    """
    values = ids.values
    if isinstance(values, list) or not all(is_text(k) or is_integer(k) for k in (kind, values.type)):
        return ids.positions
    common = as_text if is_text(kind) != is_text(values.type) else _as_it_is
    index, stored = IdIndex(len(values)), _keys(common(values))
    index.add(stored, len(values))
    return lambda wanted: index.find(_keys(common(wanted)), stored)


def store_for(kind: pa.DataType) -> IdStore | ArrowStore:
    """An empty store for ids of a type.

    >>> type(store_for(pa.int32())).__name__, type(store_for(pa.date32())).__name__
    ('IdStore', 'ArrowStore')
    """
    return IdStore(kind) if is_text(kind) or is_integer(kind) else ArrowStore(kind)


def _as_it_is(column: pa.Array) -> pa.Array:
    return column


def _keys(column: pa.Array) -> Keys:
    keys = keys_of(column)
    assert keys is not None  # types were looked at before
    return keys


class IdStore:
    """Ids in the order in which they were added.

    >>> store = IdStore(pa.string())
    >>> store.add(pa.array(["ann", "bob"]))
    >>> store.find(pa.array(["bob", "eve"])).tolist()
    [1, -1]
    >>> store.to_arrow().to_pylist()
    ['ann', 'bob']
    """

    def __init__(self, kind: pa.DataType):
        self._kind = kind
        self._text = is_text(kind)
        self._index = IdIndex()
        self._values = Growing(np.uint8 if self._text else np.int64)
        self._ends = Growing(np.int64)  # of each text
        self._ends.append(np.zeros(1, dtype=np.int64))

    def find(self, wanted: pa.Array) -> np.ndarray:
        """The position of each, -1 where it was not added."""
        return self._index.find(_keys(wanted), self._stored())

    def add(self, new: pa.Array) -> None:
        """Add ids that are all different and not there yet."""
        keys = _keys(new)
        if isinstance(keys, TextKeys):
            size = self._ends.filled()[-1]
            self._values.append(keys.data[keys.offsets[0] : keys.offsets[-1]])
            self._ends.append(keys.offsets[1:].astype(np.int64) - keys.offsets[0] + size)
        else:
            self._values.append(keys.values)
        self._index.add(self._stored(), self._index.count + len(new))

    def to_arrow(self) -> pa.Array:
        """All ids, without a copy where their type allows; nothing can be added or found afterwards."""
        del self._index
        if not self._text:
            return pa.array(self._values.cut()).cast(self._kind)
        ends, data = self._ends.cut(), pa.py_buffer(self._values.cut())
        small = len(data) <= LARGEST_OFFSET
        ends = ends.astype(np.int32) if small else ends
        kind = pa.string() if small else pa.large_string()
        ids = pa.Array.from_buffers(kind, len(ends) - 1, [None, pa.py_buffer(ends), data])
        return ids if kind == self._kind or not small else ids.cast(self._kind)

    def _stored(self) -> Keys:
        if self._text:
            return TextKeys(self._ends.filled(), self._values.filled())
        return IntegerKeys(self._values.filled())


class ArrowStore:
    """As IdStore, for ids of any other type, such as dates: slower, as Arrow builds its table every time.

    >>> store = ArrowStore(pa.float64())
    >>> store.add(pa.array([1.5]))
    >>> store.find(pa.array([2.5, 1.5])).tolist()
    [-1, 0]
    """

    def __init__(self, kind: pa.DataType):
        self._ids = pa.array([], kind)

    def find(self, wanted: pa.Array) -> np.ndarray:
        """The position of each, -1 where it was not added."""
        found = pc.fill_null(pc.index_in(wanted, self._ids), -1)
        return found.to_numpy(zero_copy_only=False).copy()  # the caller fills in who is new

    def add(self, new: pa.Array) -> None:
        """Add ids that are all different and not there yet."""
        self._ids = pa.concat_arrays([self._ids, new])

    def to_arrow(self) -> pa.Array:
        """All ids."""
        return self._ids


class Growing:
    """An array that grows where it lies: the system moves its pages, nothing is there twice.

    >>> numbers = Growing(np.int64)
    >>> numbers.append(np.array([1, 2]))
    >>> numbers.append(np.array([3]))
    >>> numbers.cut().tolist()
    [1, 2, 3]
    """

    def __init__(self, dtype: type[np.generic]):
        self._array = np.zeros(1024, dtype=dtype)
        self._size = 0

    def append(self, values: np.ndarray) -> None:
        """Add values at the end; what `filled` gave before must not be used any more."""
        size = self._size + len(values)
        if size > len(self._array):
            self._array.resize(max(size, len(self._array) * 5 // 4), refcheck=False)
        self._array[self._size : size] = values
        self._size = size

    def filled(self) -> np.ndarray:
        """All values so far, until more are added."""
        return self._array[: self._size]

    def cut(self) -> np.ndarray:
        """The array itself, as long as its values; none can be added any more."""
        self._array.resize(self._size, refcheck=False)
        return self._array
