"""Two layouts of the same numbers: members stacked one above another, or side by side in columns."""

from __future__ import annotations

from torch import Tensor


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
