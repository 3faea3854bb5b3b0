"""Adding edges between classes: the ratio is met, nothing is removed, and the pattern is followed."""

from __future__ import annotations

import numpy as np
import pytest

from halflabel.datasets import add_heterophilic_edges, edge_heterophily, synthetic
from halflabel.errors import DataError
from halflabel.graph import Graph


@pytest.fixture(scope="module")
def classes():
    """Five homophilic classes: a two-class graph whose larger class is split in four."""
    graph, y = synthetic(1000, degree=6, heterophily=0.1, prior=0.4, features=2)
    return graph, np.where(y == 1, 0, 1 + np.arange(1000) % 4)


@pytest.mark.parametrize("pattern", ["ring", "uniform"])
def test_target_is_met_over_all_classes(classes, pattern):
    graph, y = classes
    assert edge_heterophily(graph, y) < 0.7
    more = add_heterophilic_edges(graph, y, heterophily=0.8, pattern=pattern)
    assert edge_heterophily(more, y) == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("positive", [None, 0, 2])
def test_binary_target_is_met_for_the_positive_class(classes, positive):
    graph, y = classes
    more = add_heterophilic_edges(graph, y, heterophily=0.5, pattern="binary", positive_class=positive)
    largest_is_zero = 0 if positive is None else positive
    assert edge_heterophily(more, y == largest_is_zero) == pytest.approx(0.5, abs=1e-3)


def _new_edges(before, after):
    extra = (after.adjacency - before.adjacency).tocoo()
    extra.eliminate_zeros()
    return extra.row, extra.col, extra.data


@pytest.mark.parametrize("pattern", ["ring", "uniform", "binary"])
def test_nothing_is_removed_and_new_edges_go_both_ways(classes, pattern):
    graph, y = classes
    more = add_heterophilic_edges(graph, y, heterophily=0.75, pattern=pattern)
    row, col, data = _new_edges(graph, more)
    assert np.all(data == 1)
    assert len(row) == more.n_edges - graph.n_edges > 0
    assert np.array_equal(np.unique(row * 1000 + col), np.unique(col * 1000 + row))
    assert np.all(y[row] != y[col])
    if pattern == "ring":
        assert set((y[row] - y[col]) % 5) == {1, 4}
    assert f"({pattern})" in more.notes[-1]


def test_same_seed_same_graph(classes):
    graph, y = classes
    one, two, other = (add_heterophilic_edges(graph, y, heterophily=0.8, random_state=s) for s in (1, 1, 2))
    assert np.array_equal(one.indices, two.indices)
    assert not np.array_equal(one.indices, other.indices)


def test_a_full_graph_can_be_reached_but_not_passed():
    path = Graph.from_edges([0, 2], [1, 3], X=np.eye(4))
    y = np.array([0, 0, 1, 1])
    full = add_heterophilic_edges(path, y, heterophily=4 / 6)
    assert full.n_edges == 2 + 8
    with pytest.raises(DataError, match="only 4 pairs of nodes are left"):
        add_heterophilic_edges(path, y, heterophily=0.9)


def test_direction_weights_and_focus_are_kept():
    path = Graph.from_edges([0, 2], [1, 3], X=np.eye(4), weight=np.array([2.0, 4.0]))
    more = add_heterophilic_edges(path[[0, 1]], np.array([0, 0, 1, 1]), heterophily=0.5)
    assert more.adjacency[0, 1] == 2
    assert more.adjacency[1, 0] == 0
    assert sorted(more.edge_weight) == [2, 3, 3, 3, 3, 4]
    assert len(more) == 2


def test_bad_wishes_are_data_errors(classes):
    graph, y = classes
    present = edge_heterophily(graph, y)
    with pytest.raises(DataError, match=f"the graph has {present:.4f}"):
        add_heterophilic_edges(graph, y, heterophily=0.01)
    with pytest.raises(DataError, match=r"no pattern 'rings'\. Did you mean 'ring'"):
        add_heterophilic_edges(graph, y, heterophily=0.8, pattern="rings")
    with pytest.raises(DataError, match="positive_class=9 does not occur"):
        add_heterophilic_edges(graph, y, heterophily=0.8, pattern="binary", positive_class=9)
    with pytest.raises(DataError, match="All labels are equal"):
        add_heterophilic_edges(graph, np.zeros(1000), heterophily=0.8)
    with pytest.raises(DataError, match="expected one label for each of 1,000 nodes"):
        edge_heterophily(graph, y[:5])
    with pytest.raises(DataError, match="no edges"):
        edge_heterophily(Graph.from_edges([], [], X=np.eye(2)), np.array([0, 1]))


@pytest.mark.data
def test_ring_on_cora_adds_about_46_percent_edges_at_the_positive_class(real_graph):
    graph, y = real_graph("cora")
    assert edge_heterophily(graph, y) == pytest.approx(0.1900, abs=1e-4)
    more = add_heterophilic_edges(graph, y, heterophily=0.6)
    row, col, _ = _new_edges(graph, more)
    assert np.mean((y[row] == 3) != (y[col] == 3)) == pytest.approx(0.46, abs=0.02)
