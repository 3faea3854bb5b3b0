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
