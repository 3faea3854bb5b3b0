"""Ranges: between what limits the columns of a matrix lie, and how likely others leave them by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import bdtrc

from halflabel.graph import Features
from halflabel.sealed.schema import integer, listed, number, record

PARTS = ("low", "start", "stop", "high", "share", "middle")
# What saved ranges hold.
RANGES = record({"rows": integer(1), **dict.fromkeys(PARTS, listed(number()))})
# Rows, evenly spaced, that the usual range is measured on: enough for limits that a twentieth of them leave.
SAMPLE, LEAST_SAMPLE = 20_000, 2_000
SAMPLE_VALUES = 4_000_000  # of a dense matrix, which may be larger than memory
TAIL = 0.05  # of the rows outside of the usual range at either end, at most
FAR, FURTHEST = 3.0, 20.0  # lengths of the tail beyond the full range, but not more than full ranges
MORE = 0.1  # of the rows outside of the usual range, beside as many as before


class Compared(NamedTuple):
    """For each column: how many rows are outside, of the usual range or the full one, how likely that is by
    chance, and what range they have."""

    outside: np.ndarray
    usual: np.ndarray
    chance: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Ranges:
    """The full range of each column (low, high), the usual one (start, stop), what share is outside of that,
    and the median.

    >>> ranges = Ranges.of(np.arange(100.0)[:, None])
    >>> ranges.low.item(), ranges.start.item(), ranges.stop.item(), ranges.high.item()
    (0.0, 5.0, 94.0, 99.0)
    >>> ranges.compare(np.array([[50.0], [150.0]])).chance.item()
    0.0
    """

    rows: int
    low: np.ndarray
    start: np.ndarray
    stop: np.ndarray
    high: np.ndarray
    share: np.ndarray
    middle: np.ndarray

    @classmethod
    def of(cls, X: Features) -> Ranges:
        """Measure a matrix: the full range over all rows, the usual one over many."""
        low, high = full_range(X)
        spaced = np.linspace(0, X.shape[0] - 1, _sample_size(X)).round().astype(np.int64)
        sample = take_rows(X, np.unique(spaced))
        start, middle, stop = _limits(sample)
        share = _count_outside(sample, start, stop) / max(sample.shape[0], 1)
        return cls(X.shape[0], low, start, stop, high, share, middle)

    def take(self, columns: Sequence[int]) -> Ranges:
        """Of some columns."""
        return Ranges(self.rows, *(getattr(self, part)[columns] for part in PARTS))

    def compare(self, X: Features) -> Compared:
        """How likely it is that other rows of the same kind leave the ranges as far as these do."""
        m, n = X.shape[0], self.rows
        low, high = full_range(X)
        beyond = _count_outside(X, self.low, self.high)
        # k of m + n values in random order lie beyond all n others: the first j from one end, k - j from
        # the other, all of them among the m.
        by_range = (beyond + 1.0) * (m / (m + n)) ** beyond
        unusual = _count_outside(X, self.start, self.stop)
        pooled = (unusual + self.share * n) / (m + n)
        by_share = np.where(unusual / m - self.share >= MORE, bdtrc(unusual - 1, m, pooled), 1.0)
        width = self.high - self.low
        far = (_is_far(self.low - low, self.start - self.low, self.middle - self.start, width)
               | _is_far(high - self.high, self.high - self.stop, self.stop - self.middle, width))
        chance = np.where(far, 0.0, np.minimum(by_range, by_share))
        usual = (by_share < by_range) & ~far
        return Compared(np.where(usual, unusual, beyond), usual, chance, low, high)

    def to_dict(self) -> dict[str, Any]:
        """As plain lists and numbers, for JSON."""
        return {"rows": self.rows, **{part: getattr(self, part).tolist() for part in PARTS}}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Ranges:
        """The inverse of :meth:`to_dict`."""
        ranges = cls(saved["rows"], *(np.array(saved[part], dtype=np.float64) for part in PARTS))
        if len({len(getattr(ranges, part)) for part in PARTS}) != 1:
            raise ValueError("ranges of different numbers of columns")
        return ranges


def full_range(X: Features) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest value of each column.

    >>> [limit.tolist() for limit in full_range(sparse.csr_array([[0, 2], [0, 3]]))]
    [[0.0, 2.0], [0.0, 3.0]]
    """
    ends = X.min(axis=0), X.max(axis=0)
    low, high = (np.asarray(end.toarray() if sparse.issparse(end) else end) for end in ends)
    return low.ravel().astype(np.float64), high.ravel().astype(np.float64)


def take_rows(X: Features, rows: np.ndarray) -> Features:
    """Some rows; all in order are the matrix itself.

    >>> take_rows(np.eye(2), np.array([1])).tolist()
    [[0.0, 1.0]]
    """
    return X if len(rows) == X.shape[0] and (np.diff(rows) == 1).all() else X[rows]


def _sample_size(X: Features) -> int:
    if sparse.issparse(X):
        return SAMPLE
    return int(np.clip(SAMPLE_VALUES // max(X.shape[1], 1), LEAST_SAMPLE, SAMPLE))


def _is_far(beyond: np.ndarray, tail: np.ndarray, body: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Whether a column reaches further than its tail lets expect; few different values make no tail.

    Where the tail is longer than the body, from the median to the tail, the next value may be further out by
    as much as that.
    """
    heavy = np.divide(tail, body, out=np.full(len(tail), FURTHEST), where=body > 0).clip(min=1)
    limit = np.where(tail > 0, np.minimum(FAR * tail * heavy, FURTHEST * width), FAR * width)
    return (width > 0) & (beyond > limit)


def _limits(X: Features) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each column the median, and values that at most a twentieth of the rows are below, and above."""
    n = X.shape[0]
    places = [int(TAIL * n), n // 2, n - 1 - int(TAIL * n)]
    if isinstance(X, np.ndarray):
        start, middle, stop = np.partition(X, sorted(places), axis=0)[places].astype(np.float64)
        return start, middle, stop
    columns = sparse.csc_array(X)
    filled = np.diff(columns.indptr)
    limits = np.zeros((3, X.shape[1]))
    for j in np.flatnonzero(filled > places[0]):  # all others are zero at both ends
        values = np.zeros(n)
        values[: filled[j]] = columns.data[columns.indptr[j] : columns.indptr[j + 1]]
        limits[:, j] = np.partition(values, sorted(places))[places]
    start, middle, stop = limits
    return start, middle, stop


def _count_outside(X: Features, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """For each column the number of rows below its limit or above the other."""
    if isinstance(X, np.ndarray):
        return ((low > X) | (high < X)).sum(axis=0)
    entries = sparse.coo_array(X)
    zero_is_out = (low > 0) | (high < 0)
    out = (entries.data < low[entries.col]) | (entries.data > high[entries.col])
    width = X.shape[1]
    stored = np.bincount(entries.col, minlength=width)
    return np.bincount(entries.col[out], minlength=width) + np.where(zero_is_out, X.shape[0] - stored, 0)
