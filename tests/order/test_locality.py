"""Neighbours brought together in memory, where that is possible; nothing else changes."""

from dataclasses import replace

import numpy as np
import pytest

from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.methods.gpl import GPL
from halflabel.order import arrange, listing, locality, sort_by_id
from halflabel.order.locality import alike_together, local_order, memory_order, near_share, neighbours

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
    monkeypatch.setattr(listing, "memory_order", lambda graph: memory_order(graph, large=0))


def ends(graph):
    return np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr)), graph.indices.astype(int)


def test_neighbours_come_together(near):
    graph = scattered_ring()
    ordered, listing = arrange(graph)
    assert near_share(*ends(graph)) < 0.2
    assert near_share(*ends(ordered)) > 0.9
    np.testing.assert_array_equal(listing.restore_nodes(ordered.X), graph.X)
    np.testing.assert_array_equal(listing.restore_edges(ordered.edge_weight, ordered), graph.edge_weight)


def anywhere(seed=0):
    """Neighbours that no order brings together."""
    rng = np.random.default_rng(seed)
    return Graph.from_edges(*rng.integers(N, size=(2, 4000)), rng.normal(size=(N, 2)))


def test_a_graph_that_no_order_brings_together_is_sorted_by_degree_a_stretch_at_a_time(near, monkeypatch):
    monkeypatch.setattr(locality, "STRETCH", 100)
    graph = anywhere()
    assert local_order(graph) is None
    ordered, listing = arrange(graph)
    np.testing.assert_array_equal(listing.nodes // 100, np.arange(N) // 100)
    steps = np.diff(neighbours(ordered))
    assert (np.flatnonzero(steps < 0) + 1).tolist() == [100, 200, 300]  # it falls where a stretch begins
    np.testing.assert_array_equal(listing.restore_nodes(ordered.X), graph.X)


def test_many_features_are_not_copied_for_the_sake_of_degrees(near):
    graph = anywhere()
    wide = replace(graph, X=np.zeros((N, 1 + locality.MOST_VALUES * graph.n_edges // N), dtype=np.float32))
    assert arrange(graph)[0] is not graph
    assert arrange(wide)[0] is wide


def test_nodes_of_one_degree_stay_where_they_are():
    order = np.random.default_rng(0).permutation(N)
    np.testing.assert_array_equal(alike_together(np.full(N, 3), order), order)
    ring = Graph.from_edges(np.arange(N), (np.arange(N) + 1) % N, np.zeros((N, 1)))
    assert memory_order(ring, large=0) is None


def test_small_graphs_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(locality, "reverse_cuthill_mckee", None)
    assert memory_order(scattered_ring()) is None


@pytest.mark.parametrize("make", [scattered_ring, anywhere])
def test_scores_and_edge_weights_do_not_depend_on_the_listing(near, make):
    graph = make()
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
