"""LSDAN's two attentions equal plain loops over a ten-node graph, and its gradient by hand is right."""

import math

import networkx as nx
import numpy as np
import torch
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.attend import attend
from halflabel.nets.lsdan import LongShortAttention, LongShortLayer
from halflabel.nets.walk_views import walk_views

# A path 0-1-2-3-4-5-6, a branch 2-7, an edge 8-9 apart.
EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (2, 7), (8, 9)]
GRAPH = nx.Graph(EDGES)
TEN = Adjacency.from_scipy(nx.to_scipy_sparse_array(GRAPH, range(10), format="csr", dtype=float))
ALONE = Adjacency.from_scipy(sparse.csr_array(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=float)))
U = np.random.default_rng(0).normal(size=(10, 4)).astype(np.float32)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def times(vector, matrix):
    return [dot(vector, column) for column in zip(*matrix, strict=True)]


def softmax(scores):
    shares = [math.exp(score) for score in scores]
    return [share / sum(shares) for share in shares]


def k_step_neighbours(i, k):
    """Where a walk of k steps from i can end, one step after another."""
    ends = {i}
    for _ in range(k):
        ends = {neighbour for end in ends for neighbour in GRAPH[end]}
    return sorted(ends)


def layer_by_loops(layer, m, u):
    """The formulas of the layer, a node at a time."""
    W1, W2 = layer.value[m].tolist(), layer.query[m].tolist()
    r_i, r_j = layer.receiver[m, :, 0].tolist(), layer.sender[m, :, 0].tolist()
    value = [times(row, W1) for row in u]
    out = []
    for i in range(10):
        h = []
        for k in (1, 2, 3):
            neighbours = k_step_neighbours(i, k)
            e = [dot(r_i, value[i]) + dot(r_j, value[j]) for j in neighbours]
            attention = softmax([x if x > 0 else 0.2 * x for x in e])
            mean = [dot(attention, [value[j][c] for j in neighbours]) for c in range(4)]
            h.append([x if x > 0 else math.exp(x) - 1 for x in mean])
        share = softmax([dot(h[k], times(u[i], W2)) for k in range(3)])  # over k, not over neighbours
        out.append([sum(share[k] * h[k][c] for k in range(3)) for c in range(4)])
    return out


def test_walks_on_ten_nodes():
    second, third = walk_views(TEN, 3, 16)[1:]
    assert second.col[second.rows == 2].tolist() == [0, 2, 4]  # over 1, 3 and 7, and back to itself
    assert third.col[third.rows == 8].tolist() == [9]
    assert third.col[third.rows == 0].tolist() == [1, 3, 7]


def test_a_layer_equals_plain_loops():
    torch.manual_seed(0)
    layer = LongShortLayer(hidden=4, members=2)
    got = layer(torch.as_tensor(U).expand(2, 10, 4), walk_views(TEN, 3, 16), None)
    for m in range(2):
        torch.testing.assert_close(got[m], torch.tensor(layer_by_loops(layer, m, U.tolist())))


def test_the_network_stacks_layers_with_residual_connections():
    torch.manual_seed(0)
    net = LongShortAttention(n_features=4, hidden=4, members=1, dropout=0.5).eval()
    u0 = [times(row, net.project[0].tolist()) for row in U.tolist()]
    u1 = (np.array(u0) + layer_by_loops(net.first, 0, u0)).tolist()
    u2 = (np.array(u1) + layer_by_loops(net.second, 0, u1)).tolist()
    wanted = [[times(row, net.last[0].tolist())[0] for row in u2]]
    torch.testing.assert_close(net(FeatureMatrix(U), TEN.masked()), torch.tensor(wanted))


def test_attention_by_hand():
    # Node 2 attends to 1, 3 and 7, whose senders are log 1, log 2 and log 5; its own receiver is 0:
    # shares 1/8, 2/8, 5/8 of the values 8, 16, 0 give 1 + 4 + 0 = 5
    sender, value = torch.zeros(1, 10), torch.zeros(1, 10, 1)
    sender[0, [1, 3, 7]] = torch.tensor([0.0, math.log(2), math.log(5)])
    value[0, [1, 3, 7], 0] = torch.tensor([8.0, 16.0, 0.0])
    first = walk_views(TEN, 1, 16)[0]
    got = attend(torch.zeros(1, 10), sender, value, first)
    torch.testing.assert_close(got[0, 2], torch.tensor([5.0]))
    # twice the weight for node 1: shares 2/9, 2/9, 5/9 give 16/9 + 32/9 + 0 = 48/9
    weight = torch.where((first.rows == 2) & (first.col == 1), 2.0, 1.0)[None]
    got = attend(torch.zeros(1, 10), sender, value, first, weight)
    torch.testing.assert_close(got[0, 2], torch.tensor([48 / 9]))


def test_the_gradient_by_hand_is_right():
    view = walk_views(TEN, 3, 2)[2]  # capped, hence not symmetric
    torch.manual_seed(0)
    inputs = [torch.randn(2, 10, *shape, dtype=torch.float64, requires_grad=True) for shape in ((), (), (3,))]
    weight = torch.rand(2, len(view.col), dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda r, s, v: attend(r, s, v, view), inputs)
    assert torch.autograd.gradcheck(lambda r, s, v: attend(r, s, v, view, weight), inputs)


def test_large_scores_stay_finite():
    first, big = walk_views(TEN, 1, 16)[0], torch.full((1, 10), 1e4)
    assert torch.isfinite(attend(big, big, torch.ones(1, 10, 2), first)).all()


def test_an_isolated_node_is_judged_by_its_own_features():
    torch.manual_seed(0)
    net = LongShortAttention(n_features=4, hidden=4, members=1, dropout=0.5).eval()
    logits = net(FeatureMatrix(U[:3]), ALONE.masked())
    own = torch.as_tensor(U[2]) @ net.project[0] @ net.last[0]
    torch.testing.assert_close(logits[0, 2:], own)
