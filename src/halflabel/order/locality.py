"""The order of the nodes in memory, for graphs that no cache can hold.

A product with the adjacency reads the vector at every neighbour's place. Where these lie near each other, the
next value is already in the cache. And it goes through the rows one by one: where one row is as long as the
last, the processor guesses rightly where it ends (measured in benchmarks/speed/locality.py).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import reverse_cuthill_mckee

from halflabel.graph import Graph

LARGE = 400_000  # directed edges; below that, vectors of the nodes fit in the cache whatever their order
NEAR = 2**16  # places apart: so many numbers of four bytes are a quarter of a megabyte
LEAST_GAIN = 0.1  # of all edges, that must become near; a random graph has no order that helps
SAMPLE = 1_000_000
STRETCH = 256  # places within which nodes are put in order of degree: neighbours that are near stay near
MOST_VALUES = 4  # of features, for every edge: beyond that, they are not copied for the sake of degrees


def memory_order(graph: Graph, large: int = LARGE) -> np.ndarray | None:
    """Positions of the nodes in the order in which products are fastest, or None where they stay.

    >>> path = Graph.from_edges([0, 3, 1], [3, 1, 2], np.zeros((4, 1)))
    >>> memory_order(path) is None, memory_order(path, large=0).tolist()
    (True, [0, 2, 1, 3])
    """
    if graph.n_edges < large:
        return None
    listed, local = np.arange(graph.n_nodes), local_order(graph)
    if local is None and graph.X.size > MOST_VALUES * graph.n_edges:
        return None
    order = alike_together(neighbours(graph), listed if local is None else local)
    return None if np.array_equal(order, listed) else order


def local_order(graph: Graph) -> np.ndarray | None:
    """Positions of the nodes in an order that brings neighbours together, or None where there is no such.

    >>> local_order(Graph.from_edges([0, 3, 1], [3, 1, 2], np.zeros((4, 1)))) is None  # they are near already
    True
    """
    order = reverse_cuthill_mckee(graph.adjacency).astype(np.int64)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    source, target = _some_edges(graph)
    gain = near_share(place[source], place[target]) - near_share(source, target)
    return order if gain >= LEAST_GAIN else None


def alike_together(degree: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The same order, but within every stretch by degree.

    >>> alike_together(np.array([3, 1, 3, 1]), np.array([2, 3, 0, 1])).tolist()
    [3, 1, 2, 0]
    """
    stretch = np.arange(len(order)) // STRETCH
    return order[np.lexsort((degree[order], stretch))]


def neighbours(graph: Graph) -> np.ndarray:
    """How many edges end or begin at each node; of two neighbours that link to each other, both count.

    >>> neighbours(Graph.from_edges([0, 1], [1, 2], np.zeros((3, 1)))).tolist()
    [1, 2, 1]
    """
    return np.diff(graph.indptr) + np.bincount(graph.indices, minlength=graph.n_nodes)


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
