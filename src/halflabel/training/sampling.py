"""Sub-graphs for mini-batches: some nodes, a few neighbours of each, a few neighbours of those.

An edge is in the sub-graph if one of its ends drew it: the matrix stays symmetric, as the hand-written
gradients of the networks need it. Networks divide by degrees. A node that drew neighbours has the degree that
it has here, so that a mean over drawn neighbours stands for the mean over all; one at the rim, which drew
none, has that of the whole graph. Where everybody draws all neighbours, logits of the seeds are exact.
docs/decisions.md has what the alternatives gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from halflabel.edges.adjacency import Adjacency, MaskedGraph
from halflabel.edges.csr import csr_tensor
from halflabel.edges.distances import entries_of


@dataclass(frozen=True, eq=False)
class Sample:
    """A part of a graph: its nodes in ascending order, and where among them the seeds are."""

    nodes: np.ndarray
    seeds: np.ndarray
    drew: np.ndarray  # which of them drew neighbours; the others are the rim
    adjacency: Adjacency  # among these nodes
    entries: np.ndarray  # which stored entry of the whole graph each stored entry is

    def masked(self, graph: MaskedGraph) -> MaskedGraph:
        """The part of a weighted graph, or of the union of one for each member, that networks see.

        >>> from scipy import sparse
        >>> path = Adjacency.from_scipy(sparse.diags_array([np.ones(3), np.ones(3)], offsets=[-1, 1]).tocsr())
        >>> sample = NeighbourSampler(path).draw(np.array([0]), [None], np.random.default_rng(0))
        >>> sample.masked(path.masked(torch.tensor([0.5, 1.0, 1.0]))).strength.tolist()
        [0.5, 1.5]

        The second of the two nodes has another neighbour, which was not drawn, and its strength counts it.
        """
        copies, device = graph.adjacency.copies, graph.csr.device
        union = self.adjacency.to(device).repeat(copies)
        entries, nodes, drew = (
            torch.as_tensor(part, device=device) for part in (self.entries, self.nodes, self.drew))
        values = graph.csr.values().view(copies, -1).index_select(1, entries)
        csr = csr_tensor(union.crow, union.col, values.flatten(), (union.n_nodes, union.n_nodes))
        part = MaskedGraph(csr, union)
        in_whole = graph.strength.view(copies, -1).index_select(1, nodes).flatten()
        return replace(part, known_strength=torch.where(drew.repeat(copies), part.strength, in_whole))


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
        drawn = [np.zeros(0, dtype=np.int64)]
        for fanout in fanouts:
            entries = self.neighbours(frontier, fanout, rng)
            drawn.append(entries)
            ends = _each_once(self._col[entries])
            frontier = ends[~_contains(nodes, ends)]
            nodes = _each_once(np.concatenate([nodes, frontier]))
        picked = np.concatenate(drawn)
        kept = _each_once(np.concatenate([picked, self._reverse[picked]]))
        rows, cols = (np.searchsorted(nodes, ends[kept]) for ends in (self._rows, self._col))
        adjacency = self._part(rows, cols, kept, len(nodes))
        return Sample(nodes, np.searchsorted(nodes, seeds), ~_contains(frontier, nodes), adjacency, kept)

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

    def _part(self, rows: np.ndarray, cols: np.ndarray, kept: np.ndarray, n: int) -> Adjacency:
        """Entries come in the order of the whole graph, so rows and edges are sorted as they should be."""
        above = rows < cols
        edges = self._edge[kept[above]]
        crow = np.searchsorted(rows, np.arange(n + 1)).astype(np.int32)
        edge = np.searchsorted(edges, self._edge[kept]).astype(np.int32)
        parts = (
            torch.as_tensor(part) for part in (crow, cols.astype(np.int32), edge, self._base[edges]))
        return Adjacency(*parts, n_nodes=n)


def _each_once(values: np.ndarray) -> np.ndarray:
    """In ascending order; np.unique takes several times as long on integers."""
    ordered = np.sort(values)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]]


def _contains(ordered: np.ndarray, values: np.ndarray) -> np.ndarray:
    if not len(ordered):
        return np.zeros(len(values), dtype=bool)
    at = np.searchsorted(ordered, values).clip(max=len(ordered) - 1)
    return ordered[at] == values
