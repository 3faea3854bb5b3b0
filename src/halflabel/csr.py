"""Compressed-row tensors, made in one place so that torch's remarks about them are made in none."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor
from torch.nn.functional import pad

LONG = 500_000  # nodes from which columns are put side by side only a few at a time
COLUMNS = 8  # so many; 22 of 10^6 nodes then take 6 % longer than all at once, and a third of the memory
FAR, MANY = 25_000, 10  # nodes, or networks, from which products read from memory
WIDE = 12  # columns from which reading ahead pays

Pair = tuple[Tensor, Tensor]  # of the same shape


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


def sampled_products(pattern: Tensor, left: Tensor, right: Tensor, onto: Tensor | None = None) -> Tensor:
    """sum_k left[i, k] right[j, k] for every stored entry (i, j), added to `onto` if that is given.

    There is no temporary of entries times k.

    >>> pattern = torch.eye(2).to_sparse_csr()
    >>> left = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> sampled_products(pattern, left, torch.ones(2, 2)).tolist()
    [3.0, 7.0]
    """
    # sampled_addmm is 4-8 times slower with 2-7 columns than with 8.
    if (missing := 8 - left.shape[1]) > 0:
        left, right = pad(left, (0, missing)), pad(right, (0, missing))
    if onto is None:
        onto = torch.zeros_like(pattern.values())
    # A matrix made here shares the indices; of those of the pattern torch would make copies.
    rows, columns = pattern.shape
    matrix = csr_tensor(pattern.crow_indices(), pattern.col_indices(), onto, (rows, columns))
    torch.sparse.sampled_addmm(matrix, left, right.T, out=matrix)
    return onto


def symmetric_products(pattern: Tensor, pairs: Sequence[Pair], onto: Tensor | None = None) -> Tensor:
    """sum_k a[k, i] b[k, j] + b[k, i] a[k, j] over all pairs (a, b), for every stored entry (i, j).

    >>> pattern = torch.tensor([[0.0, 1.0], [0.0, 0.0]]).to_sparse_csr()
    >>> a, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]])
    >>> symmetric_products(pattern, [(a, b)]).tolist()
    [10.0]
    """
    if len(pattern) < LONG:
        blocks = [block for pair in pairs for block in pair]
        left = _side_by_side(blocks)
        partners = _partners(tuple(len(a) for a, _ in pairs), left.shape[1], left.device)
        return sampled_products(pattern, left, left.index_select(1, partners), onto)
    total = torch.zeros_like(pattern.values()) if onto is None else onto
    left = [row for a, b in pairs for row in (*a.split(1), *b.split(1))]
    right = [row for a, b in pairs for row in (*b.split(1), *a.split(1))]
    for start in range(0, len(left), COLUMNS):
        some = (_side_by_side(side[start : start + COLUMNS]) for side in (left, right))
        sampled_products(pattern, *some, onto=total)
    return total


def products_of_copies(pattern: Tensor, pairs: Sequence[Pair]) -> Tensor:
    """The same for several copies of a graph, one after another; pairs are of shape (rows, copies, nodes).

    >>> pattern = torch.tensor([[0.0, 1.0], [0.0, 0.0]]).to_sparse_csr()
    >>> a, b = torch.tensor([[[1.0, 2.0], [0.0, 1.0]]]), torch.tensor([[[3.0, 4.0], [5.0, 6.0]]])
    >>> products_of_copies(pattern, [(a, b)]).tolist()
    [10.0, 5.0]
    """
    found = pattern.values().new_zeros(pairs[0][0].shape[1], len(pattern.values()))
    for copy, onto in enumerate(found):
        symmetric_products(pattern, [(a[:, copy], b[:, copy]) for a, b in pairs], onto)
    return found.flatten()


def _side_by_side(blocks: Sequence[Tensor]) -> Tensor:
    """Rows as columns, of which there are eights, because what is left over costs as much as another eight.

    Copied to their places at once they take a third of the time of torch.cat and a transposition.
    """
    lengths = [len(block) for block in blocks]
    total = sum(lengths)
    columns = blocks[0].new_empty(blocks[0].shape[1], total + -total % 8)
    columns[:, total:] = 0.0
    for place, block in zip(columns.T[:total].split(lengths), blocks, strict=True):
        place.copy_(block)
    return columns


@lru_cache(maxsize=32)
def _partners(lengths: tuple[int, ...], columns: int, device: torch.device) -> Tensor:
    """Which column each is multiplied with, where the rows of all pairs are side by side."""
    order: list[int] = []
    for length in lengths:
        first, second = len(order), len(order) + length
        order += [*range(second, second + length), *range(first, second)]
    order += range(len(order), columns)
    return torch.tensor(order, device=device)


# torch calls CSR support "beta" once in every process; no user of ours can do anything about it.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    csr_tensor(torch.tensor([0, 0]), torch.tensor([], dtype=torch.int64), torch.tensor([]), (1, 1))
