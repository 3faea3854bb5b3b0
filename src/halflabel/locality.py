"""An order of the nodes in which neighbours have nearby numbers, for graphs that no cache can hold.

A product with the adjacency reads the vector at every neighbour's place. Where these lie near each other, the
next value is already in the cache: one product on 10^7 stored edges is 3.5 times as fast
(benchmarks/speed/locality.py).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import reverse_cuthill_mckee

from halflabel.graph import Graph

LARGE = 400_000  # directed edges; below that, vectors of the nodes fit in the cache whatever their order
NEAR = 2**16  # places apart: so many numbers of four bytes are a quarter of a megabyte
LEAST_GAIN = 0.1  # of all edges, that must become near; a random graph has no order that helps
SAMPLE = 1_000_000


def local_order(graph: Graph, large: int = LARGE) -> np.ndarray | None:
    """Positions of the nodes in an order that brings neighbours together, or None where none is needed.

    >>> path = Graph.from_edges([0, 3, 1], [3, 1, 2], np.zeros((4, 1)))
    >>> local_order(path) is None
    True
    """
    if graph.n_edges < large:
        return None
    order = reverse_cuthill_mckee(graph.adjacency).astype(np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    source, target = _some_edges(graph)
    gain = near_share(place[source], place[target]) - near_share(source, target)
    return order if gain >= LEAST_GAIN else None


def near_share(source: np.ndarray, target: np.ndarray) -> float:
    """Share of edges whose ends are near each other in memory.

    >>> near_share(np.array([0, 0]), np.array([1, 1_000_000]))
    0.5
    """
    return float((np.abs(source - target) < NEAR).mean())


def _some_edges(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of about a million edges, spread evenly."""
    edges = np.arange(0, graph.n_edges, max(1, graph.n_edges // SAMPLE))
    source = np.searchsorted(graph.indptr, edges, side="right") - 1
    return source, graph.indices[edges].astype(np.int64)
