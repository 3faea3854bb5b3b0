"""How far every node is from the nearest of some others, in steps along edges."""

from __future__ import annotations

from itertools import count

import numpy as np

from halflabel.edges.adjacency import Adjacency


def hops_to_nearest(adjacency: Adjacency, sources: np.ndarray) -> np.ndarray:
    """Steps from every node to the nearest source; infinite where no path leads to one.

    `sources` is a boolean row over the nodes, or several of them, each with distances of its own. A row
    costs one breadth-first search that starts from all of its sources at once.

    >>> from scipy import sparse
    >>> path = sparse.diags_array([np.ones(3), np.ones(3)], offsets=[-1, 1]).tocsr()
    >>> hops_to_nearest(Adjacency.from_scipy(path), np.array([True, False, False, False])).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    crow, col = adjacency.crow.numpy(force=True), adjacency.col.numpy(force=True)
    rows = np.atleast_2d(sources)
    return np.stack([_search(crow, col, row) for row in rows]).reshape(sources.shape)


def _search(crow: np.ndarray, col: np.ndarray, sources: np.ndarray) -> np.ndarray:
    distance = np.where(sources, 0.0, np.inf)
    frontier = np.flatnonzero(sources)
    for steps in count(1):
        reached = col[entries_of(crow, frontier)]
        frontier = np.unique(reached[np.isinf(distance[reached])])
        if not len(frontier):
            break
        distance[frontier] = steps
    return distance


def entries_of(crow: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Positions of the stored entries of these rows, row after row.

    >>> entries_of(np.array([0, 2, 3, 5]), np.array([2, 0])).tolist()
    [3, 4, 0, 1]
    """
    counts = np.diff(crow)[rows]
    before = np.cumsum(counts) - counts  # entries of the rows that came earlier
    return np.repeat(crow[:-1][rows] - before, counts) + np.arange(counts.sum())
