"""Points of P and U drawn for a kernel mean embedding, and the Gaussian kernel that tells them apart best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from halflabel.priors.kernel_matrix import DenseKernel, ThinKernel, thin_kernel
from halflabel.priors.samples import squared_distances, subsample

BANDWIDTHS = 10.0 ** np.array([-1, -0.5, 0, 0.5, 1])  # times the median distance
SMALLEST_SCALE = 1e-290  # quotients of squared distances by it are still finite
BLOCK = 256  # rows of the kernel matrix that are computed together
MAX_RANK = 200  # of a thin factor, and at most a quarter of the points


class KernelSample(NamedTuple):
    """Squared distances of the points, first U then P, and the weights that make the mean of either.

    K = exp(squared / width), and mmd is the distance of the two means under it.
    """

    squared: np.ndarray
    in_u: np.ndarray
    in_p: np.ndarray
    width: float
    mmd: float

    def thin(self) -> ThinKernel | None:
        """K as a thin factor, if it has one."""
        n = len(self.squared)
        return thin_kernel(lambda i: np.exp(self.squared[i] / self.width), n, min(MAX_RANK, n // 4))

    def dense(self) -> DenseKernel:
        return DenseKernel(np.exp(self.squared / self.width))


def draw_sample(P: np.ndarray, U: np.ndarray, most: int, rng: np.random.Generator) -> KernelSample:
    """At most `most` points of either kind, and the kernel of the published bandwidths with the largest MMD.

    >>> rng = np.random.default_rng(0)
    >>> sample = draw_sample(rng.normal(4, 1, (90, 1)), rng.normal(0, 1, (90, 1)), 50, rng)
    >>> sample.squared.shape, 1 < sample.mmd < 1.5
    ((100, 100), True)
    """
    P, U = subsample(P, most, rng), subsample(U, most, rng)
    in_u = np.r_[np.full(len(U), 1 / len(U)), np.zeros(len(P))]
    in_p = np.r_[np.zeros(len(U)), np.full(len(P), 1 / len(P))]
    X = np.r_[U, P]
    squared = squared_distances(X, X)
    return KernelSample(squared, in_u, in_p, *_widest_apart(squared, in_u - in_p))


def _widest_apart(squared: np.ndarray, contrast: np.ndarray) -> tuple[float, float]:
    """The divisor -2 s^2 of the Gaussian kernel under which the means of U and P differ most, and the MMD."""
    # The diagonal counts towards the median, as in the authors' script. Among many ties it may be zero.
    scale = np.median(squared)
    if scale == 0:
        scale = np.median(squared[squared > 0]) if squared.any() else 1.0
    widths = -2 * BANDWIDTHS**2 * max(float(scale), SMALLEST_SCALE)
    mmds = [_mmd(squared, width, contrast) for width in widths]
    best = int(np.argmax(mmds))
    return float(widths[best]), mmds[best]


def _mmd(squared: np.ndarray, width: float, contrast: np.ndarray) -> float:
    """sqrt(contrast^T K contrast); K is never held as a whole."""
    starts = range(0, len(squared), BLOCK)
    total = sum(float(contrast[i : i + BLOCK] @ np.exp(squared[i : i + BLOCK] / width) @ contrast)
                for i in starts)
    return float(np.sqrt(max(total, 0.0)))
