"""Two layouts of the same numbers: members stacked one above another, or side by side in columns."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

AT_ONCE = 96  # columns: more of them, and what a product reads again and again is not in the cache any more


def side_by_side(stacked: Tensor) -> Tensor:
    """(members, rows, k) to (rows, members * k): one product then serves all members.

    >>> import torch
    >>> side_by_side(torch.zeros(2, 3, 4)).shape
    torch.Size([3, 8])
    """
    return stacked.transpose(0, 1).reshape(stacked.shape[1], -1)


def one_above_another(flat: Tensor, members: int) -> Tensor:
    """(rows, members * k) to (members, rows, k), as a view: what follows may copy it, or may not need to.

    >>> import torch
    >>> one_above_another(torch.zeros(3, 8), members=2).shape
    torch.Size([2, 3, 4])
    """
    return flat.view(len(flat), members, -1).transpose(0, 1)


def few_at_a_time(stacked: Tensor, columns: int, work: Callable[[Tensor], Tensor]) -> Tensor:
    """What `work` makes of stacked members, of some at a time: AT_ONCE columns, if each has so many.

    Fifteen networks on PubMed then take a third of the time for X^T G, two thirds for X W, and .85 for the
    product with the graph (benchmarks/speed/choices.py).

    >>> import torch
    >>> few_at_a_time(torch.ones(20, 3, 16), 16, lambda some: some[:, :2] + 1).shape
    torch.Size([20, 2, 16])
    """
    members = len(stacked)
    groups = min(-(-members * columns // AT_ONCE), members)
    if groups <= 1:
        return work(stacked)
    result, done = None, 0
    for some in stacked.tensor_split(groups):
        found = work(some)
        if result is None:
            result = found.new_empty(members, *found.shape[1:])
        result[done : done + len(some)] = found
        done += len(some)
    assert result is not None
    return result
