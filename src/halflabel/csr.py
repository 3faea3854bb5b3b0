"""Compressed-row tensors, made in one place so that torch's remarks about them are made in none."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import pad

LONG = 100_000  # nodes from which columns are put side by side only a few at a time
COLUMNS = 8  # so many; 22 of 10^6 nodes then take 6 % longer than all at once, and a third of the memory


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


def sampled_products(pattern: Tensor, left: Tensor, right: Tensor, onto: Tensor | None = None) -> Tensor:
    """sum_k left[i, k] right[j, k] at every stored entry (i, j), as a matrix of the same pattern.

    There is no temporary of entries times k. With `onto`, they are added to its values.

    >>> pattern = torch.eye(2).to_sparse_csr()
    >>> left = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> sampled_products(pattern, left, torch.ones(2, 2)).values().tolist()
    [3.0, 7.0]
    """
    # sampled_addmm is 4-8 times slower with 2-7 columns than with 8.
    if (missing := 8 - left.shape[1]) > 0:
        left, right = pad(left, (0, missing)), pad(right, (0, missing))
    if onto is not None:
        return torch.sparse.sampled_addmm(onto, left, right.T, out=onto)
    return torch.sparse.sampled_addmm(pattern, left, right.T, beta=0.0)


def products_by_column(pattern: Tensor, left: Sequence[Tensor], right: Sequence[Tensor]) -> Tensor:
    """The same for columns that are given as the rows of some tensors; of long ones, a few at a time.

    >>> pattern = torch.eye(2).to_sparse_csr()
    >>> columns = torch.tensor([[1.0, 3.0], [2.0, 4.0]])
    >>> products_by_column(pattern, [columns], [torch.ones(2, 2)]).values().tolist()
    [3.0, 7.0]
    """
    if len(pattern) < LONG:
        return sampled_products(pattern, _side_by_side(left), _side_by_side(right))
    total = None
    rows = [[row for block in side for row in block.split(1)] for side in (left, right)]
    for start in range(0, len(rows[0]), COLUMNS):
        some = (_side_by_side(side[start : start + COLUMNS]) for side in rows)
        total = sampled_products(pattern, *some, onto=total)
    return pattern if total is None else total


def _side_by_side(rows: Sequence[Tensor]) -> Tensor:
    """As columns, of which there are eights, because what is left over costs as much as another eight.

    torch turns a matrix around faster than it puts columns next to each other.
    """
    missing = -sum(map(len, rows)) % 8
    return torch.cat([*rows, rows[0].new_zeros(missing, rows[0].shape[1])]).T.contiguous()


# torch calls CSR support "beta" once in every process; no user of ours can do anything about it.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    csr_tensor(torch.tensor([0, 0]), torch.tensor([], dtype=torch.int64), torch.tensor([]), (1, 1))
