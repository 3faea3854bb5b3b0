"""Parameters of several networks side by side: the first axis counts the networks."""

from __future__ import annotations

import torch
from torch import nn


def weights(n_in: int, n_out: int, members: int) -> nn.Parameter:
    """Glorot-uniform matrices of shape (members, n_in, n_out).

    >>> weights(4, 2, members=3).shape
    torch.Size([3, 4, 2])
    """
    bound = (6.0 / (n_in + n_out)) ** 0.5
    return nn.Parameter(torch.empty(members, n_in, n_out).uniform_(-bound, bound))


def bias(n_out: int, members: int) -> nn.Parameter:
    """Zero biases that broadcast over the nodes.

    >>> bias(2, members=3).shape
    torch.Size([3, 1, 2])
    """
    return nn.Parameter(torch.zeros(members, 1, n_out))
