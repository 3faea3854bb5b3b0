"""The rows of the adjacency that a process owns, with the interface of the whole one.

A product fetches the halo first. The whole matrix is symmetric, so the backward pass of a product is the same
product on gradients. The weight of an edge between two parts is kept by both owners: each computes its
gradient from the same numbers in the same order, so the two copies stay alike without being compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from halflabel.adjacency import Adjacency
from halflabel.csr import csr_tensor, sampled_products
from halflabel.distributed.halo import Halo
from halflabel.distributed.local_edges import local_edges
from halflabel.distributed.part import Part


class PartMatrix:
    """Own rows of the weighted matrix; torch.addmm and torch.addmv take it like a matrix."""

    def __init__(self, csr: Tensor, halo: Halo, copies: int):
        self.csr, self.halo, self.copies = csr, halo, copies
        self.dtype, self.device = csr.dtype, csr.device

    def __len__(self) -> int:
        return self.csr.shape[0]

    def mv(self, x: Tensor) -> Tensor:
        """The product with a vector of own nodes."""
        return self.csr.mv(self.halo.extend(x, self.copies))

    def row_sums(self) -> Tensor:
        """The sum of every row, for which nothing has to be fetched."""
        return self._sums

    @cached_property
    def _sums(self) -> Tensor:
        return self.csr.mv(torch.ones(self.csr.shape[1], dtype=self.dtype, device=self.device))

    @classmethod
    def __torch_function__(cls, func: Callable, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func not in (torch.addmm, torch.addmv):
            return NotImplemented
        added, matrix, x = args
        return func(added, matrix.csr, matrix.halo.extend(x, matrix.copies))


@dataclass(frozen=True, eq=False)
class PartAdjacency(Adjacency):
    """`n_nodes` own rows; columns are own nodes, then the halo. Edges are those that touch an own node.

    `left` and `right` are the ends of every edge, the one that comes first in the whole graph on the left.
    """

    halo: Halo = field(kw_only=True)
    left: Tensor = field(kw_only=True)
    right: Tensor = field(kw_only=True)
    total: int = field(kw_only=True)  # stored entries in all parts

    @classmethod
    def of(cls, part: Part, halo: Halo) -> PartAdjacency:
        """The rows of a part."""
        edges = local_edges(part)
        if part.weight is None:
            base = np.ones(len(edges.left), dtype=np.float32)
        else:
            base = np.empty(len(edges.left), dtype=np.float32)
            base[edges.edge] = part.weight / part.manifest.weight_unit
        return cls(
            crow=torch.as_tensor(part.indptr.astype(np.int32)), col=torch.as_tensor(part.target),
            edge=torch.as_tensor(edges.edge), base=torch.as_tensor(base), n_nodes=len(part.place), halo=halo,
            left=torch.as_tensor(edges.left), right=torch.as_tensor(edges.right), total=part.manifest.stored)

    @property
    def n_stored(self) -> int:
        """Number of stored entries in all parts."""
        return self.total * self.copies

    @property
    def ends(self) -> tuple[Tensor, Tensor]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The two end points of every edge by their numbers in the part."""
        return self.left, self.right

    def mean(self, values: Tensor) -> Tensor:
        """Mean over the edges of the whole graph: one between two parts counts where its left end is."""
        counted = (self.left < self.halo.n_own).repeat(self.copies)
        total = self.halo.group.sum((values * counted).sum(dtype=torch.float64))
        return total * 2 / max(self.n_stored, 1)

    @cached_property
    def _upper(self) -> Tensor:
        n = self.halo.n_own + self.halo.size
        crow = torch.zeros(n + 1, dtype=torch.int32, device=self.left.device)
        crow[1:] = torch.cumsum(torch.bincount(self.left, minlength=n), 0)
        zeros = torch.zeros(len(self.left), dtype=self.base.dtype, device=self.base.device)
        return csr_tensor(crow, self.right, zeros, (n, n))

    def weighted(self, mask: Tensor | None = None) -> Any:
        """M o A: own rows as a matrix that knows where to fetch the rest."""
        weight = self.base if mask is None else self.base * mask
        columns = self.copies * (self.halo.n_own + self.halo.size)
        csr = csr_tensor(self.crow, self.col, weight.index_select(0, self.edge), (self.n_nodes, columns))
        return PartMatrix(csr, self.halo, self.copies)

    def edge_products(self, left: Tensor, right: Tensor) -> Tensor:
        """sum_k left[i, k] right[j, k] for every edge (i, j) that touches an own node."""
        sides = [(x.chunk(self.copies), self.halo.fetch(x, self.copies).view(self.copies, -1, x.shape[1]))
                 for x in (left, right)]
        pattern = (self.single or self)._upper  # pyright: ignore[reportAttributeAccessIssue]
        return torch.cat([
            sampled_products(pattern, *(torch.cat([own[copy], halo[copy]]) for own, halo in sides))
            for copy in range(self.copies)])

    def repeat(self, copies: int) -> PartAdjacency:
        """Disjoint union of copies: own rows of all copies, then the halo rows of all copies."""
        if copies == 1:
            return self
        if copies * len(self.col) >= 2**31:
            raise ValueError(f"{copies} copies of {len(self.col):,} stored edges exceed 32-bit indices")
        n_own, n_halo = self.halo.n_own, self.halo.size
        number = torch.arange(copies, dtype=torch.int32, device=self.col.device)[:, None]
        inside = self.col[None] + number * n_own
        outside = self.col[None] + (copies - 1) * n_own + number * n_halo
        return replace(
            self,
            crow=torch.cat([self.crow[:1], (self.crow[None, 1:] + number * len(self.col)).flatten()]),
            col=torch.where(self.col[None] < n_own, inside, outside).flatten(),
            edge=(self.edge[None] + number * self.n_edges).flatten(),
            base=self.base.repeat(copies), n_nodes=n_own * copies, copies=copies, single=self)

    def to(self, device: str | torch.device) -> PartAdjacency:
        """The same rows on another device."""
        names = ("crow", "col", "edge", "base", "left", "right")
        moved = {name: getattr(self, name).to(device) for name in names}
        return replace(self, **moved, single=None if self.single is None else self.single.to(device))
