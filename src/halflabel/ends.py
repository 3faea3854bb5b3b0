"""Edges as they are given: their ends must be nodes of the graph, their weights numbers of at least zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from halflabel.errors import DataError


def check_positions(values: Sequence[int] | np.ndarray, side: str, n: int) -> np.ndarray:
    """The ends of edges as an array, if all are positions of one of n nodes; else name the first that is not.

    >>> check_positions([0, 3], "source", 3)
    Traceback (most recent call last):
    halflabel.errors.DataError: Edge source 3 is outside 0 .. 2: the graph has 3 nodes.
    """
    positions = np.asarray(values)
    if positions.ndim != 1 or (positions.size and positions.dtype.kind not in "iu"):
        raise DataError(f"Edge {side}s must be a list of node positions (integers); got an array of shape "
                        f"{positions.shape} and type {positions.dtype}.")
    if positions.size and not 0 <= positions.min() <= positions.max() < n:
        outside = positions[(positions < 0) | (positions >= n)][0]
        raise DataError(f"Edge {side} {outside} is outside 0 .. {n - 1}: the graph has {n:,} nodes.")
    return positions


def weigh_something(weight: np.ndarray, place: Callable[[int], str] = "edge {:,}".format) -> np.ndarray:
    """Which weights are above zero in 32 bits, if all are finite and none is negative; else name the first.

    >>> weigh_something(np.array([1.0, 0.0, 1e-60])).tolist()
    [True, False, False]
    >>> weigh_something(np.array([1.0, -2.0]), "edges.csv row {:,}".format)
    Traceback (most recent call last):
    halflabel.errors.DataError: edges.csv row 1: weight -2.0. Weights must be finite numbers >= 0.
    """
    if weight.dtype.kind not in "iufb":
        raise DataError(f"Weights must be finite numbers >= 0; got an array of type {weight.dtype}.")
    with np.errstate(over="ignore"):
        narrow = weight.astype(np.float32)
    bad = ~(np.isfinite(narrow) & (weight >= 0))
    if bad.any():
        first = int(np.argmax(bad))
        got = "is missing" if np.isnan(weight[first]) else str(weight[first])
        raise DataError(f"{place(first)}: weight {got}. Weights must be finite numbers >= 0.")
    return narrow > 0


def note_zero_weights(count: int) -> list[str]:
    """What to tell of edges that are dropped because they weigh nothing.

    >>> note_zero_weights(2), note_zero_weights(0)
    (['dropped 2 edges of weight zero'], [])
    """
    return [f"dropped {count:,} edge{'s' * (count > 1)} of weight zero"] if count else []
