"""Points of P and U drawn for a kernel mean embedding, and the Gaussian kernel that tells them apart best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from halflabel.priors.kernel_matrix import DenseKernel, ThinKernel, thin_kernel
from halflabel.priors.samples import median_square, squared_distances, subsample

BANDWIDTHS = 10.0 ** np.array([-1, -0.5, 0, 0.5, 1])  # times the median distance
SMALLEST_SCALE = 1e-290  # quotients of squared distances by it are still finite
BLOCK = 64  # rows of the kernel matrix that are computed together
MAX_RANK = 200  # of a thin factor, and at most a quarter of the points


class KernelSample(NamedTuple):
    """The points, first U then P, and the weights that make the mean of either.

    K = exp(squared distance / width), and mmd is the distance of the two means under it.
    """

    points: np.ndarray
    in_u: np.ndarray
    in_p: np.ndarray
    width: float
    mmd: float

    def thin(self) -> ThinKernel | None:
        """K as a thin factor, if it has one; no more of K is computed than its columns."""
        n, X = len(self.points), self.points
        return thin_kernel(lambda i: _rows(X, i, i + 1, self.width)[0], n, min(MAX_RANK, n // 4))

    def dense(self) -> DenseKernel:
        return DenseKernel(_rows(self.points, 0, len(self.points), self.width))


def draw_sample(
    P: np.ndarray, U: np.ndarray, most: tuple[int, int], rng: np.random.Generator
) -> KernelSample:
    """At most so many points of P and of U, and the kernel of the published bandwidths with the largest MMD.

    >>> rng = np.random.default_rng(0)
    >>> sample = draw_sample(rng.normal(4, 1, (90, 1)), rng.normal(0, 1, (90, 1)), (50, 70), rng)
    >>> sample.points.shape, 1 < sample.mmd < 1.5
    ((120, 1), True)
    """
    P, U = subsample(P, most[0], rng), subsample(U, most[1], rng)
    in_u = np.r_[np.full(len(U), 1 / len(U)), np.zeros(len(P))]
    in_p = np.r_[np.zeros(len(U)), np.full(len(P), 1 / len(P))]
    X = np.r_[U, P]
    return KernelSample(X, in_u, in_p, *_widest_apart(X, in_u - in_p))


def _widest_apart(X: np.ndarray, contrast: np.ndarray) -> tuple[float, float]:
    """The divisor -2 s^2 of the Gaussian kernel under which the means of U and P differ most, and the MMD."""
    widths = -2 * BANDWIDTHS**2 * max(median_square(X), SMALLEST_SCALE)
    mmds = [_mmd(X, width, contrast) for width in widths]
    best = int(np.argmax(mmds))
    return float(widths[best]), mmds[best]


def _mmd(X: np.ndarray, width: float, contrast: np.ndarray) -> float:
    """sqrt(contrast^T K contrast); K is never held as a whole, and half of it is not computed."""
    total = 0.0
    for start in range(0, len(X), BLOCK):
        weights = contrast[start:].copy()
        weights[BLOCK:] *= 2
        total += float(contrast[start : start + BLOCK] @ (_rows(X[start:], 0, BLOCK, width) @ weights))
    return float(np.sqrt(max(total, 0.0)))


def _rows(X: np.ndarray, start: int, stop: int, width: float) -> np.ndarray:
    """Rows of K."""
    squared = squared_distances(X[start:stop], X)
    squared /= width
    return np.exp(squared, out=squared)
