"""Hops are a perceptron on features and means, though the matrix of these is never built."""

import numpy as np
import torch

from halflabel.nets import FeatureMatrix, build_backbone

MEMBERS = 3
X = np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32)


def with_means(graph, member):
    """[X, M X, M^2 X] for one member; nodes without neighbours have means of zero."""
    edge_index, weight = graph.of_each(MEMBERS)
    A = torch.zeros(30, 30).index_put_(tuple(edge_index), weight[member])
    M = A / A.sum(dim=1, keepdim=True).clamp_min(1e-12)
    assert (A.sum(dim=1) == 0).any()
    x = torch.as_tensor(X)
    return torch.cat([x, M @ x, M @ M @ x], dim=1)


def test_logits_and_gradients_are_those_of_a_perceptron_on_the_means(graph):
    torch.manual_seed(0)
    hops = build_backbone("hops", n_features=5, hidden=4, members=MEMBERS, dropout=0.0)
    logits = hops(FeatureMatrix(X), graph)
    logits.square().sum().backward()
    torch.manual_seed(0)
    mlp = build_backbone("mlp", n_features=15, hidden=4, members=MEMBERS, dropout=0.0)
    for m in range(MEMBERS):
        mlp.zero_grad()
        expected = mlp(FeatureMatrix(with_means(graph, m).numpy()), graph)[m]
        torch.testing.assert_close(logits[m], expected)
        expected.square().sum().backward()
        by_hop = torch.cat(mlp.first.grad[m].chunk(3), dim=1)
        torch.testing.assert_close(hops.first.grad[m], by_hop)
        torch.testing.assert_close(hops.second.grad[m], mlp.second.grad[m])
