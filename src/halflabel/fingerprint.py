"""Recognise a graph by its content, whatever object it is held in and however it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np

from halflabel.graph import Graph
from halflabel.ids import NodeIds

PARTS = ("edges", "edge weights", "ids", "features")
BLOCK = 65_536  # rows or ids in memory a second time


def fingerprint(graph: Graph) -> dict[str, bytes]:
    """A hash of each part of a graph: its edges, their weights, its ids and its features; focus aside.

    No weights count as weights of one, and ids by their text.

    >>> once, again = (Graph.from_edges([0, 1], [1, 2], X=np.eye(3)) for _ in range(2))
    >>> fingerprint(once) == fingerprint(again) == fingerprint(once[:2])
    True
    >>> other = fingerprint(Graph.from_edges([0, 1], [1, 0], X=np.eye(3)))
    >>> [part for part, value in fingerprint(once).items() if value != other[part]]
    ['edges']
    """
    ones = np.broadcast_to(np.float32(1.0), graph.n_edges)
    X, weight = graph.X, ones if graph.edge_weight is None else graph.edge_weight
    features = (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr)
    hashes = (
        _hash(_content(graph.indptr, graph.indices)),
        _hash(_content(weight)),
        _hash(repr(block).encode() for block in _text_of(graph.ids)),
        _hash(_content(*features)),
    )
    return dict(zip(PARTS, hashes, strict=True))


def digest(content: bytes) -> str:
    """Bytes as a short text that other bytes do not have.

    >>> digest(b"known")[:8]
    '787a79e0'
    """
    return _hash([content]).hex()


def _hash(pieces: Iterable[bytes]) -> bytes:
    digest = blake2b(digest_size=16)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def _content(*arrays: np.ndarray) -> Iterator[bytes]:
    for array in arrays:
        # Without the shape, the end of one array could be read as the beginning of the next.
        yield repr(array.shape).encode()
        dtype = np.int64 if array.dtype.kind == "i" else np.float32
        for first in range(0, len(array), BLOCK):
            yield np.ascontiguousarray(array[first : first + BLOCK], dtype=dtype).tobytes()


def _text_of(ids: NodeIds) -> Iterator[list[str]]:
    for first in range(0, len(ids), BLOCK):
        yield [str(value) for value in ids.take(np.arange(first, min(first + BLOCK, len(ids))))]
