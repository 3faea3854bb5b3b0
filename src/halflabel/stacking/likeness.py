"""Likeness: for every node, the fitted nodes that have most in common with it.

Rows say yes or no to many traits that most nodes lack, such as words. What is rare tells more, so that each
of them counts log((n + 1) / (number of nodes that have it + 1)); the likeness of two rows is the cosine
between them. Nobody is his own like.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
import torch
from scipy import sparse

from halflabel.graph import dense

LIKES = 20  # of a node
MAX_MEETINGS = 3_000_000_000  # of two rows in something that both have: some seconds
DENSE, PAIRS = 100, 2  # products of dense matrices, pairs to choose from, that take as long as a meeting
MAX_DENSE = 50_000_000  # values of a dense matrix
BLOCK = 4_000_000  # pairs that are compared at a time


class Likes(NamedTuple):
    """Of each row, the fitted nodes that are most like it, and the share of each; shares of nobody are 0."""

    node: np.ndarray
    share: np.ndarray

    def to_matrix(self, fitted: int) -> sparse.csr_array:
        """(rows, fitted nodes): rows sum to one, or to zero where nothing is shared with anybody."""
        n, count = self.node.shape
        return sparse.csr_array((self.share.ravel(), self.node.ravel(), np.arange(0, n * count + 1, count)),
                                shape=(n, fitted))


@dataclass(frozen=True, eq=False)
class Likeness:
    """`rows` are those of the fitted nodes, all entries ones.

    >>> words = sparse.csr_array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1]])
    >>> likeness = Likeness.of(words)
    >>> likeness(words, place=np.arange(3)).toarray().argmax(axis=1).tolist()
    [1, 0, 1]
    >>> likeness(sparse.csr_array([[0, 0, 0, 1]]), place=np.array([-1])).toarray().tolist()  # a new node
    [[0.0, 0.0, 1.0]]
    """

    rows: sparse.csr_array

    @classmethod
    def of(cls, rows: sparse.csr_array) -> Self:
        """From a matrix whose entries that are not zero say yes."""
        return cls(_pattern(rows))

    @property
    def is_affordable(self) -> bool:
        """Whether comparing everybody with everybody takes seconds."""
        return min(self._costs) + self.rows.shape[0] ** 2 / PAIRS <= MAX_MEETINGS

    @cached_property
    def _costs(self) -> tuple[float, float]:
        """Of comparing sparse and dense rows, as numbers of meetings."""
        (n, width), having = self.rows.shape, np.bincount(self.rows.indices, minlength=1).astype(np.float64)
        return float((having**2).sum()), n**2 * width / DENSE if n * width <= MAX_DENSE else np.inf

    def __call__(self, rows: sparse.csr_array, place: np.ndarray) -> sparse.csr_array:
        """Shares of the likes of each row, (rows, fitted nodes); `place` is a row's own among these, or -1.

        Fitted nodes with the rows that they had are not compared again, nor copies of a row with each other.
        """
        rows = _pattern(rows)
        signature = rows @ self._code
        other = np.flatnonzero((place < 0) | (signature != self._signature[place]))
        node, share = (part[place] for part in self.likes)
        if len(other):
            which, copy = np.unique(np.stack([signature[other], place[other]]), axis=1, return_index=True,
                                    return_inverse=True)[1:]
            found = self._found(rows[other[which]], place[other[which]])
            node[other], share[other] = (part[copy.ravel()] for part in found)
        return Likes(node, share).to_matrix(len(self._signature))

    @cached_property
    def likes(self) -> Likes:
        """Those of the fitted nodes."""
        return self._found(self.rows, np.arange(self.rows.shape[0]))

    def _found(self, rows: sparse.csr_array, place: np.ndarray) -> Likes:
        n, size = self.rows.shape[0], max(1, BLOCK // max(1, self.rows.shape[0]))
        count = min(LIKES, n - 1)
        units, fitted = self._units(rows), self._units(self.rows).T.tocsr()
        if self._costs[1] < self._costs[0]:
            units, fitted = units.toarray(), fitted.toarray()
        node, share = np.empty((len(place), count), np.int32), np.empty((len(place), count), np.float32)
        for first in range(0, len(place), size):
            block = slice(first, first + size)
            cosine = dense(units[block] @ fitted)
            own = np.flatnonzero(place[block] >= 0)
            cosine[own, place[block][own]] = 0
            best = torch.topk(torch.as_tensor(cosine), count)
            node[block], share[block] = best.indices.numpy(), best.values.numpy()
        share /= share.sum(axis=1, keepdims=True).clip(min=1e-12)
        return Likes(node, share)

    def _units(self, rows: sparse.csr_array) -> sparse.csr_array:
        """Of length one, or empty."""
        n = self.rows.shape[0]
        having = np.bincount(self.rows.indices, minlength=rows.shape[1])
        weighed = rows * np.log((n + 1) / (having + 1)).astype(np.float32)
        length = np.sqrt((weighed**2).sum(axis=1)).clip(min=1e-12)
        return sparse.csr_array(weighed / length[:, None])

    @cached_property
    def _code(self) -> np.ndarray:
        """Random numbers whose sums tell rows apart."""
        return np.random.default_rng(0).random(self.rows.shape[1])

    @cached_property
    def _signature(self) -> np.ndarray:
        return self.rows @ self._code

    def to_arrays(self) -> dict[str, torch.Tensor]:
        """For a saved model."""
        arrays = {"first": self.rows.indptr, "has": self.rows.indices, "width": np.array(self.rows.shape[1:]),
                  "likes": self.likes.node, "share": self.likes.share}
        return {name: torch.tensor(array) for name, array in arrays.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, torch.Tensor]) -> Self:
        """The inverse of :meth:`to_arrays`; ValueError if they contradict each other, as in a forged file."""
        first, has, width, node, share = (
            arrays[name].numpy() for name in ("first", "has", "width", "likes", "share"))
        n = len(first) - 1
        rows = sparse.csr_array((np.ones(len(has), np.float32), has, first), shape=(n, int(width[0])))
        rows.check_format(full_check=True)
        if node.shape != (n, min(LIKES, n - 1)) or share.shape != node.shape:
            raise ValueError("the likes are not those of these nodes")
        if node.size and not 0 <= node.min() <= node.max() < n:
            raise ValueError("the likes are not among the nodes")
        likeness = cls(rows)
        likeness.__dict__["likes"] = Likes(node, share)
        return likeness


def are_too_many(nodes: int) -> bool:
    """Whether choosing everybody's likes takes too long, whatever there is to compare.

    >>> are_too_many(70_000), are_too_many(80_000)
    (False, True)
    """
    return nodes**2 / PAIRS > MAX_MEETINGS


def _pattern(rows: sparse.csr_array) -> sparse.csr_array:
    """Ones where something is, in the order of columns."""
    found = sparse.csr_array(rows, dtype=np.float32, copy=True)
    found.eliminate_zeros()
    found.sort_indices()
    found.data[:] = 1
    return found
