"""From an id to its position: a hash table that takes some twenty bytes an id beside the ids themselves.

Arrow's own (`index_in`, `unique`) takes some seventy, and builds it anew at every call.
"""

from __future__ import annotations

import numpy as np

from halflabel.ids.keys import Keys

# An entry is a tag of 31 bits from the hash, and below it the position.
HALF, LOWER, TAG = np.uint64(32), np.uint64(2**32 - 1), np.uint64(2**31 - 1)
EMPTY = np.uint64(2**64 - 1)
FULLEST = 0.7  # share of places taken, beyond which the table doubles
BLOCK = 1 << 16  # ids looked at together


class IdIndex:
    """Positions of the ids that were added, in the order in which they were.

    >>> from halflabel.ids.keys import IntegerKeys
    >>> keys = IntegerKeys(np.array([30, 10, 20]))
    >>> index = IdIndex()
    >>> index.add(keys, 3)
    True
    >>> index.find(IntegerKeys(np.array([20, 99])), keys).tolist()
    [2, -1]
    """

    def __init__(self, expected: int = 0):
        self._table = _empty_table(expected)
        self.count = 0

    def find(self, wanted: Keys, stored: Keys) -> np.ndarray:
        """The position of each wanted id, -1 if it was not added; `stored` are all that were, in order."""
        found = np.full(len(wanted), -1, dtype=np.int32)
        for first in range(0, len(wanted), BLOCK):
            stop = min(first + BLOCK, len(wanted))
            self._find_block(wanted, stored, first, found[first:stop])
        return found

    def add(self, stored: Keys, stop: int) -> bool:
        """Enter those of the stored ids, up to below stop, that were not entered yet.

        All must be different: False, and an index of no use, if they are not.
        """
        if stop > FULLEST * len(self._table):
            self._table, self.count = _empty_table(stop), 0
        different = all(self._add_block(stored, first, min(first + BLOCK, stop))
                        for first in range(self.count, stop, BLOCK))
        self.count = stop
        return different

    def _find_block(self, wanted: Keys, stored: Keys, first: int, found: np.ndarray) -> None:
        place, tag = self._start(wanted.hashes(first, first + len(found)))
        open_ = np.arange(len(found))
        while len(open_):
            entry = self._table[place]
            like = np.flatnonzero((entry >> HALF) == tag)
            likely = (entry[like] & LOWER).astype(np.int64)
            equal = wanted.same(open_[like] + first, stored, likely)
            found[open_[like[equal]]] = likely[equal]
            entry[like[equal]] = EMPTY
            open_, place, tag = self._next(np.flatnonzero(entry != EMPTY), open_, place, tag)

    def _add_block(self, stored: Keys, first: int, stop: int) -> bool:
        place, tag = self._start(stored.hashes(first, stop))
        open_ = np.arange(stop - first)
        while len(open_):
            own = (tag << HALF) | (open_ + first).astype(np.uint64)
            free = np.flatnonzero(self._table[place] == EMPTY)
            self._table[place[free]] = own[free]
            # Of several that want one place one gets it; which does not matter.
            entry = self._table[place]
            like = np.flatnonzero(((entry >> HALF) == tag) & (entry != own))
            other = (entry[like] & LOWER).astype(np.int64)
            if stored.same(open_[like] + first, stored, other).any():  # equal ids meet on the same way
                return False
            open_, place, tag = self._next(np.flatnonzero(entry != own), open_, place, tag)
        return True

    def _start(self, hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where to look first, from the upper bits, and what tells ids apart without looking at them."""
        bits = np.uint64(64 - (len(self._table).bit_length() - 1))
        return (hashes >> bits).astype(np.int64), hashes & TAG

    def _next(
        self, rows: np.ndarray, open_: np.ndarray, place: np.ndarray, tag: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Those of the open ones that must look further, and where."""
        tag = tag[rows]
        # An odd step visits every place of a table whose size is a power of two.
        step = (tag | np.uint64(1)).astype(np.int64)
        return open_[rows], (place[rows] + step) & (len(self._table) - 1), tag


def _empty_table(expected: int) -> np.ndarray:
    size = 1 << max(10, int(expected / FULLEST).bit_length())
    return np.full(size, EMPTY, dtype=np.uint64)
