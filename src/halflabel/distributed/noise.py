"""Dropout that does not depend on how the nodes are shared out.

Every process draws the random bytes of all nodes, in the order in which one process would, and keeps those of
its own nodes. Drawing a byte takes about half a nanosecond; no process ever holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from halflabel.nets.dropout import random_bytes

BLOCK = 65_536  # rows of bytes in memory at a time; a multiple of 8, so that blocks begin with a fresh number


def noise_for(place: np.ndarray, n_nodes: int) -> Callable[[Tensor], Tensor]:
    """A function that draws a byte for each value of x, (members, own nodes, k), as `random_bytes` would.

    >>> draw = noise_for(np.array([1, 3]), n_nodes=4)
    >>> start = torch.get_rng_state()
    >>> own = draw(torch.zeros(2, 2, 3))
    >>> _ = torch.set_rng_state(start)
    >>> bool((own == random_bytes(torch.zeros(2, 4, 3))[:, [1, 3]]).all())
    True
    """

    def draw(x: Tensor) -> Tensor:
        members, _, width = x.shape
        rows = (np.arange(members)[:, None] * n_nodes + place).ravel()
        total = members * n_nodes
        own = torch.empty(len(rows), width, dtype=torch.uint8)
        cuts = np.searchsorted(rows, np.arange(0, total + BLOCK, BLOCK))
        for block, (first, last) in enumerate(pairwise(cuts)):
            start = block * BLOCK
            noise = random_bytes(torch.empty(min(BLOCK, total - start), width, device="cpu"))
            if first < last:
                own[first:last] = noise[as_slice(rows[first:last] - start)]
        return own.view(x.shape).to(x.device)

    return draw


def as_slice(rows: np.ndarray) -> slice | Tensor:
    """Sorted rows in one run, as all are where parts are contiguous, are copied much faster.

    >>> as_slice(np.array([3, 4, 5])), as_slice(np.array([3, 5])).tolist()
    (slice(3, 6, None), [3, 5])
    """
    run = len(rows) and rows[-1] - rows[0] == len(rows) - 1
    return slice(int(rows[0]), int(rows[-1]) + 1) if run else torch.as_tensor(rows)
