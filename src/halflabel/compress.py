"""Edges in any order become compressed rows, with little memory beside the result.

Edges are sorted a quarter of a million at a time; where there are more, sorted runs wait in a temporary file
and are merged from there. An edge is one 64-bit key: its source above, its target below.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from halflabel.files.spool import Spool

RUN = 1 << 18  # edges sorted at a time
PARTS = 64  # in which many runs are merged
SAMPLE = 1 << 8  # every so many keys of a run one is kept, to find places in the file


class Rows(NamedTuple):
    """Compressed rows: sorted, each edge once, no self-loops; and how many edges that took away.

    >>> Rows(np.array([0, 1, 1]), np.array([1]), None, loops=0, merged=2).notes()
    ['merged 2 repeated edges']
    """

    indptr: np.ndarray
    indices: np.ndarray
    weight: np.ndarray | None
    loops: int
    merged: int

    def notes(self) -> list[str]:
        """What was changed."""
        counts = ((self.loops, "dropped", "self-loop"), (self.merged, "merged", "repeated edge"))
        return [f"{verb} {count:,} {noun}{'s' * (count > 1)}" for count, verb, noun in counts if count]


class EdgeSorter:
    """Takes edges piece by piece, as positions; gives them back as compressed rows.

    Weights of repeated edges add up; without weights a repeated edge is one edge.

    >>> edges = EdgeSorter()
    >>> edges.add(np.array([1, 0, 1]), np.array([1, 2, 0]))
    >>> edges.add(np.array([0, 0]), np.array([2, 1]))
    >>> rows = edges.rows(n=3)
    >>> rows.indptr.tolist(), rows.indices.tolist(), rows.notes()
    ([0, 2, 3, 3], [1, 2, 0], ['dropped 1 self-loop', 'merged 1 repeated edge'])
    """

    def __init__(self, weighted: bool = False):
        self.weighted = weighted
        self._waiting: list[tuple[np.ndarray, np.ndarray | None]] = []
        self._waiting_count = self._kept = self._loops = 0
        self._keys, self._weights = Spool(np.int64), Spool(np.float32)
        self._samples: list[np.ndarray] = []  # of each run that was written
        self._starts = [0]

    def add(self, source: np.ndarray, target: np.ndarray, weight: np.ndarray | None = None) -> None:
        """Take some edges; with weights always or never."""
        for first in range(0, len(source), RUN):  # in pieces: the keys of all are twice the edges
            piece = slice(first, first + RUN)
            self._add_piece(source[piece], target[piece], None if weight is None else weight[piece])

    def rows(self, n: int) -> Rows:
        """All edges so far, as compressed rows of n nodes."""
        indptr = np.zeros(n + 1, dtype=np.int64)
        # Never touched beyond what the edges fill, and cut to that at the end.
        indices = np.empty(self._kept, dtype=np.int32)
        weights = np.empty(self._kept if self.weighted else 0, dtype=np.float32)
        at = 0
        for keys, weight in self._merged():
            part = slice(at, at + len(keys))
            indices[part] = keys.astype(np.int32)  # the lower half
            if weight is not None:
                weights[part] = weight
            source = keys >> 32
            first = int(source[0]) if len(source) else 0
            counts = np.bincount(source - first)
            indptr[first + 1 : first + 1 + len(counts)] += counts
            at += len(keys)
        np.cumsum(indptr, out=indptr)
        indices.resize(at, refcheck=False)
        weights.resize(at if self.weighted else 0, refcheck=False)
        return Rows(indptr, indices, weights if self.weighted else None, self._loops, self._kept - at)

    def _add_piece(self, source: np.ndarray, target: np.ndarray, weight: np.ndarray | None) -> None:
        keys = (source.astype(np.int64) << 32) | target.astype(np.int64)
        apart = source != target
        kept = int(np.count_nonzero(apart))
        weight = None if weight is None else np.asarray(weight, dtype=np.float32)
        if kept < len(keys):
            keys, weight = keys[apart], None if weight is None else weight[apart]
        self._loops += len(apart) - kept
        self._kept += kept
        self._waiting.append((keys, weight))
        self._waiting_count += kept
        if self._waiting_count > RUN:
            self._write_run()

    def _sort_waiting(self) -> tuple[np.ndarray, np.ndarray | None]:
        waiting, self._waiting, self._waiting_count = self._waiting, [], 0
        return _sorted(waiting, self.weighted)

    def _write_run(self) -> None:
        keys, weight = self._sort_waiting()
        if weight is None:
            keys = keys[_first_of_each(keys)]
        else:
            self._weights.append(weight)
        self._keys.append(keys)
        self._samples.append(keys[::SAMPLE].copy())
        self._starts.append(self._starts[-1] + len(keys))

    def _merged(self) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
        """All edges in order, each once, some at a time."""
        if not self._samples:
            yield _each_once(*self._sort_waiting())
            return
        if self._waiting_count:
            self._write_run()
        samples = np.sort(np.concatenate(self._samples))
        cuts = np.unique(samples[:: max(1, max(RUN, self._kept // PARTS) // SAMPLE)])
        for low, high in pairwise([*cuts, np.iinfo(np.int64).max]):
            pieces = [self._between(run, low, high) for run in range(len(self._samples))]
            yield _each_once(*_sorted(pieces, self.weighted))

    def _between(self, run: int, low: int, high: int) -> tuple[np.ndarray, np.ndarray | None]:
        """The keys of a run from low to below high, and their weights."""
        samples, start, stop = self._samples[run], self._starts[run], self._starts[run + 1]
        before, after = np.searchsorted(samples, [low, high])
        first = start + SAMPLE * max(int(before) - 1, 0)
        keys = self._keys.read(first, min(start + SAMPLE * int(after), stop))
        inside = slice(*np.searchsorted(keys, [low, high]))
        if not self.weighted:
            return keys[inside], None
        return keys[inside], self._weights.read(first + inside.start, first + inside.stop)


def _sorted(
    pieces: list[tuple[np.ndarray, np.ndarray | None]], weighted: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    if not pieces:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32) if weighted else None
    keys = np.concatenate([keys for keys, _ in pieces])
    if not weighted:
        keys.sort()
        return keys, None
    weight = np.concatenate([weight for _, weight in pieces if weight is not None])
    order = np.argsort(keys)
    return keys[order], weight[order]


def _each_once(keys: np.ndarray, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    first = _first_of_each(keys)
    if weight is not None and len(keys):
        # In 64 bits, so that the order of the edges does not show.
        total = np.add.reduceat(weight, np.flatnonzero(first), dtype=np.float64)
        with np.errstate(over="ignore"):  # infinite: for the caller to refuse, who knows where it is from
            weight = total.astype(np.float32)
    return keys[first], weight


def _first_of_each(keys: np.ndarray) -> np.ndarray:
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first
