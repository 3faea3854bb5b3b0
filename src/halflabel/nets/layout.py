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
    """(rows, members * k) to (members, rows, k).

    >>> import torch
    >>> one_above_another(torch.zeros(3, 8), members=2).shape
    torch.Size([2, 3, 4])
    """
    return flat.view(len(flat), members, -1).transpose(0, 1).contiguous()


def few_at_a_time(stacked: Tensor, rows: int, work: Callable[[Tensor], Tensor]) -> Tensor:
    """What `work` makes of members side by side, but for about AT_ONCE columns at a time.

    From (members, some rows, k) to (members, rows, k). Many networks on PubMed then take a third of the time
    for X^T G, and two thirds for X W (benchmarks/speed/choices.py).

    >>> import torch
    >>> few_at_a_time(torch.ones(20, 3, 16), 2, lambda columns: columns[:2] + 1).shape
    torch.Size([20, 2, 16])
    """
    members, _, k = stacked.shape
    groups = min(-(-members * k // AT_ONCE), members)
    if groups == 1:
        return one_above_another(work(side_by_side(stacked)), members)
    result = stacked.new_empty(members, rows, k)
    for some, place in zip(stacked.tensor_split(groups), result.tensor_split(groups), strict=True):
        place.copy_(work(side_by_side(some)).view(rows, len(some), k).transpose(0, 1))
    return result
