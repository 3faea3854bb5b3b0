"""Pairs of nodes without an edge between them, drawn at random."""

from __future__ import annotations

import torch
from torch import Tensor

from halflabel.edges.adjacency import Adjacency


def sample_non_edges(
    adjacency: Adjacency, count: int, generator: torch.Generator | None = None
) -> tuple[Tensor, Tensor]:
    """About `count` uniform pairs: those that turn out to be an edge, or a node twice, are left out.

    They are not drawn again, so what is left is uniform over the pairs without an edge, and a complete graph
    gives none. Without a generator, torch's random state decides.

    >>> from scipy import sparse
    >>> import numpy as np
    >>> triangle_and_one = np.ones((4, 4)) - np.eye(4)
    >>> triangle_and_one[3] = triangle_and_one[:, 3] = 0
    >>> adjacency = Adjacency.from_scipy(sparse.csr_array(triangle_and_one))
    >>> i, j = sample_non_edges(adjacency, 20, generator=torch.Generator().manual_seed(0))
    >>> bool(((i == 3) ^ (j == 3)).all())
    True
    """
    n, device = adjacency.n_nodes, adjacency.col.device
    i, j = torch.randint(n, (2, count), generator=generator, device=device)
    stored = adjacency.rows.long() * n + adjacency.col  # ascending, as rows and their columns are
    drawn = i * n + j
    place = torch.searchsorted(stored, drawn)
    is_edge = torch.cat([stored, stored.new_tensor([-1])])[place] == drawn
    free = ~is_edge & (i != j)
    return i[free], j[free]
