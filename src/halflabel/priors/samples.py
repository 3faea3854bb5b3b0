"""Samples of P and U as feature-space estimators take them: matrices of one width, finite, not constant."""

from __future__ import annotations

import numpy as np

from halflabel.errors import DataError


def as_samples(P: np.ndarray, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) scores or (n, d) embeddings as (n, d) float64, divided by their largest magnitude.

    No estimator here depends on the unit, and the division keeps squares from overflowing.

    >>> as_samples(np.array([2.0, 4.0]), np.array([0.0]))
    (array([[0.5],
           [1. ]]), array([[0.]]))
    """
    P, U = _as_matrix("P", P), _as_matrix("U", U)
    if P.shape[1] != U.shape[1]:
        raise DataError(f"P has {P.shape[1]} features and U {U.shape[1]}. Pass the same columns of both.")
    first = P[0]
    if (first == P).all() and (first == U).all():
        raise DataError(f"all {len(P):,} points of P and {len(U):,} of U are the same, which says nothing "
                        "about the share of positives. Pass scores or embeddings that vary.")
    unit = max(np.abs(P).max(), np.abs(U).max())
    return P / unit, U / unit


def unit_columns(P: np.ndarray, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every column brought to [0, 1] over P and U together; constant columns are left out.

    >>> unit_columns(np.array([[3.0, 7.0]]), np.array([[1.0, 7.0], [2.0, 7.0]]))
    (array([[1.]]), array([[0. ],
           [0.5]]))
    """
    low, high = np.minimum(P.min(axis=0), U.min(axis=0)), np.maximum(P.max(axis=0), U.max(axis=0))
    varies = high > low
    low, width = low[varies], (high - low)[varies]
    return np.clip((P[:, varies] - low) / width, 0, 1), np.clip((U[:, varies] - low) / width, 0, 1)


def subsample(X: np.ndarray, limit: int, rng: np.random.Generator) -> np.ndarray:
    """At most `limit` rows, drawn without replacement and kept in order.

    >>> subsample(np.arange(5), 3, np.random.default_rng(0)).shape
    (3,)
    """
    return X if len(X) <= limit else X[np.sort(rng.choice(len(X), limit, replace=False))]


def squared_distances(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """||a - b||^2 for every row of A and of B; rounding never makes one negative.

    >>> squared_distances(np.array([[0.0], [3.0]]), np.array([[4.0]]))
    array([[16.],
           [ 1.]])
    """
    squares = np.einsum("ij,ij->i", A, A)[:, None] + np.einsum("ij,ij->i", B, B)
    squares -= (2 * A) @ B.T
    return np.maximum(squares, 0, out=squares)


def median_square(X: np.ndarray) -> float:
    """Median of the squared distances of all pairs of rows, both orders and a row with itself included.

    If that is zero, as with many ties, the median of those above zero; one, if all rows are the same. Scores
    are counted and not listed: sixty sorted searches instead of n^2 numbers.

    >>> median_square(np.array([[0.0], [1.0], [4.0]])), median_square(np.array([[0.0, 0.0], [3.0, 4.0]]))
    (1.0, 12.5)
    """
    if X.shape[1] == 1:
        return _median_square_of_scores(np.sort(X[:, 0]))
    squared = squared_distances(X, X)
    median = float(np.median(squared))
    if median > 0:
        return median
    return float(np.median(squared[squared > 0])) if squared.any() else 1.0


def _median_square_of_scores(x: np.ndarray) -> float:
    """x is sorted. Of the n^2 distances n are zero, and every pair has two of the others."""
    n, pairs, equal = len(x), len(x) * (len(x) - 1) // 2, _pairs_within(x, 0.0)
    if equal == pairs:
        return 1.0
    # The two middle ones, the same if their number is odd; a rank of -1 is the distance of a row to itself.
    middle = [(rank - n) // 2 for rank in ((n * n - 1) // 2, n * n // 2)]
    apart = [equal + rank // 2 for rank in (pairs - equal - 1, pairs - equal)]
    ranks = middle if middle[1] >= equal else apart
    return float(np.mean([_pair_distance(x, rank) ** 2 for rank in ranks]))


def _pairs_within(x: np.ndarray, distance: float) -> int:
    """Pairs of sorted numbers that are at most so far apart."""
    return int(np.searchsorted(x, x + distance, side="right").sum()) - len(x) * (len(x) + 1) // 2


def _pair_distance(x: np.ndarray, rank: int) -> float:
    """The distance of the pair of that rank, by bisection down to neighbouring floats."""
    low, high = 0.0, float(x[-1] - x[0])
    if rank < _pairs_within(x, low):
        return low
    while low < (middle := (low + high) / 2) < high:
        if _pairs_within(x, middle) > rank:
            high = middle
        else:
            low = middle
    return high


def _as_matrix(name: str, X: np.ndarray) -> np.ndarray:
    array = np.asarray(X, dtype=float)
    matrix = array[:, None] if array.ndim == 1 else array
    if matrix.ndim != 2 or matrix.size == 0:
        raise DataError(f"{name} has shape {array.shape}; expected n scores (n,) or n embeddings (n, d), "
                        "with n and d at least 1.")
    if bad := np.count_nonzero(~np.isfinite(matrix)):
        raise DataError(f"{name} holds {bad:,} values that are not finite, of {matrix.size:,}. Replace them "
                        "or drop their rows.")
    return matrix
