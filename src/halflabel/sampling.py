"""Sub-graphs for mini-batches: some nodes, a few neighbours of each, a few neighbours of those.

An edge is in the sub-graph if one of its ends drew it. It then stands for others that were not drawn, so its
weight is divided by the chance of having been: sums over neighbours are right on average, and the matrix
stays symmetric, as the hand-written gradients of the networks need it. Degrees remain those of the whole
graph. Measured against the alternatives in docs/decisions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from halflabel.adjacency import Adjacency, MaskedGraph
from halflabel.csr import csr_tensor
from halflabel.distances import entries_of


@dataclass(frozen=True, eq=False)
class Sample:
    """A part of a graph: its nodes in ascending order, and where among them the seeds are."""

    nodes: np.ndarray
    seeds: np.ndarray
    adjacency: Adjacency  # among these nodes; weights are divided by `chance`
    entries: np.ndarray  # which stored entry of the whole graph each stored entry is
    chance: np.ndarray  # of each stored entry, to be drawn from either end

    def masked(self, graph: MaskedGraph) -> MaskedGraph:
        """The part of a weighted graph, or of the union of one for each member, that networks see.

        >>> from scipy import sparse
        >>> path = Adjacency.from_scipy(sparse.diags_array([np.ones(3), np.ones(3)], offsets=[-1, 1]).tocsr())
        >>> sample = NeighbourSampler(path).draw(np.array([0]), [None], np.random.default_rng(0))
        >>> sample.masked(path.masked(torch.tensor([0.5, 1.0, 1.0]))).strength().tolist()
        [0.5, 1.5]
        """
        copies, device = graph.adjacency.copies, graph.csr.device
        union = self.adjacency.to(device).repeat(copies)
        entries, nodes = (torch.as_tensor(at, device=device) for at in (self.entries, self.nodes))
        chance = torch.as_tensor(self.chance, dtype=graph.csr.dtype, device=device)
        values = graph.csr.values().view(copies, -1).index_select(1, entries) / chance
        strength = graph.strength().view(copies, -1).index_select(1, nodes)
        csr = csr_tensor(union.crow, union.col, values.flatten(), (union.n_nodes, union.n_nodes))
        return MaskedGraph(csr, union, strength.flatten())


class NeighbourSampler:
    """Draws sub-graphs around seeds.

    >>> from scipy import sparse
    >>> path = Adjacency.from_scipy(sparse.diags_array([np.ones(3), np.ones(3)], offsets=[-1, 1]).tocsr())
    >>> sample = NeighbourSampler(path).draw(np.array([3]), [None, None], np.random.default_rng(0))
    >>> sample.nodes.tolist(), sample.seeds.tolist(), sample.adjacency.n_edges
    ([1, 2, 3], [2], 2)
    """

    def __init__(self, adjacency: Adjacency):
        self._base = adjacency.base.numpy(force=True)
        self._crow, self._col, self._edge, self._rows, self._reverse = (
            part.numpy(force=True)
            for part in (adjacency.crow, adjacency.col, adjacency.edge, adjacency.rows, adjacency.reverse))

    def draw(self, seeds: np.ndarray, fanouts: Sequence[int | None], rng: np.random.Generator) -> Sample:
        """Up to `fanouts[0]` neighbours of every seed, up to `fanouts[1]` of each of those, and so on.

        None stands for all of them. A node draws once, when it is first reached.
        """
        nodes = frontier = _each_once(seeds)
        drawn, drew = [], []
        for fanout in fanouts:
            entries = self.neighbours(frontier, fanout, rng)
            drawn.append(entries)
            drew.append((frontier, self._chance(frontier, fanout)))
            ends = _each_once(self._col[entries])
            frontier = ends[~_contains(nodes, ends)]
            nodes = _each_once(np.concatenate([nodes, frontier]))
        picked = np.concatenate([np.zeros(0, dtype=np.int64), *drawn])
        kept = _each_once(np.concatenate([picked, self._reverse[picked]]))
        rows, cols = (np.searchsorted(nodes, ends[kept]) for ends in (self._rows, self._col))
        missed = np.ones(len(nodes))  # the chance that a node does not draw a given edge; some never draw
        for who, chance in drew:
            missed[np.searchsorted(nodes, who)] = 1 - chance
        chance = 1 - missed[rows] * missed[cols]
        adjacency = self._part(rows, cols, kept, chance, len(nodes))
        return Sample(nodes, np.searchsorted(nodes, seeds), adjacency, kept, chance)

    def neighbours(self, rows: np.ndarray, fanout: int | None, rng: np.random.Generator) -> np.ndarray:
        """Stored entries of these rows: all where there are no more than `fanout`, else so many at random."""
        if fanout is None:
            return entries_of(self._crow, rows)
        many = np.diff(self._crow)[rows] > fanout
        entries = entries_of(self._crow, rows[many])
        # By rows, and within a row at random: the first of each row are drawn without replacement.
        order = np.lexsort((rng.random(len(entries)), self._rows[entries]))
        rank = np.arange(len(entries)) - np.searchsorted(self._rows[entries], self._rows[entries])
        return np.concatenate([entries_of(self._crow, rows[~many]), entries[order[rank < fanout]]])

    def _chance(self, rows: np.ndarray, fanout: int | None) -> np.ndarray:
        degree = np.diff(self._crow)[rows]
        return np.ones(len(rows)) if fanout is None else np.minimum(1.0, fanout / np.maximum(degree, 1))

    def _part(
        self, rows: np.ndarray, cols: np.ndarray, kept: np.ndarray, chance: np.ndarray, n: int
    ) -> Adjacency:
        """Entries come in the order of the whole graph, so rows and edges are sorted as they should be."""
        above = rows < cols
        edges = self._edge[kept[above]]
        crow = np.searchsorted(rows, np.arange(n + 1)).astype(np.int32)
        edge = np.searchsorted(edges, self._edge[kept]).astype(np.int32)
        base = (self._base[edges] / chance[above]).astype(self._base.dtype)
        parts = (torch.as_tensor(part) for part in (crow, cols.astype(np.int32), edge, base))
        return Adjacency(*parts, n_nodes=n)


def _each_once(values: np.ndarray) -> np.ndarray:
    """In ascending order; np.unique takes several times as long on integers."""
    ordered = np.sort(values)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]]


def _contains(ordered: np.ndarray, values: np.ndarray) -> np.ndarray:
    at = np.searchsorted(ordered, values).clip(max=len(ordered) - 1)
    return ordered[at] == values
