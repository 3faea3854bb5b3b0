"""From an id to its position: a hash table that takes seven bytes an id beside the ids themselves.

Arrow's own (`index_in`, `unique`) takes about two hundred, and builds it anew at every call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from halflabel.idkeys import Keys

EMPTY = -1
FULLEST = 0.7  # share of places taken, beyond which the table doubles
BLOCK = 1 << 18  # ids looked at together


class IdIndex:
    """Positions of the ids that were added, in the order in which they were.

    >>> from halflabel.idkeys import IntegerKeys
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
        found = np.full(len(wanted), EMPTY, dtype=np.int32)
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
        hashes = wanted.hashes(first, first + len(found))
        place, step = self._start(hashes)
        open_ = np.arange(len(found))
        while len(open_):
            entry = self._table[place[open_]]
            taken = entry != EMPTY
            open_, entry = open_[taken], entry[taken]
            equal = wanted.same(open_ + first, stored, entry)
            found[open_[equal]] = entry[equal]
            open_ = open_[~equal]
            self._advance(place, step, open_)

    def _add_block(self, stored: Keys, first: int, stop: int) -> bool:
        place, step = self._start(stored.hashes(first, stop))
        open_ = np.arange(stop - first)
        while len(open_):
            free = open_[self._table[place[open_]] == EMPTY]
            self._table[place[free]] = free + first
            # Of several that want one place one gets it; which does not matter.
            entry = self._table[place[open_]]
            lost = entry != open_ + first
            open_, entry = open_[lost], entry[lost]
            if stored.same(open_ + first, stored, entry).any():  # equal ids meet on the same way
                return False
            self._advance(place, step, open_)
        return True

    def _start(self, hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        bits = np.uint64(64 - (len(self._table).bit_length() - 1))
        # An odd step visits every place of a table whose size is a power of two.
        return (hashes >> bits).astype(np.int64), (hashes.astype(np.uint32) | np.uint32(1)).astype(np.int64)

    def _advance(self, place: np.ndarray, step: np.ndarray, rows: np.ndarray) -> None:
        place[rows] = (place[rows] + step[rows]) & (len(self._table) - 1)


def _empty_table(expected: int) -> Any:
    size = 1 << max(10, int(expected / FULLEST).bit_length())
    return np.full(size, EMPTY, dtype=np.int32)
