"""Learned edge weights, findable again in another graph that has some of the same edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from halflabel.edges.adjacency import Adjacency
from halflabel.ids import NodeIds


@dataclass(frozen=True)
class EdgeMemory:
    """A mask per member for every edge, keyed by a hash of its two node ids: the ids themselves are not kept.

    >>> memory = EdgeMemory(keys=np.array([3, 9], dtype=np.uint64), masks=np.array([[0.2, 0.8]]))
    >>> memory.recall(np.array([9, 4], dtype=np.uint64)).tolist()
    [[0.8, 0.5]]
    """

    keys: np.ndarray
    masks: np.ndarray

    @classmethod
    def store(cls, adjacency: Adjacency, ids: NodeIds, masks: np.ndarray) -> EdgeMemory:
        """Remember the masks, of shape (members, edges), of a graph with these ids."""
        keys = edge_keys(adjacency, ids)
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], masks[:, order])

    def recall(self, keys: np.ndarray) -> np.ndarray:
        """The mask of every edge; one never seen gets its member's mean, neither trusted nor distrusted."""
        if not len(self.keys):
            return np.ones((len(self.masks), len(keys)), dtype=self.masks.dtype)
        # Single precision would depend on the order of the edges in memory.
        mean = self.masks.mean(axis=1, keepdims=True, dtype=np.float64).astype(self.masks.dtype)
        at = np.searchsorted(self.keys, keys).clip(max=len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.masks[:, at], mean)


def edge_keys(adjacency: Adjacency, ids: NodeIds) -> np.ndarray:
    """One 64-bit key per undirected edge, the same whichever end comes first."""
    node = hash_ids(ids.to_arrow().to_pylist())
    first, second = (node[ends.cpu().numpy()] for ends in adjacency.ends)
    low, high = np.minimum(first, second), np.maximum(first, second)
    # An odd multiplier mixes the two halves; unsigned arithmetic wraps around.
    return low * np.uint64(0x9E3779B97F4A7C15) + high


def hash_ids(ids: Iterable[Any]) -> np.ndarray:
    """A 64-bit number for each id, the same in every graph.

    >>> bool((hash_ids(["ann", 7]) == hash_ids(["ann", "7"])).all())
    True
    """
    digests = b"".join(blake2b(str(value).encode(), digest_size=8).digest() for value in ids)
    return np.frombuffer(digests, dtype=np.uint64)
