"""Kernel matrices that can be multiplied and, with a diagonal added, inverted: whole, or as a thin factor.

To working precision, a smooth kernel on scores has a rank of 20 to 40, however many the points. With
K = G G^T, solving with K + D costs n r^2 and not n^3 / 3 (Fine and Scheinberg, JMLR 2001).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

SMALLEST_PIVOT = 1e-14  # no entry of K - G G^T is larger; about the rounding of a product with K

Solve = Callable[[np.ndarray], np.ndarray]


class DenseKernel(NamedTuple):
    """All entries of K.

    >>> kernel = DenseKernel(np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> kernel.solver(np.ones(2))(np.array([2.5, 2.5])).round(9).tolist()
    [1.0, 1.0]
    """

    K: np.ndarray

    def times(self, x: np.ndarray) -> np.ndarray:
        return self.K @ x

    def solver(self, diagonal: np.ndarray) -> Solve:
        """What maps b to the x with (K + D) x = b."""
        shifted = self.K.copy()
        shifted.flat[:: len(shifted) + 1] += diagonal
        factor = cho_factor(shifted, lower=True, overwrite_a=True, check_finite=False)
        return lambda b: cho_solve(factor, b, check_finite=False)


class ThinKernel(NamedTuple):
    """G of K = G G^T, with fewer columns than rows.

    >>> kernel = ThinKernel(np.array([[1.0], [1.0]]))
    >>> kernel.solver(np.ones(2))(np.array([3.0, 3.0])).round(9).tolist()
    [1.0, 1.0]
    """

    G: np.ndarray

    def times(self, x: np.ndarray) -> np.ndarray:
        return self.G @ (self.G.T @ x)

    def solver(self, diagonal: np.ndarray) -> Solve:
        """What maps b to the x with (K + D) x = b: D^-1 (b - G q), (I + G^T D^-1 G) q = G^T D^-1 b."""
        scaled = self.G / diagonal[:, None]
        factor = cho_factor(np.eye(self.G.shape[1]) + self.G.T @ scaled, lower=True, check_finite=False)

        def solve_once(b: np.ndarray) -> np.ndarray:
            return b / diagonal - scaled @ cho_solve(factor, scaled.T @ b, check_finite=False)

        def solve(b: np.ndarray) -> np.ndarray:
            # The difference cancels digits where D is small; one step of refinement restores them.
            x = solve_once(b)
            return x + solve_once(b - diagonal * x - self.times(x))

        return solve


Kernel = DenseKernel | ThinKernel


def thin_kernel(row: Callable[[int], np.ndarray], n: int, max_rank: int) -> ThinKernel | None:
    """The factor of a kernel with ones on the diagonal, if `max_rank` columns suffice for it.

    Cholesky with pivots: the next column is that of the point which those before explain least, and rows of
    K are asked for one by one.

    >>> K = np.ones((4, 4))
    >>> thin_kernel(K.__getitem__, 4, 2).G.T.tolist(), thin_kernel(np.eye(4).__getitem__, 4, 2)
    ([[1.0, 1.0, 1.0, 1.0]], None)
    """
    G, left = np.empty((n, max_rank), order="F"), np.ones(n)
    for rank in range(max_rank + 1):
        pivot = int(np.argmax(left))
        if left[pivot] <= SMALLEST_PIVOT:
            return ThinKernel(np.ascontiguousarray(G[:, :rank]))
        if rank < max_rank:
            known = G[:, :rank]
            G[:, rank] = (row(pivot) - known @ known[pivot]) / np.sqrt(left[pivot])
            left -= G[:, rank] ** 2
            left[pivot] = 0.0  # but for rounding
    return None
