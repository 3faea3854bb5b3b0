"""Which nodes a step of training looks at: every node once in a pass, and known positives in every batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

MIN_POSITIVES = 32  # in every batch, or all there are: one side of the loss must not rest on two or three


class Batch(NamedTuple):
    """Positions of nodes, and how many nodes of its kind, P or U, each of them stands for."""

    nodes: np.ndarray
    stands_for: np.ndarray


def batches(
    positive: np.ndarray, unlabelled: np.ndarray, size: int, rng: np.random.Generator
) -> Iterator[Batch]:
    """One pass in random order, as batches of about `size` nodes that all have their share of P and of U.

    Where that would be less than `MIN_POSITIVES`, positives come up more than once in a pass. Sums over a
    batch, each node times `stands_for`, are sums over all nodes on average, for both kinds.

    >>> positive = np.arange(100) < 40
    >>> [len(batch.nodes) for batch in batches(positive, ~positive, 50, np.random.default_rng(0))]
    [62, 62]
    """
    P, U = np.flatnonzero(positive), np.flatnonzero(unlabelled)
    number = max(1, -(-(len(P) + len(U)) // size))
    each = max(-(-len(P) // number), min(MIN_POSITIVES, len(P)))
    again = -(-number * each // max(1, len(P)))
    known = np.concatenate([rng.permutation(P) for _ in range(again)])
    parts = (np.array_split(known, number) if again == 1
             else np.split(known[: number * each], number))
    for some, others in zip(parts, np.array_split(rng.permutation(U), number), strict=True):
        yield Batch(np.concatenate([some, others]), np.concatenate([_weight(P, some), _weight(U, others)]))


def _weight(all_nodes: np.ndarray, some: np.ndarray) -> np.ndarray:
    return np.full(len(some), len(all_nodes) / max(1, len(some)), dtype=np.float32)
