"""Rows of a matrix that stays on disk: read, and brought to scale, when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile

import numpy as np

BLOCK_VALUES = 1_000_000  # numbers that are brought to scale at a time: it takes several copies


@dataclass(frozen=True, eq=False)
class DiskRows:
    """A memory-mapped matrix of which every row goes through `treat` on its way into memory.

    >>> X = np.arange(6.0).reshape(3, 2)
    >>> halves = DiskRows(X, lambda rows: rows / 2, width=2)
    >>> halves.shape, halves[np.array([2])].tolist()
    ((3, 2), [[2.0, 2.5]])
    >>> [(block, rows.shape) for block, rows in halves.blocks()]
    [(slice(0, 3, None), (3, 2))]
    """

    matrix: np.ndarray
    treat: Callable[[np.ndarray], np.ndarray]
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        """(nodes, features)."""
        return len(self.matrix), self.width

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.matrix) * self.width

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        found = np.empty((len(rows), self.width), dtype=np.float32)
        for block in self._slices(len(rows)):
            found[block] = self.treat(np.asarray(self.matrix[rows[block]]))
        return found

    def blocks(self) -> Iterator[tuple[slice, np.ndarray]]:
        """All rows from the first to the last, a block at a time, and where each block is."""
        for block in self._slices(len(self.matrix)):
            yield block, self.treat(np.asarray(self.matrix[block]))

    def _slices(self, rows: int) -> Iterator[slice]:
        step = max(1, BLOCK_VALUES // max(1, self.matrix.shape[1]))
        return (slice(first, min(first + step, rows)) for first in range(0, rows, step))


def is_on_disk(X: object) -> bool:
    """Whether a matrix is memory-mapped.

    >>> is_on_disk(np.eye(2))
    False
    """
    return isinstance(X, np.memmap)


def reordered(X: np.ndarray, order: np.ndarray) -> np.ndarray:
    """A memory-mapped copy with its rows in this order, in a temporary file that goes when it does.

    >>> X = np.arange(4, dtype=np.float32)[:, None]
    >>> again = reordered(X, np.array([3, 1, 2, 0]))
    >>> again.ravel().tolist(), is_on_disk(again)
    ([3.0, 1.0, 2.0, 0.0], True)
    """
    with TemporaryFile() as file:  # the map holds on to it
        copy = np.memmap(file, dtype=X.dtype, mode="w+", shape=X.shape)
    step = max(1, BLOCK_VALUES // max(1, X.shape[1]))
    for first in range(0, len(order), step):
        copy[first : first + step] = X[order[first : first + step]]
    return copy
