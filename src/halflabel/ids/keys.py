"""Ids as the hash table sees them: text or integers, hashed and compared a million at a time, in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

WORD = 8
MASKS = np.array([(1 << 8 * size) - 1 for size in range(WORD + 1)], dtype=np.uint64)
MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))  # odd, with bits spread evenly


class TextKeys:
    """Strings as one run of bytes and the places where each begins.

    >>> keys = TextKeys.of(pa.array(["ann", "a longer name", "ann"]))
    >>> one, other, again = keys.hashes(0, 3).tolist()
    >>> one == again, one == other
    (True, False)
    >>> keys.same(np.array([0, 0]), keys, np.array([1, 2])).tolist()
    [False, True]
    """

    def __init__(self, offsets: np.ndarray, data: np.ndarray):
        self.offsets, self.data = offsets, data
        if len(data) < WORD:
            data = np.concatenate([data, np.zeros(WORD, dtype=np.uint8)])
        self._last = len(data) - WORD
        # Eight bytes from any place on: the rows of this view overlap.
        self._words = np.ndarray((self._last + 1,), "<u8", buffer=data, strides=(1,))

    @classmethod
    def of(cls, ids: pa.Array) -> TextKeys:
        """Look at an Arrow column of strings, without a copy."""
        if not (pa.types.is_string(ids.type) or pa.types.is_large_string(ids.type)):
            ids = ids.cast(pa.large_string())
        _, offsets, data = ids.buffers()
        kind = np.int64 if pa.types.is_large_string(ids.type) else np.int32
        if offsets is None or not len(ids):
            return cls(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint8))
        places = np.frombuffer(offsets, kind)[ids.offset : ids.offset + len(ids) + 1]
        return cls(places, np.frombuffer(data or b"", np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def hashes(self, first: int, stop: int) -> np.ndarray:
        """A 64-bit hash of each id from first to below stop."""
        begin, length = self._extent(slice(first, stop), slice(first + 1, stop + 1))
        found = mixed(length.astype(np.uint64))
        rows, word = _longer(length, 0), 0
        while rows is not None:
            found[rows] = mixed(found[rows] ^ (self._word(begin[rows], word) & _mask(length[rows], word)))
            word += 1
            rows = _longer(length, word)
        return found

    def same(self, rows: np.ndarray, other: Any, places: np.ndarray) -> np.ndarray:
        """Whether these ids are equal, pair by pair, to those at `places` of other keys of the kind."""
        begin, length = self._extent(rows, rows + 1)
        there, size = other._extent(places, places + 1)
        equal = length == size
        open_, word = _longer(np.where(equal, length, 0), 0), 0
        while open_ is not None:
            unlike = self._word(begin[open_], word) ^ other._word(there[open_], word)
            equal[open_] = (unlike & _mask(length[open_], word)) == 0
            word += 1
            open_ = _longer(np.where(equal, length, 0), word)
        return equal

    def _extent(self, rows: np.ndarray | slice, after: np.ndarray | slice) -> tuple[np.ndarray, np.ndarray]:
        """Where these ids begin, and how many bytes they have."""
        begin = self.offsets[rows].astype(np.int64)
        return begin, self.offsets[after] - begin

    def _word(self, begin: np.ndarray, word: int) -> np.ndarray:
        """Eight bytes of each id, with what follows it where it is shorter."""
        at = begin + WORD * word
        if at.max() <= self._last:
            return self._words[at]
        inside = np.minimum(at, self._last)  # near the end of the data: read earlier, and shift
        return self._words[inside] >> ((at - inside) * 8).astype(np.uint64)


class IntegerKeys:
    """Integers of 64 bits.

    >>> keys = IntegerKeys(np.array([7, 8]))
    >>> keys.same(np.array([0, 1]), keys, np.array([1, 1])).tolist()
    [False, True]
    """

    def __init__(self, values: np.ndarray):
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def hashes(self, first: int, stop: int) -> np.ndarray:
        """A 64-bit hash of each id from first to below stop."""
        return mixed(self.values[first:stop].view(np.uint64))

    def same(self, rows: np.ndarray, other: Any, places: np.ndarray) -> np.ndarray:
        """Whether these ids are equal, pair by pair, to those at `places` of other keys of the kind."""
        return self.values[rows] == other.values[places]


Keys = TextKeys | IntegerKeys


def is_text(kind: pa.DataType) -> bool:
    """Whether ids of this type are strings.

    >>> is_text(pa.string()), is_text(pa.date32())
    (True, False)
    """
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def is_integer(kind: pa.DataType) -> bool:
    """Whether ids of this type are integers of at most 64 bits with a sign.

    >>> is_integer(pa.int32()), is_integer(pa.uint64())
    (True, False)
    """
    return pa.types.is_integer(kind) and kind != pa.uint64()


def keys_of(ids: pa.Array) -> Keys | None:
    """A column as keys, None if it is neither text nor integers.

    >>> len(keys_of(pa.array(["a", "b"]))), keys_of(pa.array([0.5]))
    (2, None)
    """
    if is_text(ids.type):
        return TextKeys.of(ids)
    return IntegerKeys(ids.cast(pa.int64()).to_numpy()) if is_integer(ids.type) else None


def mixed(bits: np.ndarray) -> np.ndarray:
    """Every bit of the input changes about half of those of the output [the finaliser of SplitMix64].

    >>> len(set(mixed(np.arange(1000, dtype=np.uint64)).tolist()))
    1000
    """
    bits = (bits + MIX[0]) * MIX[1]
    bits ^= bits >> np.uint64(31)
    bits *= MIX[0]
    bits ^= bits >> np.uint64(29)
    return bits


def _longer(length: np.ndarray, word: int) -> np.ndarray | slice | None:
    """Which ids have bytes from this word on: all, some, or None."""
    longer = length > WORD * word
    if longer.all():
        return slice(None) if len(longer) else None
    return np.flatnonzero(longer) if longer.any() else None


def _mask(length: np.ndarray, word: int) -> np.ndarray:
    """The bytes of a word that belong to the id."""
    return MASKS[np.minimum(length - WORD * word, WORD)]
