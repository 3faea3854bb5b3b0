"""ARMA is torch_geometric's, weight by weight, on one graph for all members and on one for each."""

import numpy as np
import pytest
import torch
from scipy import sparse
from torch_geometric.nn import ARMAConv

from halflabel.adjacency import Adjacency
from halflabel.nets import FeatureMatrix, build_backbone

MEMBERS = 3
X = np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32)


@pytest.fixture(params=[False, True], ids=["one graph", "a graph for each"])
def graph(request):
    upper = sparse.triu(sparse.random_array((30, 30), density=0.1, rng=np.random.default_rng(0)), k=1)
    adjacency = Adjacency.from_scipy(sparse.csr_array(upper + upper.T))
    torch.manual_seed(0)
    mask = torch.rand((MEMBERS if request.param else 1) * adjacency.n_edges)
    return (adjacency.repeat(MEMBERS) if request.param else adjacency).masked(mask)


def test_arma(graph):
    torch.manual_seed(0)
    net = build_backbone("arma", n_features=5, hidden=4, members=MEMBERS, dropout=0.0)
    torch.nn.init.normal_(net.first.bias)
    logits = net(FeatureMatrix(X, torch.device("cpu")), graph)
    edge_index, weight = graph.of_each(MEMBERS)
    for m in range(MEMBERS):
        first, second = reference_filter(net.first, m, 5, 4), reference_filter(net.second, m, 4, 1)
        second.act = None
        h = first(torch.as_tensor(X), edge_index, weight[m])
        torch.testing.assert_close(logits[m], second(h, edge_index, weight[m]).squeeze(-1))


def reference_filter(ours, member, n_in, n_out):
    layer = ARMAConv(n_in, n_out)
    layer.init_weight.data = ours.near[member : member + 1].detach()
    layer.root_weight.data = ours.own[None, member : member + 1].detach()
    layer.bias.data = ours.bias[None, member : member + 1].detach()
    return layer
