"""PU-GNN: its losses by hand on ten nodes, its two shares, and what the settings decide."""

import math

import networkx as nx
import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.datasets import payments
from halflabel.edges.adjacency import Adjacency
from halflabel.edges.distances import hops_to_nearest
from halflabel.losses import distance_aware_loss, mean_over, structural_loss
from halflabel.methods.pugnn import shares_apart

# Ten nodes: a path 0-1-2-3-4-5-6, a branch 2-7, and 8-9 apart. Node 0 and node 7 are known positives.
EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (2, 7), (8, 9)]
TEN = Adjacency.from_scipy(nx.to_scipy_sparse_array(nx.Graph(EDGES), range(10), format="csr", dtype=float))
POSITIVE = np.isin(np.arange(10), [0, 7])
Z = [0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.7, 0.1, 0.3]
LOGITS = torch.tensor([[math.log(z / (1 - z)) for z in Z]])
GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)


def ten_node_sets(delta):
    near = hops_to_nearest(TEN, POSITIVE) <= delta
    sets = (POSITIVE, ~POSITIVE & near, ~POSITIVE & ~near)
    return [mean_over(torch.as_tensor(members)[None]) for members in sets]


def test_distances_on_ten_nodes():
    # 0 and 7 know; 1 and 2 are next to them, 3 two steps from 7, then 4, 5, 6; nobody reaches 8 and 9
    assert hops_to_nearest(TEN, POSITIVE).tolist() == [0, 1, 1, 2, 3, 4, 5, 0, np.inf, np.inf]


def test_the_distance_aware_loss_on_ten_nodes_by_hand():
    # P = {0, 7}: (.9 + .7) / 2 = .8
    # near (delta = 3) = {1, 2, 3, 4}: (.8 + .6 + .5 + .4) / 4 = .575
    # far = {5, 6, 8, 9}: (.3 + .2 + .1 + .3) / 4 = .225
    # 2 (.6 + .3) |.8 - 1| + |.575 - .6| + |.225 - .3| = .36 + .025 + .075 = .46
    loss = distance_aware_loss(LOGITS, *ten_node_sets(3), near_prior=0.6, far_prior=0.3)
    assert loss.tolist() == pytest.approx([0.46])


def test_the_absolute_value_is_outside_the_mean():
    # inside, near would give (.2 + 0 + .1 + .2) / 4 = .125 instead of .025, and never reach zero
    near = [z for i, z in enumerate(Z) if i in {1, 2, 3, 4}]
    loss = distance_aware_loss(LOGITS, *ten_node_sets(3), near_prior=float(np.mean(near)), far_prior=0.225)
    assert loss.tolist() == pytest.approx([2 * (0.575 + 0.225) * 0.2])


@pytest.mark.parametrize(("delta", "wanted"), [
    # everybody reachable is near: (.8 + .6 + .5 + .4 + .3 + .2) / 6 = .46667; far {8, 9}: .2
    (99, 0.36 + abs(2.8 / 6 - 0.6) + 0.1),
    # only the known positives are within no step: near is empty; all of U: (2.8 + .4) / 8 = .4
    (0, 0.36 + 0.1),
])
def test_an_empty_set_has_no_term(delta, wanted):
    loss = distance_aware_loss(LOGITS, *ten_node_sets(delta), near_prior=0.6, far_prior=0.3)
    assert loss.tolist() == pytest.approx([wanted])


def test_the_structural_loss_on_ten_nodes_by_hand():
    h = [[float(i % 3), float(i % 2) - 0.5] for i in range(10)]
    non_edges = [(0, 9), (3, 8), (6, 1)]

    def similarity(i, j):
        return 1 / (1 + math.exp(-(h[i][0] * h[j][0] + h[i][1] * h[j][1])))

    # spelled out for two edges: h_0 . h_1 = 0 * 1 - .5 * .5 = -.25, h_1 . h_2 = 1 * 2 - .5 * .5 = 1.75
    assert similarity(0, 1) == pytest.approx(1 / (1 + math.exp(0.25)))
    assert similarity(1, 2) == pytest.approx(1 / (1 + math.exp(-1.75)))
    wanted = (sum((similarity(i, j) - 1) ** 2 for i, j in EDGES) / 8
              + sum(similarity(i, j) ** 2 for i, j in non_edges) / 3)
    pairs = tuple(torch.tensor(non_edges).T)
    loss = structural_loss(torch.tensor([h, np.zeros((10, 2)).tolist()]), TEN.ends, pairs)
    assert loss.tolist() == pytest.approx([wanted, 0.25 + 0.25])  # embeddings of zero: s = 1/2 everywhere


def test_without_pairs_of_a_kind_its_mean_is_zero():
    h, none = torch.zeros(1, 10, 2), (torch.tensor([], dtype=torch.long),) * 2
    assert structural_loss(h, TEN.ends, none).tolist() == [0.25]
    assert structural_loss(h, none, none).tolist() == [0]


def test_shares_keep_their_order_and_average_to_the_prior():
    rng = np.random.default_rng(0)
    near, positive = np.arange(4000) < 1000, rng.random(4000) < np.where(np.arange(4000) < 1000, 0.6, 0.1)
    scores_u = rng.normal(4.0 * positive, 1)
    for prior in (positive.mean(), 0.05, 0.7):
        near_share, far_share = shares_apart(rng.normal(4, 1, 500), scores_u, near, prior)
        assert 0.25 * near_share + 0.75 * far_share == pytest.approx(prior, abs=1e-6)
        assert 0 < far_share < near_share < 1
    near_share, far_share = shares_apart(rng.normal(4, 1, 500), scores_u, near, float(positive.mean()))
    assert (near_share, far_share) == pytest.approx((0.6, 0.1), abs=0.05)


def test_an_empty_part_has_share_zero_and_nobody_to_compare_with_means_the_prior():
    scores = np.linspace(-1, 1, 50)
    everybody = np.ones(50, dtype=bool)
    assert shares_apart(scores, scores, everybody, 0.3) == (0.3, 0)
    assert shares_apart(scores, scores, ~everybody, 0.3) == (0, 0.3)
    assert shares_apart(np.array([]), np.r_[scores, scores], np.arange(100) < 50, 0.3) == (0.3, 0.3)


@pytest.mark.parametrize("few", [1, 2, 29])
def test_a_part_too_small_to_tell_has_the_prior(few):
    scores = np.linspace(-1, 1, 100)
    assert shares_apart(scores[80:], scores, np.arange(100) < few, 0.3) == (0.3, 0.3)


def test_given_shares_are_kept_and_one_alone_may_be_given():
    quick = {"warmup": 5, "epochs": 2, "prior": 0.2}
    both = hl.PUGNN(near_prior=0.6, far_prior=0.3, **quick).fit(GRAPH, KNOWN)
    assert (both.near_prior_, both.far_prior_, both.prior_) == (0.6, 0.3, 0.2)
    one, neither = (hl.PUGNN(near_prior=share, **quick).fit(GRAPH, KNOWN) for share in (0.6, None))
    assert one.near_prior_ == 0.6
    assert one.far_prior_ == neither.far_prior_


def test_paper_settings_match_the_shares():
    """A hundred epochs bring the mean probability of the near nodes to where the paper's constant is."""
    settings = hl.PUGNN.paper_settings() | {"K": 1, "prior": 0.05}
    model = hl.PUGNN(**settings).fit(GRAPH, KNOWN)
    near = hops_to_nearest(Adjacency.from_scipy(GRAPH.symmetric()), KNOWN) <= 3
    probability = 1 / (1 + np.exp(-model.scores_))
    assert probability[~KNOWN & near].mean() == pytest.approx(0.6, abs=0.05)


def test_large_graphs_are_sampled(monkeypatch):
    monkeypatch.setattr("halflabel.methods.pugnn.MAX_PAIRS", 100)
    model = hl.PUGNN(warmup=20, epochs=5).fit(GRAPH, KNOWN)
    assert np.isfinite(model.scores_).all()
