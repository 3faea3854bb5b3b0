"""sum_k a[k, i] b[k, j] for every edge (i, j): what gradients of edge weights are made of.

There is no temporary of edges times k. What belongs to the first ends of edges is read in their order, so it
is put together a stretch of rows at a time, in the cache; what belongs to the second ends is kept whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn.functional import pad

from halflabel.edges.csr import csr_tensor

ROWS = 16_384  # in a stretch: a mask step at 10^6 stored edges takes 27 instead of 30 ms (prototype)
LONG = 500_000  # nodes from which columns are put side by side only some at a time
COLUMNS = 16  # so many

Pair = tuple[Tensor, Tensor]  # of the same shape


@dataclass(frozen=True, eq=False)
class Stretch:
    """Consecutive rows of a sparse pattern, and where they and their entries are in the whole."""

    crow: Tensor
    col: Tensor
    rows: slice
    entries: slice


def stretches(crow: Tensor, col: Tensor, length: int = ROWS) -> list[Stretch]:
    """A sparse pattern, so many rows at a time.

    >>> first, second = stretches(torch.tensor([0, 1, 1, 3]), torch.tensor([2, 0, 1]), length=2)
    >>> second.rows, second.entries, second.crow.tolist(), second.col.tolist()
    (slice(2, 3, None), slice(1, 3, None), [0, 2], [0, 1])
    """
    n = len(crow) - 1
    starts = range(0, n, length)
    bounds = [*crow[:-1:length].tolist(), len(col)]
    return [Stretch(crow[start : start + length + 1] - low, col[low:high],
                    slice(start, min(start + length, n)), slice(low, high))
            for start, (low, high) in zip(starts, pairwise(bounds), strict=True)]


def sampled_products(crow: Tensor, col: Tensor, left: Tensor, right: Tensor, onto: Tensor) -> Tensor:
    """sum_k left[i, k] right[j, k] for every entry (i, j) of a pattern, added to `onto`.

    >>> crow, col = torch.tensor([0, 1, 2]), torch.tensor([0, 1])
    >>> left = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> sampled_products(crow, col, left, torch.ones(2, 2), torch.zeros(2)).tolist()
    [3.0, 7.0]
    """
    # sampled_addmm is 4-8 times slower with 2-7 columns than with 8.
    if (missing := 8 - left.shape[1]) > 0:
        left, right = pad(left, (0, missing)), pad(right, (0, missing))
    # A matrix made here shares the indices; of a given one's torch would make copies.
    matrix = csr_tensor(crow, col, onto, (len(left), len(right)))
    torch.sparse.sampled_addmm(matrix, left, right.T, out=matrix)
    return onto


def symmetric_products(
    pattern: Sequence[Stretch], pairs: Sequence[Pair], onto: Tensor | None = None
) -> Tensor:
    """sum_k a[k, i] b[k, j] + b[k, i] a[k, j] over all pairs (a, b), for every entry (i, j), added to `onto`.

    >>> pattern = stretches(torch.tensor([0, 1, 1]), torch.tensor([1]))
    >>> a, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]])
    >>> symmetric_products(pattern, [(a, b)]).tolist()
    [10.0]
    """
    if onto is None:
        onto = pairs[0][0].new_zeros(pattern[-1].entries.stop)
    for some in _some_at_a_time(pairs):
        columns = _side_by_side([block for pair in some for block in pair])
        partners = _partners(tuple(len(a) for a, _ in some), columns.shape[1], columns.device)
        for part in pattern:
            left = columns[part.rows].index_select(1, partners)
            sampled_products(part.crow, part.col, left, columns, onto[part.entries])
    return onto


def products_of_copies(pattern: Sequence[Stretch], pairs: Sequence[Pair]) -> Tensor:
    """The same for several copies of a graph, one after another; pairs are of shape (rows, copies, nodes).

    >>> pattern = stretches(torch.tensor([0, 1, 1]), torch.tensor([1]))
    >>> a, b = torch.tensor([[[1.0, 2.0], [0.0, 1.0]]]), torch.tensor([[[3.0, 4.0], [5.0, 6.0]]])
    >>> products_of_copies(pattern, [(a, b)]).tolist()
    [10.0, 5.0]
    """
    first, _ = pairs[0]
    found = first.new_zeros(first.shape[1], pattern[-1].entries.stop)
    for copy, onto in enumerate(found):
        symmetric_products(pattern, [(a[:, copy], b[:, copy]) for a, b in pairs], onto)
    return found.flatten()


def _some_at_a_time(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    """All pairs, or on a large graph as many as have COLUMNS rows."""
    if pairs[0][0].shape[1] < LONG:
        yield pairs
        return
    single = [both for a, b in pairs for both in zip(a.split(1), b.split(1), strict=True)]
    for start in range(0, len(single), COLUMNS // 2):
        yield single[start : start + COLUMNS // 2]


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
