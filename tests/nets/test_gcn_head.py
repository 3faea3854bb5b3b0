"""The network of GRAB equals the reference layers, forward and backward."""

import numpy as np
import torch
from scipy import sparse
from torch_geometric.nn import GCNConv

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.gcn_head import GCNHead


def test_equals_torch_geometrics_convolutions_and_a_linear_layer_with_the_same_weights():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((12, 12)) * (rng.random((12, 12)) < 0.4), k=1)
    masked = Adjacency.from_scipy(sparse.csr_array(upper + upper.T)).masked()
    x = rng.normal(size=(12, 6)).astype(np.float32)
    torch.manual_seed(0)
    net = GCNHead(6, 4, members=1, dropout=0.5).eval()
    with torch.no_grad():
        for bias in (net.first_bias, net.second_bias, net.head_bias):
            bias.normal_()

    edge_index, (weight,) = masked.of_each(1)
    first, second, head = GCNConv(6, 4), GCNConv(4, 4), torch.nn.Linear(4, 1)
    linear = (first.lin.weight, first.bias), (second.lin.weight, second.bias), (head.weight, head.bias)
    ours = (net.first, net.first_bias), (net.second, net.second_bias), (net.head, net.head_bias)
    for (W, b), (own, own_bias) in zip(linear, ours, strict=True):
        W.data, b.data = own.data[0].T.clone(), own_bias.data.flatten().clone()
    h = torch.relu(first(torch.as_tensor(x), edge_index, weight))
    wanted = head(torch.relu(second(h, edge_index, weight))).squeeze(-1)

    got = net(FeatureMatrix(x), masked)[0]
    torch.testing.assert_close(got, wanted)
    got.square().sum().backward()
    wanted.square().sum().backward()
    for (W, b), (own, own_bias) in zip(linear, ours, strict=True):
        torch.testing.assert_close(own.grad[0].T, W.grad, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(own_bias.grad.flatten(), b.grad, rtol=1e-4, atol=1e-5)
