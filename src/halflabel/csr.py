"""Compressed-row tensors, made in one place so that torch's remarks about them are made in none."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor


def csr_tensor(crow: Tensor, col: Tensor, values: Tensor, shape: tuple[int, int]) -> Tensor:
    """A CSR tensor from its three arrays, which the caller vouches for.

    >>> ones = csr_tensor(torch.tensor([0, 1, 2]), torch.tensor([1, 0]), torch.ones(2), (2, 2))
    >>> ones.to_dense().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return torch.sparse_csr_tensor(crow, col, values, size=shape, check_invariants=False)


# torch calls CSR support "beta" once in every process; no user of ours can do anything about it.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    csr_tensor(torch.tensor([0, 0]), torch.tensor([], dtype=torch.int64), torch.tensor([]), (1, 1))
