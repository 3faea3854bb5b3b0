"""Ids as the hash table sees them: text or integers, hashed and compared a million at a time, in numpy."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

WORD = 8
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
        rows = np.arange(first, stop)
        length = self.lengths(rows)
        found = _mixed(length.astype(np.uint64))
        longer, word = np.arange(len(rows)), 0
        while len(longer := longer[length[longer] > WORD * word]):
            found[longer] = _mixed(found[longer] ^ self.word(rows[longer], length[longer], word))
            word += 1
        return found

    def same(self, rows: np.ndarray, other: TextKeys, places: np.ndarray) -> np.ndarray:
        """Whether these ids are equal, pair by pair, to those at `places` of the other keys."""
        length = self.lengths(rows)
        equal = length == other.lengths(places)
        open_, word = np.flatnonzero(equal & (length > 0)), 0
        while len(open_):
            size = length[open_]
            alike = self.word(rows[open_], size, word) == other.word(places[open_], size, word)
            equal[open_[~alike]] = False
            word += 1
            open_ = open_[alike & (size > WORD * word)]
        return equal

    def lengths(self, rows: np.ndarray) -> np.ndarray:
        """Bytes of each."""
        return self.offsets[rows + 1] - self.offsets[rows]

    def word(self, rows: np.ndarray, length: np.ndarray, word: int) -> np.ndarray:
        """Eight bytes of each id, zero beyond its end."""
        begin = self.offsets[rows].astype(np.int64) + WORD * word
        inside = np.minimum(begin, self._last)  # near the end of the data: read earlier, and shift
        values = self._words[inside] >> ((begin - inside) * WORD).astype(np.uint64)
        beyond = np.maximum(WORD - (length - WORD * word), 0).astype(np.uint64) * np.uint64(8)
        return (values << beyond) >> beyond


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
        return _mixed(self.values[first:stop].view(np.uint64))

    def same(self, rows: np.ndarray, other: IntegerKeys, places: np.ndarray) -> np.ndarray:
        """Whether these ids are equal, pair by pair, to those at `places` of the other keys."""
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


def _mixed(bits: np.ndarray) -> np.ndarray:
    """Every bit of the input changes about half of those of the output [the finaliser of SplitMix64]."""
    bits = (bits + MIX[0]) * MIX[1]
    bits ^= bits >> np.uint64(31)
    bits *= MIX[0]
    bits ^= bits >> np.uint64(29)
    return bits
