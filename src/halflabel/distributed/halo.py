"""Halo: values of neighbours that other processes own, fetched before every product."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from halflabel.distributed.group import Group
from halflabel.distributed.part import Part


@dataclass(frozen=True, eq=False)
class Halo:
    """Rows of own nodes to send, sorted by receiver, and how many rows go to and come from each process."""

    group: Group
    send: Tensor
    counts: list[int]
    expected: list[int]
    n_own: int

    @classmethod
    def meet(cls, group: Group, part: Part) -> Halo:
        """Tell every process which of its nodes are needed here, and hear what they need."""
        expected = np.bincount(part.halo_owner, minlength=group.size)
        wanted = group.all_gather(torch.as_tensor(expected, device=group.device))
        counts = [int(row[group.rank]) for row in wanted]
        # The halo is sorted by owner: that is the order in which the requests go out.
        asked = torch.as_tensor(part.halo_place, device=group.device)
        places = group.exchange(asked, expected.tolist(), counts).numpy(force=True)
        send = torch.as_tensor(np.searchsorted(part.place, places), device=group.device)
        return cls(group, send, counts, expected.tolist(), len(part.place))

    @property
    def size(self) -> int:
        """Number of halo nodes."""
        return sum(self.expected)

    def fetch(self, x: Tensor, copies: int = 1) -> Tensor:
        """Rows of the halo nodes, from rows of own nodes; of all copies of the graph, one after another."""
        fetched = self.fetch_each(x.reshape(copies, self.n_own, *x.shape[1:]))
        return fetched.reshape(copies * self.size, *x.shape[1:])

    def fetch_each(self, own: Tensor) -> Tensor:
        """The same for rows of shape (copies, own nodes, ...), in one exchange: (copies, halo nodes, ...)."""
        if self.group.size == 1:
            return own[:, :0]
        sent = own.index_select(1, self.send).transpose(0, 1)
        return self.group.exchange(sent, self.counts, self.expected).transpose(0, 1)
