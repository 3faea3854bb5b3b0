"""Neighbours brought together in memory, where that is possible; nothing else changes."""

import numpy as np
import pytest

from halflabel import locality, order
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.locality import local_order, near_share
from halflabel.methods.gpl import GPL
from halflabel.order import arrange, sort_by_id

N = 400


def scattered_ring(seed=0):
    """Everybody knows the next three, but numbers and ids are drawn at random."""
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(N), 3)
    target = (source + np.tile([1, 2, 3], N)) % N
    number = rng.permutation(N)
    X = rng.normal(size=(N, 4)).astype(np.float32)
    ids = NodeIds([f"n{i:03}" for i in rng.permutation(N)])
    return Graph.from_edges(number[source], number[target], X, weight=rng.random(3 * N), ids=ids)


@pytest.fixture
def near(monkeypatch):
    """As if the cache held a few numbers, and every graph were large."""
    monkeypatch.setattr(locality, "NEAR", 20)
    monkeypatch.setattr(order, "local_order", lambda graph: local_order(graph, large=0))


def ends(graph):
    return np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr)), graph.indices.astype(int)


def test_neighbours_come_together(near):
    graph = scattered_ring()
    ordered, listing = arrange(graph)
    assert near_share(*ends(graph)) < 0.2
    assert near_share(*ends(ordered)) > 0.9
    np.testing.assert_array_equal(listing.restore_nodes(ordered.X), graph.X)
    np.testing.assert_array_equal(listing.restore_edges(ordered.edge_weight), graph.edge_weight)


def test_a_graph_without_an_order_that_helps_stays_sorted_by_id(near):
    rng = np.random.default_rng(0)
    graph = Graph.from_edges(*rng.integers(N, size=(2, 4000)), rng.normal(size=(N, 2)))
    assert local_order(graph, large=0) is None
    assert arrange(graph)[0] is graph


def test_small_graphs_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(locality, "reverse_cuthill_mckee", None)
    assert local_order(scattered_ring()) is None


def test_scores_and_edge_weights_do_not_depend_on_the_listing(near):
    graph = scattered_ring()
    other, _ = sort_by_id(graph)
    known = np.zeros(N, dtype=bool)
    known[:40] = True
    settings = {"warmup": 5, "epochs": 3, "folds": 2}
    one = GPL(**settings).fit(graph, known)
    two = GPL(**settings).fit(other, known)
    moved = other.nodes  # which are listed as in the first graph
    np.testing.assert_array_equal(one.scores_, two.scores_[moved])
    weights = [dict(zip(zip(*(part[e] for e in ends(g)), strict=True), model.edge_weight_, strict=True))
               for g, part, model in ((graph, moved, one), (other, np.arange(N), two))]
    assert weights[0] == weights[1]
