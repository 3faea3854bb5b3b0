"""The undirected graph as torch sees it: a symmetric CSR pattern with one weight per undirected edge.

Indices are 32-bit because torch converts 64-bit ones on every product. The mask ties the two directions of
an edge, so the weighted matrix is its own transpose: the backward pass of every product is the same product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from halflabel.edges.csr import csr_tensor, row_sums
from halflabel.edges.products import LONG, Pair, Stretch, products_of_copies, stretches, symmetric_products
from halflabel.graph import Graph


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Pattern of an undirected graph; `edge[e]` is the undirected edge that stored entry e belongs to.

    >>> triangle = sparse.csr_array(np.ones((3, 3)) - np.eye(3))
    >>> adjacency = Adjacency.from_scipy(triangle)
    >>> adjacency.n_nodes, adjacency.n_edges
    (3, 3)
    >>> adjacency.weighted(torch.tensor([1.0, 2.0, 3.0])).to_dense().tolist()
    [[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
    """

    crow: Tensor
    col: Tensor
    edge: Tensor
    base: Tensor  # weight of each undirected edge in the data, divided by the unit
    n_nodes: int
    copies: int = 1
    single: Adjacency | None = None  # the graph that this is a union of copies of

    @classmethod
    def from_scipy(
        cls, matrix: sparse.csr_array, dtype: torch.dtype = torch.float32, unit: float = 1.0
    ) -> Adjacency:
        """From a symmetric matrix without diagonal; its entries, divided by `unit`, are the edge weights."""
        if not matrix.has_sorted_indices:
            matrix = matrix.sorted_indices()
        upper = sparse.triu(matrix, k=1, format="csr")
        numbered = sparse.csr_array((np.arange(upper.nnz), upper.indices, upper.indptr), shape=upper.shape)
        # Below the diagonal, row-major order is the column-major order of the entries above it.
        mirrored = numbered.tocsc()
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        above = matrix.indices > rows
        if not (np.array_equal(matrix.indices[~above], mirrored.indices)
                and np.array_equal(matrix.indptr, upper.indptr + mirrored.indptr)):
            raise ValueError("the adjacency must be symmetric and without self-loops")
        edge = np.empty(matrix.nnz, dtype=np.int32)
        edge[above] = numbered.data
        edge[~above] = mirrored.data
        return cls(
            crow=torch.as_tensor(matrix.indptr.astype(np.int32)),
            col=torch.as_tensor(matrix.indices.astype(np.int32)),
            edge=torch.as_tensor(edge),
            base=torch.as_tensor(upper.data / unit, dtype=dtype),
            n_nodes=matrix.shape[0],
        )

    @property
    def n_edges(self) -> int:
        """Number of undirected edges."""
        return len(self.base)

    @property
    def n_stored(self) -> int:
        """Number of stored entries, two for every undirected edge."""
        return len(self.col)

    def mean(self, values: Tensor) -> Tensor:
        """Mean of values that are given for every undirected edge."""
        return values.mean()

    @cached_property
    def rows(self) -> Tensor:
        """Row of every stored entry."""
        return self._rows_of_entries()

    def _rows_of_entries(self) -> Tensor:
        nodes = torch.arange(self.n_nodes, dtype=torch.int32, device=self.col.device)
        return torch.repeat_interleave(nodes, self.degree)

    @cached_property
    def edge_index(self) -> Tensor:
        """Both ends of every stored entry, (2, entries), as torch_geometric has it."""
        return torch.stack([self.rows, self.col]).long()

    @cached_property
    def reverse(self) -> Tensor:
        """For every stored entry (i, j), which entry is (j, i): sorted by columns, they follow as by rows."""
        return torch.argsort(self.col, stable=True).int()

    @cached_property
    def degree(self) -> Tensor:
        """Number of neighbours of every node."""
        return self.crow.diff()

    @cached_property
    def ends(self) -> tuple[Tensor, Tensor]:
        """The two end points of every undirected edge, the smaller first, in the order of `base`."""
        return self._ends_of_edges()

    def _ends_of_edges(self) -> tuple[Tensor, Tensor]:
        rows = self._rows_of_entries()
        above = rows < self.col
        return rows[above], self.col[above]

    @cached_property
    def _upper(self) -> list[Stretch]:
        # Made for this alone: kept, rows and ends would be as large as the graph.
        first, second = self._ends_of_edges()
        counts = torch.bincount(first, minlength=self.n_nodes)
        crow = torch.zeros_like(self.crow)
        crow[1:] = torch.cumsum(counts, 0)
        return stretches(crow, second)

    def weighted(self, mask: Tensor | None = None) -> Tensor:
        """M o A as a CSR tensor: the data's weights times the mask's, one number per undirected edge."""
        weight = self.base if mask is None else self.base * mask
        values = weight.index_select(0, self.edge)
        return csr_tensor(self.crow, self.col, values, (self.n_nodes, self.n_nodes))

    def masked(self, mask: Tensor | None = None) -> MaskedGraph:
        """The weighted graph together with its pattern, as networks take it."""
        return MaskedGraph(self.weighted(mask), self)

    def edge_products(self, pairs: Sequence[Pair]) -> Tensor:
        """sum_k a[k, i] b[k, j] + b[k, i] a[k, j] over all pairs (a, b), for every undirected edge (i, j)."""
        if self.single is None or self.n_nodes < LONG:
            return symmetric_products(self._upper, pairs)
        # One pattern for all copies, and columns of one at a time, which stay where they are for the next.
        apart = [(a.view(len(a), self.copies, -1), b.view(len(b), self.copies, -1)) for a, b in pairs]
        return products_of_copies(self.single._upper, apart)

    def edges_of(self, graph: Graph) -> np.ndarray:
        """For every directed edge of the graph that this was made of, in its order, the undirected edge."""
        n = np.int64(graph.n_nodes)
        rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
        stored = self.rows.numpy().astype(np.int64) * n + self.col.numpy()
        return self.edge.numpy()[np.searchsorted(stored, rows * n + graph.indices)]

    def repeat(self, copies: int) -> Adjacency:
        """Disjoint union of copies: networks that differ in weights and masks train in one product."""
        if copies == 1:
            return self
        if copies * len(self.col) >= 2**31:
            raise ValueError(f"{copies} copies of {len(self.col):,} stored edges exceed 32-bit indices")
        offset = torch.arange(copies, dtype=torch.int32, device=self.col.device)[:, None]
        crow = (self.crow[None, 1:] + offset * len(self.col)).flatten()
        return Adjacency(
            crow=torch.cat([self.crow[:1], crow]),
            col=(self.col[None] + offset * self.n_nodes).flatten(),
            edge=(self.edge[None] + offset * self.n_edges).flatten(),
            base=self.base.repeat(copies),
            n_nodes=self.n_nodes * copies,
            copies=copies,
            single=self,
        )

    def to(self, device: str | torch.device) -> Adjacency:
        """The same graph on another device."""
        moved = [tensor.to(device) for tensor in (self.crow, self.col, self.edge, self.base)]
        single = None if self.single is None else self.single.to(device)
        return Adjacency(*moved, n_nodes=self.n_nodes, copies=self.copies, single=single)


@dataclass(frozen=True, eq=False)
class MaskedGraph:
    """M o A: one CSR tensor of the graph that all members share, or of the union of one graph for each.

    What networks divide by is computed when first asked for, and kept: an epoch asks six times.
    """

    csr: Tensor
    adjacency: Adjacency
    known_strength: Tensor | None = None  # of a part of a graph: what its nodes have in the whole

    def of_each(self, members: int) -> tuple[Tensor, Tensor]:
        """Edge index of one graph, (2, entries), and the weights for every member, (members, entries)."""
        single = self.adjacency.single or self.adjacency
        weights = self.csr.values().view(self.adjacency.copies, -1)
        return single.edge_index, weights.expand(members, -1)

    @cached_property
    def strength(self) -> Tensor:
        """The sum of each node's weights."""
        if self.known_strength is not None:
            return self.known_strength
        return row_sums(self.csr)

    @cached_property
    def degree(self) -> Tensor:
        """The same as a column to divide by, (nodes, 1): tiny for nodes without edges."""
        if self.known_strength is not None:
            return self.known_strength[:, None].clamp_min(1e-12)
        ones = torch.ones(len(self.csr), 1, dtype=self.csr.dtype, device=self.csr.device)
        return (self.csr @ ones).clamp_min_(1e-12)

    @cached_property
    def inverse_root_degree(self) -> Tensor:
        """The diagonal of D^-1/2, a self-loop of weight one included."""
        return (self.strength + 1.0).rsqrt_()
