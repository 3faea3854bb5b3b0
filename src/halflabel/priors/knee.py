"""The knee of a curve that is flat and then rises, as AlphaMax looks for it."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

SPAN = 10  # points on either side of a candidate that a line is fitted to
SMOOTHED = 5  # points in the running median
MIN_SLOPE = 0.01  # of the slope of the whole curve
HEIGHT_FLOOR = 0.01


def find_knee(curve: np.ndarray) -> int:
    """Index of the knee of a rising curve.

    Score of a point: (slope after - slope before) / (height before + .01), the slopes of lines that lie below
    their ten points and nowhere fall, the height the median of the ten points before. A curve is
    continued level at both ends, so that a knee among the last points is not seen.

    >>> abs(find_knee(np.maximum(0, np.arange(99) - 40)) - 40) <= 1
    True
    """
    smooth = np.pad(np.median(sliding_window_view(curve, SMOOTHED), axis=1), SMOOTHED // 2, mode="edge")
    heights = (smooth - smooth.min()) / (np.ptp(smooth) or 1.0)
    windows = sliding_window_view(np.pad(heights, (SPAN - 1, SPAN), mode="edge"), SPAN)
    up_to, beyond = windows[: len(curve)], windows[SPAN:]
    least = MIN_SLOPE / (len(curve) - 1)
    rise = _slope_below(beyond, least) - _slope_below(up_to, least)
    return int(np.argmax(rise / (np.median(up_to, axis=1) + HEIGHT_FLOOR)))


def _slope_below(windows: np.ndarray, least: float) -> np.ndarray:
    """Slope of the least-squares line that lies below all points of the last axis and is not less than least.

    The best line touches one point (its slope is then that of the regression through the point), two points,
    or has the least slope; with these slopes and the highest intercept allowed, all are tried.
    """
    x = np.arange(windows.shape[-1], dtype=float)
    first, second = np.triu_indices(len(x), 1)
    by_two = (windows[..., second] - windows[..., first]) / (x[second] - x[first])
    dx = x[:, None] - x
    by_one = ((windows[..., :, None] - windows[..., None, :]) * dx).sum(axis=-2) / (dx**2).sum(axis=0)
    slopes = np.maximum(np.concatenate([by_two, by_one], axis=-1), least)
    residuals = windows[..., None, :] - slopes[..., None] * x
    residuals = residuals - residuals.min(axis=-1, keepdims=True)
    best = np.argmin((residuals**2).sum(axis=-1), axis=-1)
    return np.take_along_axis(slopes, best[..., None], axis=-1)[..., 0]
