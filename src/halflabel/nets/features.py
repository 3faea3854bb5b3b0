"""Node features as the first layer of a network needs them: dense, sparse in both orders, or on disk."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from halflabel.edges.csr import csr_tensor, is_far, product
from halflabel.features.diskrows import DiskRows
from halflabel.nets.layout import few_at_a_time, one_above_another, side_by_side

MANY_NODES = 1_000_000  # whose product with a narrow X is cheaper to compute again than to keep


class FeatureMatrix:
    """X with differentiable products X W_m; sparse X is kept by rows and by columns.

    The gradient X^T G by a stored transpose is 7-60 times faster than transposing on every step. Every
    backbone sees X through these products alone, so one that stays on disk is read a block of rows at a time,
    and memory holds nodes times hidden units, never nodes times features.

    >>> X = FeatureMatrix(np.eye(3, dtype=np.float32))
    >>> X.times_each(torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, X: np.ndarray | sparse.csr_array | DiskRows, device: str | torch.device = "cpu"):
        self.n_nodes, self.n_features = X.shape
        self._source, self._device = X, device
        self._dense: Tensor | None = None
        self._disk: DiskRows | None = None
        self._copied: Tensor | None = None
        self._latest: tuple[Tensor, Tensor] | None = None
        if isinstance(X, DiskRows):
            self._disk = X
        elif isinstance(X, np.ndarray):
            self._dense = torch.as_tensor(np.ascontiguousarray(X), dtype=torch.float32, device=device)
        else:
            self._by_rows, self._by_columns = _to_torch(X).to(device), _to_torch(X.T.tocsr()).to(device)

    def take(self, nodes: np.ndarray) -> FeatureMatrix:
        """The rows of some nodes.

        >>> FeatureMatrix(np.eye(3, dtype=np.float32)).take(np.array([2])).dense().tolist()
        [[0.0, 0.0, 1.0]]
        """
        return FeatureMatrix(self._source[nodes], self._device)

    def times_each(self, W: Tensor) -> Tensor:
        """X W_m for every member's W_m, in one product: (members, features, k) to (members, nodes, k)."""
        product = _TimesEach.apply(W, self)  # pyright: ignore
        if torch.is_grad_enabled():
            self._latest = None  # a step of W follows: from here on its memory serves
        return product

    def product(self, W: Tensor) -> Tensor:
        """The value of `times_each`, computed once while W stays as it is: an epoch asks three times."""
        if self._dense is not None and self.n_features <= W.shape[2] and self.n_nodes >= MANY_NODES:
            return self._product(W)
        # By value: fused optimisers change W without counting up its version.
        if self._latest is None or not torch.equal(self._latest[0], W):
            self._latest = None  # the old one goes before the new one comes
            self._latest = (W.detach().clone(), self._product(W))
        return self._latest[1]

    def _product(self, W: Tensor) -> Tensor:
        if self._disk is None:
            return self._times(W)
        flat, value = side_by_side(W), W.new_empty(len(W), self.n_nodes, W.shape[2])
        for rows, block in self._disk.blocks():
            value[:, rows] = one_above_another(self._tensor(block) @ flat, len(W))
        return value

    def transposed_product(self, G: Tensor) -> Tensor:
        """X^T G_m for every member's G_m: (members, nodes, k) to (members, features, k)."""
        if self._disk is None:
            return self._times(G, transposed=True)
        value = G.new_zeros(self.n_features, len(G) * G.shape[2])
        for rows, block in self._disk.blocks():
            value.addmm_(self._tensor(block).T, side_by_side(G[:, rows]))
        return one_above_another(value, len(G)).contiguous()

    def _times(self, stacked: Tensor, transposed: bool = False) -> Tensor:
        """X or X^T times what each member has."""
        members, _, width = stacked.shape
        if self._dense is not None:
            X = self._dense.T if transposed else self._dense
            return one_above_another(X @ side_by_side(stacked), members).contiguous()
        X, far = self._by_columns if transposed else self._by_rows, is_far(self.n_nodes, members)

        def times(some: Tensor) -> Tensor:
            return one_above_another(product(X, side_by_side(some), far=far), len(some))

        return (few_at_a_time(stacked, width, times) if far else times(stacked)).contiguous()

    def dense(self) -> Tensor:
        """X as one dense tensor, for layers of other libraries; made once, because every step asks."""
        if self._dense is not None:
            return self._dense
        if self._copied is None:
            disk = self._disk
            self._copied = (self._by_rows.to_dense() if disk is None else
                            self._tensor(disk[np.arange(self.n_nodes)]))
        return self._copied

    def _tensor(self, rows: np.ndarray) -> Tensor:
        return torch.as_tensor(rows, dtype=torch.float32, device=self._device)


class _TimesEach(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, W: Tensor, X: FeatureMatrix) -> Tensor:
        ctx.X = X
        # An alias: autograd marks what is returned here as the result of this very call.
        return X.product(W).detach()

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        return ctx.X.transposed_product(grad_outputs[0]), None


def _to_torch(matrix: sparse.csr_array) -> Tensor:
    if not matrix.has_sorted_indices:
        matrix = matrix.sorted_indices()
    return csr_tensor(
        torch.as_tensor(matrix.indptr.astype(np.int32)),
        torch.as_tensor(matrix.indices.astype(np.int32)),
        torch.as_tensor(matrix.data.astype(np.float32)),
        matrix.shape,
    )
