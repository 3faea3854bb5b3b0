"""Rows of a plain table in place of a graph: which inputs are rows, their labels, and scores for new ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from halflabel.convert.columns import SOURCE, TARGET
from halflabel.convert.neighbours import NEIGHBOURS
from halflabel.convert.tables import is_frame
from halflabel.errors import DataError
from halflabel.graph import Features

EQUAL = 1e-9  # distances that differ by less, relatively, are one distance
BLOCK = 4_000_000  # numbers in memory at once while distances are measured


def is_array(X: Any) -> bool:
    """Whether this may be rows: a list, an array, a sparse matrix or a data frame.

    >>> is_array([[1.0, 2.0]]), is_array("edges.csv")
    (True, False)
    """
    return isinstance(X, list) or is_frame(X) or sparse.issparse(X) or hasattr(X, "__array__")


def is_plain(X: Any) -> bool:
    """Whether an array to be fitted is rows, and not a form of a graph that `as_graph` takes on its own.

    Those are an integer array of shape (2, edges), a square sparse adjacency, and a data frame with columns
    for source and target.

    >>> is_plain(np.zeros((5, 3))), is_plain(np.zeros((2, 3), dtype=int)), is_plain(sparse.eye_array(3))
    (True, False, False)
    """
    if not is_array(X):
        return False
    if sparse.issparse(X):
        return X.shape[0] != X.shape[1]
    if is_frame(X):
        names = {str(name).lower() for name in getattr(X, "column_names", X.columns)}
        return names.isdisjoint(SOURCE) or names.isdisjoint(TARGET)
    shape, kind = getattr(X, "shape", ()), str(getattr(X, "dtype", ""))
    return not (len(shape) == 2 and shape[0] == 2 and "int" in kind)


def positive_rows(
    y: Any, shape: tuple[int, int], at_least: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """The two values of y, and a mask of the rows that have the second one, which is the positive.

    `shape` is that of the rows, for messages.

    >>> positive_rows(["no", "yes", "no"], shape=(3, 8))
    (array(['no', 'yes'], dtype='<U3'), array([False,  True, False]))
    """
    check_classification_targets(y)
    if (kind := type_of_target(y, input_name="y", raise_unknown=True)) != "binary":
        raise DataError(f"Only binary classification is supported. The type of the target is {kind}.")
    classes, code = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise DataError(f"y has one class, {classes[0]!r}: some rows must be known positives, others not.")
    if (known := int(code.sum())) < at_least:
        raise DataError(f"{known} known positive{'s' * (known > 1)} (y == {classes[1]!r}; "
                        f"n_samples={shape[0]}, n_features={shape[1]}): at least {at_least} are needed.")
    return classes, code == 1


@dataclass(frozen=True, eq=False)
class RowScores:
    """Distinct fitted rows and their scores, from which those of new rows are interpolated.

    A new row gets the mean score of its ten nearest distinct rows (and of any as near as the tenth), weighted
    by one over the distance; a row that was fitted gets its own score, rows that were equal their mean. The
    answer for a row depends on nothing but that row, whatever comes with it and in whatever order.

    >>> known = RowScores.store(np.array([[0.0], [4.0], [4.0]]), np.array([1.0, 2.0, 4.0]))
    >>> known.interpolate(np.array([[4.0], [1.0]])).tolist()
    [3.0, 1.5]
    """

    rows: Features
    scores: np.ndarray

    @classmethod
    def store(cls, rows: Features, scores: np.ndarray) -> RowScores:
        """Keep every distinct row once."""
        first: dict[bytes, int] = {}
        group = np.array([first.setdefault(_key(rows, i), len(first)) for i in range(rows.shape[0])])
        kept = np.unique(group, return_index=True)[1]
        means = np.bincount(group, weights=scores) / np.bincount(group)
        return cls(rows[kept], means)

    def interpolate(self, rows: Features) -> np.ndarray:
        """A score for each row."""
        if sparse.issparse(self.rows) != sparse.issparse(rows):  # no matter how the rows are held
            rows = sparse.csr_array(rows) if isinstance(rows, np.ndarray) else rows.toarray()
        count = min(NEIGHBOURS, len(self.scores))
        size = max(1, BLOCK // (2 * count * rows.shape[1]))
        blocks = [self._block(rows[i : i + size], count) for i in range(0, rows.shape[0], size)]
        return np.concatenate(blocks)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """As named arrays, for saving."""
        if isinstance(self.rows, np.ndarray):
            return {"scores": self.scores, "dense": self.rows}
        parts = {name: getattr(self.rows, name) for name in ("data", "indices", "indptr")}
        return {"scores": self.scores, "shape": np.array(self.rows.shape), **parts}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> RowScores:
        """The inverse of :meth:`to_arrays`."""
        if "dense" in arrays:
            return cls(arrays["dense"], arrays["scores"])
        parts = tuple(arrays[name] for name in ("data", "indices", "indptr"))
        rows = sparse.csr_array(parts, shape=tuple(arrays["shape"].tolist()))
        rows.check_format(full_check=True)  # scipy's own code reads wherever indices point
        return cls(rows, arrays["scores"])

    @cached_property
    def _index(self) -> NearestNeighbors:
        return NearestNeighbors().fit(self.rows)

    def _block(self, rows: Features, count: int) -> np.ndarray:
        row, near = self._nearest(rows, count)
        distance = _distances(rows[row], self.rows[near])
        # Next to a row that was fitted no other counts.
        exact = np.zeros(rows.shape[0], dtype=bool)
        exact[row[distance == 0]] = True
        weight = np.where(exact[row], distance == 0, 1 / np.maximum(distance, np.finfo(np.float64).tiny))
        total = np.bincount(row, weight)
        return np.bincount(row, weight * self.scores[near]) / total

    def _nearest(self, rows: Features, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of a row and one of its `count` nearest or of those that tie with them, sorted."""
        everybody = len(self.scores)
        found, left, asked = [], np.arange(rows.shape[0]), min(count + 1, everybody)
        while len(left):
            distance, near = self._index.kneighbors(rows[left], asked)
            reach = distance[:, count - 1, None] * (1 + EQUAL)
            # Were the last one asked for within reach, so might be others: ask for more.
            open_ended = (distance[:, -1:] <= reach).ravel() & (asked < everybody)
            row, column = np.nonzero((distance <= reach) & ~open_ended[:, None])
            found.append((left[row], near[row, column]))
            left, asked = left[open_ended], min(2 * asked, everybody)
        row, near = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.lexsort((near, row))  # sums of floating-point numbers depend on the order
        return row[order], near[order]


def _distances(left: Features, right: Features) -> np.ndarray:
    """Of each pair of rows, by differences: quicker ways round equal rows to a distance above zero."""
    difference: Any = left.astype(np.float64) - right.astype(np.float64)
    return np.sqrt(np.asarray((difference * difference).sum(axis=1)).ravel())


def _key(rows: Features, i: int) -> bytes:
    if isinstance(rows, np.ndarray):
        return (rows[i] + 0.0).tobytes()  # -0.0 is 0.0
    entries = slice(rows.indptr[i], rows.indptr[i + 1])
    return rows.indices[entries].tobytes() + b"|" + rows.data[entries].tobytes()
