"""Bring features to a common scale, and remember how, so that another graph gets the same treatment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from scipy import sparse

from halflabel.errors import DataError, unknown_name
from halflabel.features.diskrows import DiskRows, is_on_disk
from halflabel.graph import Features, dense
from halflabel.sealed.schema import choice, either, integer, listed, nothing, number, record, text

# What a saved scaling holds.
SCALING = record({
    "rule": choice("rows", "columns", "none"),
    "names": listed(text),
    "dropped": integer(0),
    "mean": either(nothing, listed(number())),
    "deviation": either(nothing, listed(number(float(np.finfo(np.float32).tiny)))),
})
CLIP = 10.0  # standard deviations; heavy tails would otherwise drown everything else


@dataclass(frozen=True)
class Scaling:
    """How features were scaled. Columns that are the same for every node are dropped first.

    "rows", for bags of words: each row is divided by its sum. Chosen if no value is negative, at least three
    quarters are zero, no column's maximum exceeds 100 times the median maximum, and no column holds more than
    half of the total.

    "columns", for everything else: mean 0 and standard deviation 1, cut off at 10. Sparse matrices stay
    sparse: they are only divided by the standard deviation.

    "none": nothing tells the nodes apart, so a single column of ones stands in for the features.

    >>> X = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> scaling = Scaling.fit(X, ["age", "constant"])
    >>> scaling.transform(X, ["age", "constant"]).tolist()
    [[-1.0], [1.0]]
    >>> scaling.describe()
    'columns standardised: 1 feature (1 constant one dropped)'
    """

    rule: Literal["rows", "columns", "none"]
    names: tuple[str, ...]
    dropped: int = 0
    mean: tuple[float, ...] | None = None
    deviation: tuple[float, ...] | None = None

    @classmethod
    def fit(cls, X: Features, names: Sequence[str]) -> Scaling:
        """Choose the rule, and measure what it needs."""
        if len(names) != X.shape[1]:
            raise DataError(f"{len(names):,} feature names for {X.shape[1]:,} feature columns.")
        low, high = _range(X)
        varies = low != high
        kept = tuple(str(name) for name, keep in zip(names, varies, strict=True) if keep)
        dropped = len(names) - len(kept)
        if not kept:
            return cls("none", (), dropped)
        X = _columns(X, varies)
        if _is_bag_of_words(X, low[varies], high[varies]):
            return cls("rows", kept, dropped)
        if not isinstance(X, (np.ndarray, DiskRows)) and 4 * X.nnz >= np.prod(X.shape):
            X = X.toarray()
        mean, deviation = _moments(X)
        centre = None if sparse.issparse(X) else tuple(mean.tolist())
        return cls("columns", kept, dropped, centre, tuple(deviation.tolist()))

    def transform(self, X: Features, names: Sequence[str]) -> Features:
        """Scale a matrix whose columns have these names, in any order; the input is not changed."""
        if self.rule == "none":
            return np.ones((X.shape[0], 1), dtype=np.float32)
        X = self._aligned(X, [str(name) for name in names])
        if self.rule == "rows":
            return _divide_rows(X)
        deviation = np.array(self.deviation)
        if sparse.issparse(X) and self.mean is None:
            scaled = sparse.csr_array(X @ sparse.diags_array(1 / deviation), dtype=np.float32)
            scaled.data = scaled.data.clip(-CLIP, CLIP)
            return scaled
        mean = 0.0 if self.mean is None else np.array(self.mean)
        return ((dense(X) - mean) / deviation).clip(-CLIP, CLIP).astype(np.float32)

    def on_disk(self, X: np.ndarray, names: Sequence[str]) -> DiskRows:
        """The same for a memory-mapped matrix: rows are scaled when they are read, and none are kept.

        >>> X = np.array([[1.0], [3.0]])
        >>> Scaling.fit(X, ["age"]).on_disk(X, ["age"])[np.array([1])].tolist()
        [[1.0]]
        """
        def treat(rows: np.ndarray) -> np.ndarray:
            scaled = self.transform(rows, names)
            assert isinstance(scaled, np.ndarray)
            return scaled

        return DiskRows(X, treat, width=max(1, len(self.names)))

    def describe(self) -> str:
        """One line for a report."""
        if self.rule == "none":
            return "no feature tells the nodes apart: a single column of ones stands in for them"
        how = {"rows": "each row divided by its sum", "columns": "columns standardised"}[self.rule]
        centred = ", not centred" if self.rule == "columns" and self.mean is None else ""
        dropped = f" ({self.dropped:,} constant {'ones' if self.dropped > 1 else 'one'} dropped)"
        plural = "s" * (len(self.names) != 1)
        return f"{how}{centred}: {len(self.names):,} feature{plural}{dropped if self.dropped else ''}"

    def to_dict(self) -> dict[str, Any]:
        """As plain lists and strings, for JSON."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Scaling:
        """The inverse of :meth:`to_dict`."""
        mean, deviation = (None if saved[k] is None else tuple(saved[k]) for k in ("mean", "deviation"))
        width = len(saved["names"])
        lengths = {len(values) for values in (mean, deviation) if values is not None}
        if (deviation is None) == (saved["rule"] == "columns") or not lengths <= {width}:
            raise ValueError(f"scaling: means and deviations do not fit {width:,} features")
        return cls(saved["rule"], tuple(saved["names"]), saved["dropped"], mean, deviation)

    def _aligned(self, X: Features, names: list[str]) -> Features:
        """The columns that were fitted, in that order; a category that does not occur here is all zero."""
        if tuple(names) == self.names:
            return X
        place = {name: i for i, name in enumerate(names)}
        absent = [name for name in self.names if name not in place]
        for name in absent:
            if not _may_be_absent(name, names):
                raise DataError(unknown_name("feature", name, names, "the new graph"))
        if absent:
            zeros = sparse.csr_array((X.shape[0], 1), dtype=X.dtype)
            X = sparse.hstack([X, zeros], format="csr") if sparse.issparse(X) else np.pad(X, ((0, 0), (0, 1)))
        return X[:, [place.get(name, len(names)) for name in self.names]]


def _may_be_absent(name: str, names: list[str]) -> bool:
    """A value nobody has here, or a gap nobody has; not a column that the table lacks altogether."""
    if name.endswith(" is missing"):
        return True
    column, is_category, _ = name.partition("=")
    return bool(is_category) and any(other.startswith(f"{column}=") for other in names)


def _range(X: Features) -> tuple[np.ndarray, np.ndarray]:
    if not X.shape[0]:
        raise DataError("Features of no nodes: there is nothing to scale.")
    if sparse.issparse(X):
        return X.min(axis=0).toarray().ravel(), X.max(axis=0).toarray().ravel()
    return X.min(axis=0), X.max(axis=0)


def _columns(X: Features, kept: np.ndarray) -> Features | DiskRows:
    """Some columns; of a memory-mapped matrix a block of rows at a time, whenever they are asked for."""
    if isinstance(X, np.ndarray) and is_on_disk(X):
        return DiskRows(X, lambda rows: rows[:, kept], width=int(kept.sum()))
    return X[:, kept]


def _blocks(X: Features | DiskRows, rows: int | None = None) -> Iterator[Features]:
    """All rows in order; of a matrix in memory so many at a time, or all at once."""
    if isinstance(X, DiskRows):
        yield from (block for _, block in X.blocks())
    elif rows is None:
        yield X
    else:
        yield from (X[first : first + rows] for first in range(0, X.shape[0], rows))


def _is_bag_of_words(X: Features | DiskRows, low: np.ndarray, high: np.ndarray) -> bool:
    filled = sum(np.count_nonzero(part) if isinstance(part, np.ndarray) else part.count_nonzero()
                 for part in _blocks(X))
    if low.min() < 0 or 4 * filled > np.prod(X.shape):
        return False
    total = np.sum([np.asarray(part.sum(axis=0), dtype=np.float64) for part in _blocks(X)], axis=0)
    # An age next to a hundred 0/1 columns would be all that is left of the row's sum.
    return high.max() <= 100 * np.median(high) and total.max() <= total.sum() / 2


def _moments(X: Features | DiskRows, block: int = 65_536) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the columns, in double precision, a block of rows at a time."""
    n = X.shape[0]
    sums = [np.asarray(part.sum(axis=0, dtype=np.float64)).ravel() for part in _blocks(X)]
    mean = np.sum(sums, axis=0) / n
    if sparse.issparse(X):
        # Deviations of the entries from the mean, plus mean^2 for each of the implicit zeros.
        entries = sparse.csc_array(X, dtype=np.float64)
        filled = np.diff(entries.indptr)
        entries.data = (entries.data - np.repeat(mean, filled)) ** 2
        squares = entries.sum(axis=0) + (n - filled) * mean**2
    else:
        squares = sum(((part - mean) ** 2).sum(axis=0) for part in _blocks(X, block))
    return mean, np.maximum(np.sqrt(squares / n), np.finfo(np.float32).tiny)


def _divide_rows(X: Features) -> Features:
    total = np.asarray(X.sum(axis=1), dtype=np.float64).ravel()
    share = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
    if sparse.issparse(X):
        return sparse.csr_array(sparse.diags_array(share) @ X, dtype=np.float32)
    return (X * share[:, None]).astype(np.float32)
