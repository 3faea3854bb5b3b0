"""Gaussian kernel densities of many points at many points, in memory that grows with their number only."""

from __future__ import annotations

import numpy as np

CELLS_PER_BANDWIDTH = 16  # error of binning: below .1 % of the peak
REACH = 6  # bandwidths after which a kernel counts as zero
SMALLEST_SPREAD = 1e-12  # of the range; below, rounding would move points by whole cells of the grid


def density_at(points: np.ndarray, sample: np.ndarray, factor: float, other: np.ndarray) -> np.ndarray:
    """Density of `sample` at `points`, with the range of sample and other as the unit of length.

    The bandwidth is factor x the sample's standard deviation, as in scipy's gaussian_kde, and that of sample
    and other together where all of the sample is one value but for rounding. The sample is spread over a
    grid, convolved with the kernel and read off, linearly both times. A grid of n points spans at most
    sqrt(2 n) standard deviations, so its size is bounded however far an outlier lies.

    >>> sample = np.array([0.0, 1.0, 2.0])
    >>> from scipy.stats import gaussian_kde
    >>> exact = gaussian_kde(sample, 0.5)([0.5, 1.0])
    >>> bool(np.allclose(density_at(np.array([0.5, 1.0]), sample, 0.5, sample) / 2, exact, rtol=2e-3))
    True
    """
    low, high = min(sample.min(), other.min()), max(sample.max(), other.max())
    unit = (sample - low) / (high - low)
    spread = unit.std(ddof=1) if len(unit) > 1 else 0.0
    if spread < SMALLEST_SPREAD:
        spread = np.r_[unit, (other - low) / (high - low)].std()
    bandwidth = factor * spread
    start = unit.min() - REACH * bandwidth
    step = bandwidth / CELLS_PER_BANDWIDTH
    cells = int(np.ceil((unit.max() + REACH * bandwidth - start) / step)) + 2
    weights = _spread((unit - start) / step, cells)
    offsets = np.arange(-REACH * CELLS_PER_BANDWIDTH, REACH * CELLS_PER_BANDWIDTH + 1) / CELLS_PER_BANDWIDTH
    kernel = np.exp(-offsets**2 / 2) / (bandwidth * np.sqrt(2 * np.pi))
    heights = np.convolve(weights, kernel, mode="same") / len(sample)
    places = ((points - low) / (high - low) - start) / step
    return np.interp(places, np.arange(cells), heights, left=0.0, right=0.0)


def _spread(places: np.ndarray, cells: int) -> np.ndarray:
    """Share every point between its two neighbouring grid cells, by nearness."""
    left = np.floor(places).astype(int)
    right_share = places - left
    return (np.bincount(left, 1 - right_share, minlength=cells)
            + np.bincount(left + 1, right_share, minlength=cells))[:cells]
