"""A graph that three networks share, and a graph for each of them."""

import numpy as np
import pytest
import torch
from scipy import sparse

from halflabel.edges.adjacency import Adjacency, MaskedGraph

MEMBERS = 3


@pytest.fixture(params=[False, True], ids=["one graph", "a graph for each"])
def graph(request: pytest.FixtureRequest) -> MaskedGraph:
    """Thirty nodes, some without edges, and random weights."""
    upper = sparse.triu(sparse.random_array((30, 30), density=0.1, rng=np.random.default_rng(0)), k=1)
    adjacency = Adjacency.from_scipy(sparse.csr_array(upper + upper.T))
    torch.manual_seed(0)
    mask = torch.rand((MEMBERS if request.param else 1) * adjacency.n_edges)
    return (adjacency.repeat(MEMBERS) if request.param else adjacency).masked(mask)
