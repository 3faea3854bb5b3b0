"""Views of a graph: the pairs of nodes that a walk of exactly k steps connects, for k = 1, 2, ...

A view of k steps is the k-th power of the adjacency, all its entries made ones; on many graphs it is nearly
complete for k = 3. So that memory grows with the nodes and not with their pairs, a walk of two steps or more
goes on to at most `cap` neighbours of a node, and ends in at most `cap` nodes, both drawn as if at random.
Where neighbourhoods are smaller, nothing is drawn. A draw from a list depends on its length alone: all
networks see the same views, a saved one sees them again, and nodes out of reach do not change them. (Only a
graph so large that fitting reorders its nodes for locality is drawn from anew when it is scored.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.distances import entries_of
from halflabel.ids.keys import mixed
from halflabel.nets.attend import Pattern

BLOCK = 4_000_000  # walks that are written out at a time
_KNOWN: WeakKeyDictionary[Adjacency, dict[tuple[int, int], list[WalkView]]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class WalkView(Pattern):
    """Pairs by rows. Walk w leads to pair `pair[w]` by pair `before[w]` of the view before and an edge."""

    pair: Tensor
    before: Tensor
    entry: Tensor  # the last edge of the walk, as a stored entry of the graph


def walk_views(adjacency: Adjacency, reach: int, cap: int) -> list[WalkView]:
    """The views of 1, ..., `reach` steps, computed once for a graph.

    >>> from scipy import sparse
    >>> path = Adjacency.from_scipy(sparse.diags_array([np.ones(3), np.ones(3)], offsets=[-1, 1]).tocsr())
    >>> for view in walk_views(path, reach=3, cap=8):
    ...     print(view.rows.tolist(), view.col.tolist())
    [0, 1, 1, 2, 2, 3] [1, 0, 2, 1, 3, 2]
    [0, 0, 1, 1, 2, 2, 3, 3] [0, 2, 1, 3, 0, 2, 1, 3]
    [0, 0, 1, 1, 2, 2, 3, 3] [1, 3, 0, 2, 1, 3, 0, 2]
    """
    known = _KNOWN.setdefault(adjacency, {})
    if (reach, cap) not in known:
        known[reach, cap] = list(_build(adjacency, reach, cap))
    return known[reach, cap]


def view_weights(views: list[WalkView], weight: Tensor) -> list[Tensor]:
    """Weights of the pairs of every view from those of the edges, (copies, stored entries).

    A pair weighs as much as the best walk to it, and a walk the product of its edges: where all edges weigh
    one, all pairs do, and an edge of weight zero is as good as none.
    """
    weights = [weight]
    for view in views[1:]:
        walks = weights[-1][:, view.before] * weight[:, view.entry]
        best = walks.new_zeros(len(weight), len(view.col))
        weights.append(best.scatter_reduce_(1, view.pair.expand_as(walks), walks, "amax"))
    return weights


def _build(adjacency: Adjacency, reach: int, cap: int) -> Iterator[WalkView]:
    device = adjacency.col.device
    none = torch.zeros(0, dtype=torch.long, device=device)
    yield WalkView(adjacency.crow, adjacency.col, none, none, none)
    n, steps = adjacency.n_nodes, _Steps.draw(adjacency, cap)
    pairs = steps.pairs
    for _ in range(reach - 1):
        parts = [steps.one_more(block) for block in steps.blocks(pairs)]
        keys, entry, before = (np.concatenate([part[i] for part in parts]) for i in range(3))
        firsts = np.cumsum([0, *(len(part[0]) for part in parts)])[:-1]
        pair = np.concatenate([part[3] + first for part, first in zip(parts, firsts, strict=True)])
        crow = np.searchsorted(keys, np.arange(n + 1) * n).astype(np.int32)
        arrays = (crow, (keys % n).astype(np.int32), pair, before, entry)
        yield WalkView(*(torch.as_tensor(array, device=device) for array in arrays))
        pairs = _Pairs(keys // n, keys % n, np.arange(len(keys)))


class _Pairs(NamedTuple):
    """Pairs of a view in the order of their rows, with their numbers in it."""

    rows: np.ndarray
    ends: np.ndarray
    number: np.ndarray


@dataclass(frozen=True)
class _Steps:
    """The stored entries that walks may use, by rows."""

    pairs: _Pairs
    crow: np.ndarray
    cap: int

    @classmethod
    def draw(cls, adjacency: Adjacency, cap: int) -> _Steps:
        rows, col = (part.numpy(force=True).astype(np.int64) for part in (adjacency.rows, adjacency.col))
        entries = np.flatnonzero(_at_most(cap, rows))
        pairs = _Pairs(rows[entries], col[entries], entries)
        return cls(pairs, np.searchsorted(pairs.rows, np.arange(adjacency.n_nodes + 1)), cap)

    def blocks(self, pairs: _Pairs) -> Iterator[_Pairs]:
        """Runs of whole rows that lead on to about BLOCK walks."""
        onward = np.cumsum(np.diff(self.crow)[pairs.ends]) // BLOCK
        cuts = np.flatnonzero(np.diff(onward[np.searchsorted(pairs.rows, pairs.rows)])) + 1
        for parts in zip(*(np.split(part, cuts) for part in pairs), strict=True):
            yield _Pairs(*parts)

    def one_more(self, pairs: _Pairs) -> tuple[np.ndarray, ...]:
        """Keys of the pairs one step further; and of every walk its entry, what was before, its pair."""
        n, counts = len(self.crow) - 1, np.diff(self.crow)[pairs.ends]
        step = entries_of(self.crow, pairs.ends)
        ends = np.repeat(pairs.rows, counts) * n + self.pairs.ends[step]
        keys, pair = np.unique(ends, return_inverse=True)
        kept = _at_most(self.cap, keys // n)
        used = kept[pair]
        before = np.repeat(pairs.number, counts)[used]
        return keys[kept], self.pairs.number[step[used]], before, (np.cumsum(kept) - 1)[pair[used]]


def _at_most(cap: int, rows: np.ndarray) -> np.ndarray:
    """Marks at most `cap` positions of every row; rows come in order.

    Which, a hash of the row's length and the position in it decides: a row is drawn from alike in any graph.
    """
    first, after = (np.searchsorted(rows, rows, side) for side in ("left", "right"))
    place = np.arange(len(rows)) - first
    chance = mixed(mixed((after - first).astype(np.uint64)) ^ place.astype(np.uint64))
    order = np.lexsort((chance, rows))
    kept = np.zeros(len(rows), dtype=bool)
    kept[order[place < cap]] = True
    return kept
