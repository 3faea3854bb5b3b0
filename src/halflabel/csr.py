"""Compressed-row tensors, made in one place so that torch's remarks about them are made in none."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor
from torch.nn.functional import pad


def csr_tensor(crow: Tensor, col: Tensor, values: Tensor, shape: tuple[int, int]) -> Tensor:
    """A CSR tensor from its three arrays, which the caller vouches for.

    >>> ones = csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([1, 0]), torch.ones(2), (2, 2))
    >>> ones.to_dense().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return torch.sparse_csr_tensor(crow, col, values, size=shape, check_invariants=False)


def row_sums(matrix: Tensor) -> Tensor:
    """The sum of every row of a square matrix.

    >>> row_sums(torch.tensor([[0.0, 2.0], [1.0, 0.0]]).to_sparse_csr()).tolist()
    [2.0, 1.0]
    """
    if hasattr(matrix, "row_sums"):  # rows of which this process has all entries, though not all columns
        return matrix.row_sums()  # pyright: ignore
    return matrix.mv(torch.ones(len(matrix), dtype=matrix.dtype, device=matrix.device))


def sampled_products(pattern: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """sum_k left[i, k] right[j, k] for every stored entry (i, j); no temporary of entries times k.

    >>> pattern = torch.eye(2).to_sparse_csr()
    >>> sampled_products(pattern, torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.ones(2, 2)).tolist()
    [3.0, 7.0]
    """
    # sampled_addmm is 4-8 times slower with 2-7 columns than with 8.
    missing = max(0, 8 - left.shape[1])
    left, right = pad(left, (0, missing)), pad(right, (0, missing))
    return torch.sparse.sampled_addmm(pattern, left, right.T, beta=0.0).values()


# torch calls CSR support "beta" once in every process; no user of ours can do anything about it.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    csr_tensor(torch.tensor([0, 0]), torch.tensor([], dtype=torch.int64), torch.tensor([]), (1, 1))
