"""Every backbone: reacts to learned edge weights (or must not), and keeps its members apart."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import BACKBONES, FeatureMatrix, build_backbone
from halflabel.nets.linear import to_one_column

ON_GRAPHS = sorted(set(BACKBONES) - {"mlp"})
N, D, HIDDEN = 9, 5, 8
EDGES = [*pairwise(range(N)), (0, 8), (2, 6), (3, 7)]  # a ring with two chords
X = FeatureMatrix(np.random.default_rng(0).normal(size=(N, D)).astype(np.float32))


def ring(edges=EDGES):
    rows, cols = np.array(edges).T
    upper = sparse.coo_array((np.ones(len(edges)), (rows, cols)), shape=(N, N))
    return Adjacency.from_scipy((upper + upper.T).tocsr())


def position(adjacency, edge):
    return list(zip(*(ends.tolist() for ends in adjacency.ends), strict=True)).index(edge)


def network(name, members=1, hidden=HIDDEN, seed=0):
    torch.manual_seed(seed)
    net = build_backbone(name, n_features=D, hidden=hidden, members=members, dropout=0.5)
    with torch.no_grad():
        for p in net.parameters():  # biases start at zero; here they must matter
            p.add_(0.1 * torch.randn_like(p))
    return net.eval()


def logits(net, graph):
    with torch.no_grad():
        return net(X, graph)


@pytest.mark.parametrize("name", ON_GRAPHS)
@pytest.mark.parametrize("factor", [0.1, 0.5, 3.0])
def test_the_weight_of_an_edge_moves_the_logits_of_both_its_ends(name, factor):
    net, adjacency, edge = network(name), ring(), (2, 6)
    mask = torch.ones(adjacency.n_edges)
    mask[position(adjacency, edge)] = factor
    moved = (logits(net, adjacency.masked(mask)) - logits(net, adjacency.masked()))[0].abs()
    assert (moved[list(edge)] > 1e-4).all()


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_a_weight_near_zero_removes_the_edge(name):
    net, adjacency, edge = network(name), ring(), (2, 6)
    mask = torch.ones(adjacency.n_edges)
    mask[position(adjacency, edge)] = 1e-9
    without = ring([e for e in EDGES if e != edge])
    torch.testing.assert_close(logits(net, adjacency.masked(mask)), logits(net, without.masked()))


def test_the_perceptron_does_not_look_at_edges():
    net, adjacency = network("mlp"), ring()
    far_off = adjacency.masked(torch.rand(adjacency.n_edges))
    assert torch.equal(logits(net, far_off), logits(net, adjacency.masked()))
    assert torch.equal(logits(net, ring(EDGES[:2]).masked()), logits(net, adjacency.masked()))


def member(state, m):
    """The m-th member's part of a state dict: m-th of a list of modules, or m-th slice of a stack."""
    part = {}
    for key, value in state.items():
        name, *rest = key.split(".")
        if not rest or not rest[0].isdigit():
            part[key] = value[m : m + 1]
        elif rest[0] == str(m):
            part[".".join([name, "0", *rest[1:]])] = value
    return part


@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_members_side_by_side_equal_members_alone(name):
    adjacency, together = ring(), network(name, members=2)
    masks = torch.rand(2, adjacency.n_edges) + 0.1
    both = logits(together, adjacency.repeat(2).masked(masks.flatten()))
    assert not torch.allclose(both[0], both[1])
    for m in range(2):
        alone = network(name, seed=99)
        alone.load_state_dict(member(together.state_dict(), m))
        torch.testing.assert_close(both[m : m + 1], logits(alone, adjacency.masked(masks[m])))


@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_a_member_gets_no_gradient_from_another_ones_loss(name):
    adjacency, net = ring(), network(name, members=2)
    net(X, adjacency.repeat(2).masked())[0].sum().backward()
    grads = {k: torch.zeros_like(p) if p.grad is None else p.grad for k, p in net.named_parameters()}
    assert all((g == 0).all() for g in member(grads, 1).values())
    assert any((g != 0).any() for g in member(grads, 0).values())


@pytest.mark.parametrize("name", sorted(BACKBONES))
@pytest.mark.parametrize("hidden", [4, 6, 16])
def test_any_width_gives_a_logit_per_member_and_node(name, hidden):
    adjacency = ring()
    assert logits(network(name, 3, hidden), adjacency.repeat(3).masked()).shape == (3, N)


@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_sparse_and_dense_features_give_the_same_logits_and_gradients(name):
    rng = np.random.default_rng(1)
    dense = ((rng.random((N, D)) < 0.4) * rng.normal(size=(N, D))).astype(np.float32)
    graph, results = ring().repeat(2).masked(), []
    for form in (np.asarray, sparse.csr_array):
        net = network(name, members=2)
        out = net(FeatureMatrix(form(dense)), graph)
        out.square().sum().backward()
        results.append((out.detach(), {k: p.grad for k, p in net.named_parameters() if p.grad is not None}))
    torch.testing.assert_close(*results)


@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_initial_weights_come_from_torchs_random_state_and_differ_between_members(name):
    first, again, other = (network(name, 2, seed=s).state_dict() for s in (0, 0, 1))
    assert all(torch.equal(v, again[k]) for k, v in first.items())
    assert any(not torch.equal(v, other[k]) for k, v in first.items())
    members = [member(first, m) for m in range(2)]
    assert any(not torch.equal(v, members[1][k]) for k, v in members[0].items())


@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_dropout_acts_in_training_only(name):
    net, graph = network(name), ring().masked()
    assert torch.equal(logits(net, graph), logits(net, graph))
    net.train()
    assert not torch.equal(logits(net, graph), logits(net, graph))


@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_logits_come_from_hidden_embeddings(name):
    net, graph = network(name, members=2, hidden=8), ring().repeat(2).masked()
    h = net.embed(X, graph)
    assert h.shape == (2, N, 8)
    torch.testing.assert_close(net.classify(h, graph), net(X, graph), rtol=0, atol=0)
    assert torch.equal(net.train().embed(X, graph), h)  # dropout belongs to the classifier


def test_one_column_is_that_of_bmm_with_its_gradients(monkeypatch):
    monkeypatch.setattr("halflabel.nets.linear.MANY", 1)
    found = []
    for way in (to_one_column, torch.bmm):
        torch.manual_seed(0)
        h = torch.randn(3, 40, 8, requires_grad=True)
        W = torch.randn(3, 8, 1, requires_grad=True)
        logits = way(h, W)
        (logits * torch.randn(3, 40, 1)).sum().backward()
        found.append((logits.detach(), h.grad, W.grad))
    assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))
