"""Compressed-row tensors, made in one place so that torch's remarks about them are made in none."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor

FAR, MANY = 25_000, 10  # nodes, or networks, from which products read from memory
WIDE = 12  # columns from which reading ahead pays


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


def is_far(nodes: int, members: int = 1) -> bool:
    """Whether what a product reads comes from memory: a large graph, or the columns of many networks.

    >>> is_far(1_000, members=5), is_far(1_000, members=15), is_far(1_000_000)
    (False, True, True)
    """
    return nodes >= FAR or members >= MANY


def product(matrix: Tensor, columns: Tensor, *, far: bool = False) -> Tensor:
    """A sparse matrix times a dense one; what is `far` is read ahead of its use.

    >>> product(torch.tensor([[0.0, 2.0], [1.0, 0.0]]).to_sparse_csr(), torch.eye(2)).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    if not isinstance(matrix, Tensor):  # own rows of one of several processes
        return matrix @ columns
    if far and _fits_bags(columns):
        return _sums_of_rows(matrix, columns)
    # Of `matrix @ columns`, torch fills and copies the result before it computes it.
    result = columns.new_zeros(matrix.shape[0], columns.shape[1])
    return torch.addmm(result, matrix, columns, beta=0.0, out=result)


def product_onto(onto: Tensor, matrix: Tensor, columns: Tensor, *, far: bool = False) -> Tensor:
    """The same, added to `onto`, which stays as it is.

    >>> ones = torch.ones(2, 2)
    >>> product_onto(ones, torch.tensor([[0.0, 2.0], [1.0, 0.0]]).to_sparse_csr(), torch.eye(2)).tolist()
    [[1.0, 3.0], [2.0, 1.0]]
    """
    if far and isinstance(matrix, Tensor) and _fits_bags(columns):
        return _sums_of_rows(matrix, columns).add_(onto)
    return torch.addmm(onto, matrix, columns)


def _fits_bags(columns: Tensor) -> bool:
    """The kernel is one of single precision for processors, and slower for few columns."""
    return columns.shape[1] >= WIDE and columns.dtype == torch.float32 and columns.device.type == "cpu"


def _sums_of_rows(matrix: Tensor, columns: Tensor) -> Tensor:
    """The product as bags of embeddings, which asks for rows ahead of their use: up to 2.6 times as fast as
    MKL's, and rounded otherwise (benchmarks/speed/choices.py)."""
    # Single columns of many members come one after another, where a row is everywhere: ten times as slow.
    return torch.nn.functional.embedding_bag(
        matrix.col_indices(), columns.contiguous(), matrix.crow_indices(), mode="sum",
        per_sample_weights=matrix.values(), include_last_offset=True)


# torch calls CSR support "beta" once in every process; no user of ours can do anything about it.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    csr_tensor(torch.tensor([0, 0]), torch.tensor([], dtype=torch.int64), torch.tensor([]), (1, 1))
