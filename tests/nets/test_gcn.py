"""The GCN equals the reference implementation, forward and backward."""

import numpy as np
import pytest
import torch
from scipy import sparse
from torch_geometric.nn import GCNConv

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.gcn import GCN, convolve


@pytest.fixture
def graph():
    """Twelve nodes, weighted edges; node 0 has none, node 1 has one."""
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((12, 12)) * (rng.random((12, 12)) < 0.4), k=1)
    upper[:2] = 0
    upper[1, 5] = 0.7
    return Adjacency.from_scipy(sparse.csr_array(upper + upper.T))


def test_equals_torch_geometrics_convolution_with_the_same_weights(graph):
    x = np.random.default_rng(1).normal(size=(12, 6)).astype(np.float32)
    torch.manual_seed(0)
    net = GCN(6, 4, members=1, dropout=0.5).eval()
    with torch.no_grad():
        net.first_bias.normal_()
        net.second_bias.normal_()
    masked = graph.masked(torch.rand(graph.n_edges))
    edge_index, (weight,) = masked.of_each(1)

    layers = GCNConv(6, 4), GCNConv(4, 1)
    for layer, W, b in zip(layers, (net.first, net.second), (net.first_bias, net.second_bias), strict=True):
        layer.lin.weight.data, layer.bias.data = W.data[0].T.clone(), b.data.flatten().clone()
    h = torch.relu(layers[0](torch.as_tensor(x), edge_index, weight))
    wanted = layers[1](h, edge_index, weight).squeeze(-1)

    got = net(FeatureMatrix(x), masked)[0]
    torch.testing.assert_close(got, wanted)
    got.square().sum().backward()
    wanted.square().sum().backward()
    for layer, W, b in zip(layers, (net.first, net.second), (net.first_bias, net.second_bias), strict=True):
        torch.testing.assert_close(W.grad[0].T, layer.lin.weight.grad, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(b.grad.flatten(), layer.bias.grad, rtol=1e-4, atol=1e-5)


def test_the_hand_written_backward_pass_is_right():
    upper = np.triu(np.random.default_rng(0).random((5, 5)), k=1)
    adjacency = Adjacency.from_scipy(sparse.csr_array(upper + upper.T), dtype=torch.float64).repeat(2)
    weighted = adjacency.weighted()
    scale = (weighted.mv(torch.ones(10, dtype=torch.float64)) + 1).rsqrt()
    x = torch.randn(2, 5, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: convolve(weighted, scale, x), x)


def test_without_edges_it_is_a_perceptron():
    x = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
    net = GCN(6, 4, members=1, dropout=0.0).eval()
    h = torch.relu(torch.as_tensor(x) @ net.first[0] + net.first_bias[0])
    wanted = (h @ net.second[0] + net.second_bias[0]).T
    alone = Adjacency.from_scipy(sparse.csr_array((4, 4)))
    torch.testing.assert_close(net(FeatureMatrix(x), alone.masked()), wanted)


def test_one_graph_for_all_members_equals_a_copy_for_each():
    torch.manual_seed(0)
    adjacency = Adjacency.from_scipy(sparse.csr_array(np.ones((5, 5)) - np.eye(5)))
    X = FeatureMatrix(np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32))
    net = GCN(n_features=3, hidden=4, members=3, dropout=0.0)
    shared, copied = net(X, adjacency.masked()), net(X, adjacency.repeat(3).masked())
    torch.testing.assert_close(shared, copied)
    parameters = list(net.parameters())
    gradients = [torch.autograd.grad(logits.square().sum(), parameters) for logits in (shared, copied)]
    torch.testing.assert_close(*gradients)
