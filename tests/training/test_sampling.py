"""Sub-graphs: made of edges that exist, as many as allowed, right on average, and right if nothing is cut."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import halflabel as hl
from halflabel.edges.adjacency import Adjacency
from halflabel.nets import BACKBONES, FeatureMatrix, build_backbone
from halflabel.training.sampling import NeighbourSampler

GRAPH = hl.synthetic(400, degree=9, features=6, random_state=3)[0]
WHOLE = Adjacency.from_scipy(GRAPH.symmetric())
SEEDS = np.array([399, 7, 250, 8])


def draw(seeds, fanouts, seed=0, adjacency=WHOLE):
    return NeighbourSampler(adjacency).draw(np.asarray(seeds), fanouts, np.random.default_rng(seed))


def dense(adjacency):
    return adjacency.weighted().to_dense()


@given(st.lists(st.integers(0, 399), min_size=1, max_size=30),
       st.lists(st.one_of(st.none(), st.integers(1, 12)), max_size=3), st.integers(0, 5))
def test_a_part_has_edges_of_the_graph_only_and_is_symmetric(seeds, fanouts, seed):
    sample = draw(seeds, fanouts, seed)
    part, inside = dense(sample.adjacency), np.ix_(sample.nodes, sample.nodes)
    assert (np.diff(sample.nodes) > 0).all()
    np.testing.assert_array_equal(sample.nodes[sample.seeds], seeds)
    assert (dense(WHOLE).numpy()[inside][part.numpy() > 0] > 0).all()
    assert torch.equal(part, part.T)
    rows, cols = WHOLE.rows[sample.entries], WHOLE.col[sample.entries]
    np.testing.assert_array_equal(sample.nodes[sample.adjacency.rows], rows)
    np.testing.assert_array_equal(sample.nodes[sample.adjacency.col], cols)
    first, second = sample.adjacency.ends
    assert len(first) == sample.adjacency.n_edges
    np.testing.assert_allclose(part[first, second], sample.adjacency.base)


def test_nobody_draws_more_than_allowed_nor_the_same_neighbour_twice():
    sampler, nodes = NeighbourSampler(WHOLE), np.arange(400)
    degree = WHOLE.degree.numpy()
    entries = sampler.neighbours(nodes, 5, np.random.default_rng(0))
    assert len(np.unique(entries)) == len(entries)
    np.testing.assert_array_equal(
        np.bincount(WHOLE.rows[entries], minlength=400), np.minimum(degree, 5))
    assert degree.max() > 12
    everything = sampler.neighbours(nodes, int(degree.max()), np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(everything), np.arange(len(WHOLE.col)))


def test_every_neighbour_is_drawn_equally_often():
    node = int(WHOLE.degree.argmax())
    sampler, rng = NeighbourSampler(WHOLE), np.random.default_rng(0)
    drawn = np.concatenate([sampler.neighbours(np.array([node]), 4, rng) for _ in range(3000)])
    counts = np.unique(drawn, return_counts=True)[1]
    assert len(counts) == WHOLE.degree[node]
    np.testing.assert_allclose(counts / 3000, 4 / len(counts), rtol=0.15)


def test_means_over_neighbours_are_right_on_average():
    x, node = torch.rand(400), int(WHOLE.degree.argmax())
    wanted = (WHOLE.weighted().mv(x) / WHOLE.masked().strength)[node]
    found = []
    for seed in range(500):
        sample = draw([node], [3], seed)
        part = sample.masked(WHOLE.masked())
        found.append((part.csr.mv(x[sample.nodes]) / part.strength)[sample.seeds[0]])
    assert torch.stack(found).mean() == pytest.approx(float(wanted), abs=0.02)


def test_the_rim_has_the_strength_of_the_whole_graph_and_others_that_of_the_part():
    sample = draw(SEEDS, [4, 4])
    part, whole = sample.masked(WHOLE.masked()), WHOLE.masked().strength[sample.nodes]
    here = part.csr.mv(torch.ones(len(sample.nodes)))
    assert 0 < sample.drew.sum() < len(sample.nodes)
    assert torch.equal(part.strength, torch.where(torch.as_tensor(sample.drew), here, whole))


def test_the_seed_decides():
    first, again, other = (draw(SEEDS, [3, 3], seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.entries, again.entries)
    assert not np.array_equal(first.entries, other.entries)


def test_seeds_alone_and_a_graph_without_edges():
    lonely = Adjacency.from_scipy(sparse.csr_array((5, 5)))
    for sample in (draw(SEEDS, []), draw([4, 1], [None, 2], adjacency=lonely)):
        assert sample.adjacency.n_edges == 0
        assert len(sample.nodes) == len(sample.seeds)


@pytest.mark.parametrize("members", [1, 2])
@pytest.mark.parametrize("name", sorted(BACKBONES))
def test_with_all_neighbours_logits_of_the_seeds_are_those_of_the_whole_graph(name, members):
    """A ring of 60 nodes, so that a network that reaches ten steps does not see all of it."""
    n, nodes = 60, np.arange(60)
    upper = sparse.coo_array((np.ones(n), (nodes, (nodes + 1) % n)), shape=(n, n))
    ring = Adjacency.from_scipy(sparse.csr_array(upper + upper.T))
    torch.manual_seed(0)
    net = build_backbone(name, n_features=4, hidden=8, members=members, dropout=0.5).eval()
    graph = ring.repeat(members).masked(torch.rand(members * n) + 0.2)
    X = FeatureMatrix(np.random.default_rng(0).normal(size=(n, 4)).astype(np.float32))
    sample = draw([45, 10], [None] * net.radius, adjacency=ring)
    assert len(sample.nodes) == 2 * (2 * net.radius + 1)
    with torch.no_grad():
        found = net(X.take(sample.nodes), sample.masked(graph))[:, sample.seeds]
        torch.testing.assert_close(found, net(X, graph)[:, [45, 10]])


@pytest.mark.parametrize("name", sorted(set(BACKBONES) - {"mlp"}))
def test_one_step_less_is_not_enough(name):
    """Else the test above would say nothing about how far a network reaches."""
    n, nodes = 60, np.arange(60)
    upper = sparse.coo_array((np.ones(n), (nodes, (nodes + 1) % n)), shape=(n, n))
    ring = Adjacency.from_scipy(sparse.csr_array(upper + upper.T))
    torch.manual_seed(0)
    net = build_backbone(name, n_features=4, hidden=8, members=1, dropout=0.5).eval()
    X = FeatureMatrix(np.random.default_rng(0).normal(size=(n, 4)).astype(np.float32))
    sample = draw([50], [None] * (net.radius - 1), adjacency=ring)
    with torch.no_grad():
        found = net(X.take(sample.nodes), sample.masked(ring.masked()))[:, sample.seeds]
        assert not torch.equal(found, net(X, ring.masked())[:, [50]])
