"""Numbers for the undirected edges of a part: each is stored once, though its rows have it once or twice."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from halflabel.distributed.part import Part


class LocalEdges(NamedTuple):
    """`edge[e]` is the edge of stored entry e; `left` and `right` are its ends by their numbers in the part.

    Sorted by `left`, then `right`. On the left is the end that comes first in the whole graph, also where
    that is a node of the halo: both owners of an edge then see it the same way round.
    """

    edge: np.ndarray
    left: np.ndarray
    right: np.ndarray


def local_edges(part: Part) -> LocalEdges:
    """Number the edges of a part.

    >>> import tempfile
    >>> from halflabel.distributed import partition_graph, read_part
    >>> from halflabel.graph import Graph
    >>> place = tempfile.mkdtemp() + "/parts"
    >>> _ = partition_graph(Graph.from_edges([0, 1, 2], [1, 2, 3], np.eye(4)), 2, place, how="contiguous")
    >>> edges = local_edges(read_part(place, rank=1))  # nodes 2, 3, 1: own, own, halo
    >>> edges.left.tolist(), edges.right.tolist(), edges.edge.tolist()
    ([0, 2], [1, 0], [0, 1, 0])
    """
    n_own, target = len(part.place), part.target
    rows = np.repeat(np.arange(n_own, dtype=np.int32), np.diff(part.indptr))
    outside = target >= n_own
    first = rows < target
    at = np.flatnonzero(outside)
    first[at] = part.place[rows[at]] < part.halo_place[target[at] - n_own]
    edge = np.empty(len(target), dtype=np.int32)
    n_first = int(np.count_nonzero(first))
    edge[first] = np.arange(n_first, dtype=np.int32)
    inside = first & ~outside
    edge[~first & ~outside] = _mirrored(rows[inside], target[inside], edge[inside], n_own)
    at = at[~first[at]]
    at = at[np.lexsort((rows[at], target[at]))]
    edge[at] = np.arange(n_first, n_first + len(at), dtype=np.int32)
    left, right = np.concatenate([rows[first], target[at]]), np.concatenate([target[first], rows[at]])
    return LocalEdges(edge, left, right)


def _mirrored(rows: np.ndarray, columns: np.ndarray, number: np.ndarray, n: int) -> np.ndarray:
    """Numbers of entries above the diagonal, by columns: the order by rows of the entries below it."""
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return sparse.csr_array((number, columns, indptr), shape=(n, n)).tocsc().data
