"""The rows of a matrix that a process owns, in two blocks: columns of own nodes, and columns of the halo.

Few rows reach into the halo where the graph has locality. What they need is fetched and added to the product
with the own columns, so that nothing of the size of all rows is copied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from halflabel.distributed.halo import Halo
from halflabel.edges.csr import csr_tensor, is_far, product, product_onto, row_sums


@dataclass(frozen=True, eq=False)
class Outer:
    """The entries in columns of the halo: compressed rows of `nodes`, the own nodes that have any."""

    nodes: Tensor
    crow: Tensor
    col: Tensor
    edge: Tensor

    @classmethod
    def of(cls, rows: np.ndarray, col: np.ndarray, edge: np.ndarray) -> Outer:
        """From the row, the column and the edge of every entry, sorted by rows."""
        nodes, counts = np.unique(rows, return_counts=True)
        crow = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return cls(*(torch.as_tensor(array) for array in (nodes.astype(np.int64), crow, col, edge)))

    def repeat(self, copies: int, n_own: int, n_halo: int, n_edges: int) -> Outer:
        """Disjoint union of copies."""
        number = torch.arange(copies, dtype=torch.int32, device=self.col.device)[:, None]

        def shifted(values: Tensor, step: int) -> Tensor:
            return (values[None] + number.to(values.dtype) * step).flatten()

        crow = torch.cat([self.crow[:1], shifted(self.crow[1:], len(self.col))])
        return Outer(shifted(self.nodes, n_own), crow, shifted(self.col, n_halo), shifted(self.edge, n_edges))

    def to(self, device: str | torch.device) -> Outer:
        """The same on another device."""
        return Outer(*(part.to(device) for part in (self.nodes, self.crow, self.col, self.edge)))

    def weighted(self, weight: Tensor, columns: int) -> Tensor:
        """As a CSR tensor, from one weight per edge."""
        values = weight.index_select(0, self.edge)
        return csr_tensor(self.crow, self.col, values, (len(self.nodes), columns))


class PartMatrix:
    """Own rows of the weighted matrix; torch.addmm and torch.addmv take it like a matrix."""

    def __init__(self, inner: Tensor, outer: Tensor, nodes: Tensor, halo: Halo, copies: int):
        self.inner, self.outer, self.nodes, self.halo, self.copies = inner, outer, nodes, halo, copies
        self.dtype, self.device = inner.dtype, inner.device

    def __len__(self) -> int:
        return self.inner.shape[0]

    def mv(self, x: Tensor) -> Tensor:
        """The product with a vector of own nodes."""
        return self._with_halo(self.inner.mv(x), x)

    def __matmul__(self, x: Tensor) -> Tensor:
        """The product with columns of own nodes."""
        return self._with_halo(product(self.inner, x, far=self._far), x)

    @property
    def _far(self) -> bool:
        return is_far(len(self) // self.copies, self.copies)

    def row_sums(self) -> Tensor:
        """The sum of every row, for which nothing has to be fetched."""
        return self._sums

    @cached_property
    def _sums(self) -> Tensor:
        ones = torch.ones(self.outer.shape[1], dtype=self.dtype, device=self.device)
        return row_sums(self.inner).index_add_(0, self.nodes, self.outer.mv(ones))

    def _with_halo(self, inside: Tensor, x: Tensor) -> Tensor:
        """Add what comes from columns of the halo; a process that needs nothing still sends."""
        fetched = self.halo.fetch(x, self.copies)
        return inside.index_add_(0, self.nodes, self.outer @ fetched) if len(self.nodes) else inside

    @classmethod
    def __torch_function__(cls, func: Callable, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func not in (torch.addmm, torch.addmv):
            return NotImplemented
        added, matrix, x = args
        inner = partial(product_onto, far=matrix._far) if func is torch.addmm else torch.addmv
        return matrix._with_halo(inner(added, matrix.inner, x), x)
