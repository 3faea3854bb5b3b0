"""APPNP spreads logits as torch_geometric's does, on one graph for all members and on one for each."""

import numpy as np
import pytest
import torch
from scipy import sparse
from torch_geometric.nn import APPNP as Reference

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix, build_backbone

MEMBERS = 3


@pytest.fixture
def adjacency():
    rng = np.random.default_rng(0)
    upper = sparse.triu(sparse.random_array((30, 30), density=0.1, rng=rng), k=1)
    return Adjacency.from_scipy(sparse.csr_array(upper + upper.T))


@pytest.mark.parametrize("own_graphs", [False, True])
def test_logits_and_gradients_are_those_of_the_reference(adjacency, own_graphs):
    torch.manual_seed(0)
    net = build_backbone("appnp", n_features=5, hidden=4, members=MEMBERS, dropout=0.0)
    X = FeatureMatrix(np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32), torch.device("cpu"))
    mask = torch.rand(MEMBERS if own_graphs else 1, adjacency.n_edges)
    union = adjacency.repeat(MEMBERS) if own_graphs else adjacency
    graph = union.masked(mask.flatten())

    net(X, graph).square().sum().backward()
    ours = [p.grad.clone() for p in net.parameters()]
    net.zero_grad()
    local = net.predict(X, graph)
    edge_index, weights = graph.of_each(MEMBERS)
    spread = torch.stack([Reference(K=10, alpha=0.1)(z[:, None], edge_index, w).squeeze(-1)
                          for z, w in zip(local, weights, strict=True)])
    spread.square().sum().backward()

    torch.testing.assert_close(net(X, graph), spread)
    for a, p in zip(ours, net.parameters(), strict=True):
        torch.testing.assert_close(a, p.grad)
