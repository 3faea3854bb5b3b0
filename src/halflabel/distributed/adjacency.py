"""The rows of the adjacency that a process owns, with the interface of the whole one.

A product fetches the halo first. The whole matrix is symmetric, so the backward pass of a product is the same
product on gradients. The weight of an edge between two parts is kept by both owners: each computes its
gradient from the same numbers in the same order, so the two copies stay alike without being compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from halflabel.distributed.halo import Halo
from halflabel.distributed.local_edges import local_edges
from halflabel.distributed.matrix import Outer, PartMatrix
from halflabel.distributed.part import Part
from halflabel.edges.adjacency import Adjacency
from halflabel.edges.csr import csr_tensor
from halflabel.edges.products import Pair, Stretch, products_of_copies, stretches
from halflabel.graph import Graph


@dataclass(frozen=True, eq=False)
class PartAdjacency(Adjacency):
    """`crow`, `col` and `edge` are of the entries between own nodes, `outer` has those that reach the halo.

    Edges are those that touch an own node. `left` and `right` are their ends by their numbers in the part,
    the one that comes first in the whole graph on the left.
    """

    part: Part = field(kw_only=True)
    halo: Halo = field(kw_only=True)
    outer: Outer = field(kw_only=True)
    left: Tensor = field(kw_only=True)
    right: Tensor = field(kw_only=True)

    @classmethod
    def of(cls, part: Part, halo: Halo) -> PartAdjacency:
        """The rows of a part."""
        edges, n_own = local_edges(part), halo.n_own
        base = np.ones(len(edges.left), dtype=np.float32)
        if part.weight is not None:
            base[edges.edge] = part.weight / part.manifest.weight_unit
        inside = part.target < n_own
        crow = np.concatenate([[0], np.cumsum(inside)])[part.indptr].astype(np.int32)
        at = np.flatnonzero(~inside)
        rows = np.searchsorted(part.indptr, at, side="right") - 1
        arrays = (crow, part.target[inside], edges.edge[inside], base)
        return cls(
            *(torch.as_tensor(array) for array in arrays), n_nodes=n_own, part=part, halo=halo,
            outer=Outer.of(rows, part.target[at] - n_own, edges.edge[at]),
            left=torch.as_tensor(edges.left), right=torch.as_tensor(edges.right))

    @property
    def n_stored(self) -> int:
        """Number of stored entries in all parts."""
        return self.part.manifest.stored * self.copies

    @property
    def ends(self) -> tuple[Tensor, Tensor]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The two end points of every edge by their numbers in the part."""
        return self.left, self.right

    @cached_property
    def degree(self) -> Tensor:
        """Number of neighbours of every own node, wherever they are."""
        return self.crow.diff().index_add_(0, self.outer.nodes, self.outer.crow.diff())

    def edges_of(self, graph: Graph) -> np.ndarray:
        """For every directed edge of `part.graph`, in its order, the undirected edge."""
        return local_edges(self.part).edge[self.part.directed]

    def mean(self, values: Tensor) -> Tensor:
        """Mean over the edges of the whole graph: one between two parts counts where its left end is."""
        own = values.view(self.copies, -1)[:, : self._n_counted]
        total = self.halo.group.sum(own.sum(dtype=torch.float64))
        return total * 2 / max(self.n_stored, 1)

    @cached_property
    def _n_counted(self) -> int:
        """Edges are sorted by their left ends, own nodes first."""
        return int((self.left < self.halo.n_own).sum())

    @cached_property
    def _upper(self) -> list[Stretch]:
        n = self.halo.n_own + self.halo.size
        crow = torch.zeros(n + 1, dtype=torch.int32, device=self.left.device)
        crow[1:] = torch.cumsum(torch.bincount(self.left, minlength=n), 0)
        return stretches(crow, self.right)

    def weighted(self, mask: Tensor | None = None) -> Any:
        """M o A: own rows as a matrix that knows what to fetch."""
        weight = self.base if mask is None else self.base * mask
        inner = csr_tensor(
            self.crow, self.col, weight.index_select(0, self.edge), (self.n_nodes, self.n_nodes))
        outer = self.outer.weighted(weight, self.copies * self.halo.size)
        return PartMatrix(inner, outer, self.outer.nodes, self.halo, self.copies)

    def edge_products(self, pairs: Sequence[Pair]) -> Tensor:
        """The same for every edge (i, j) that touches an own node."""
        rows = self._with_halo([block for pair in pairs for block in pair])
        pattern = (self.single or self)._upper  # pyright: ignore[reportAttributeAccessIssue]
        return products_of_copies(pattern, list(zip(rows[::2], rows[1::2], strict=True)))

    def _with_halo(self, blocks: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Values of own nodes, (rows, copies * own) in each block, with the halo: (rows, copies, all)."""
        lengths, n_own = [len(block) for block in blocks], self.halo.n_own
        rows = blocks[0].new_empty(sum(lengths), self.copies, n_own + self.halo.size)
        inside, outside = rows[..., :n_own], rows[..., n_own:]
        for place, block in zip(inside.split(lengths), blocks, strict=True):
            place.copy_(block.view(len(block), self.copies, n_own))
        outside.copy_(self.halo.fetch_each(inside.permute(1, 2, 0)).permute(2, 0, 1))
        return rows.split(lengths)

    def repeat(self, copies: int) -> PartAdjacency:
        """Disjoint union of copies: own rows of all copies, then the halo rows of all copies."""
        if copies == 1:
            return self
        inner = super().repeat(copies)
        return replace(
            self, crow=inner.crow, col=inner.col, edge=inner.edge, base=inner.base, n_nodes=inner.n_nodes,
            copies=copies, single=self,
            outer=self.outer.repeat(copies, self.n_nodes, self.halo.size, self.n_edges))

    def to(self, device: str | torch.device) -> PartAdjacency:
        """The same rows on another device."""
        names = ("crow", "col", "edge", "base", "left", "right", "outer")
        moved = {name: getattr(self, name).to(device) for name in names}
        return replace(self, **moved, single=None if self.single is None else self.single.to(device))
