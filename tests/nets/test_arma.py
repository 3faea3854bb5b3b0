"""ARMA is torch_geometric's, weight by weight, on one graph for all members and on one for each."""

import numpy as np
import torch
from torch_geometric.nn import ARMAConv

from halflabel.nets import FeatureMatrix, build_backbone

MEMBERS = 3
X = np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32)


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
