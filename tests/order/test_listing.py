"""Nodes sorted by id, and everything put back where it was."""

import datetime

import numpy as np
import pytest
from scipy import sparse

from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.order import sort_by_id, sorting


def shuffled(seed=0, n=30, form=np.asarray, weighted=True):
    rng = np.random.default_rng(seed)
    source, target = rng.integers(n, size=(2, 80))
    weight = rng.random(80) + 0.1 if weighted else None
    ids = NodeIds([f"n{i:02}" for i in rng.permutation(n)])
    return Graph.from_edges(source, target, form(rng.normal(size=(n, 4))), weight=weight, ids=ids)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_sorted_graph_is_the_same_graph(form, weighted):
    graph = shuffled(form=form, weighted=weighted)
    ordered, listing = sort_by_id(graph)
    ids = ordered.ids.take(np.arange(30))
    assert ids == sorted(ids)
    there = graph.ids.take(listing.nodes)
    assert there == ids
    back = graph.adjacency[listing.nodes][:, listing.nodes]
    assert (ordered.adjacency != back).nnz == 0
    assert ordered.adjacency.has_sorted_indices
    assert (ordered.edge_weight is None) == (not weighted)
    assert (graph.X[listing.nodes] != ordered.X).sum() == 0


def test_values_go_back_to_where_they_came_from():
    graph = shuffled()
    ordered, listing = sort_by_id(graph)
    np.testing.assert_array_equal(listing.restore_nodes(ordered.X), graph.X)
    np.testing.assert_array_equal(listing.restore_edges(ordered.edge_weight, ordered), graph.edge_weight)


@pytest.mark.parametrize("focus", [np.arange(30), np.array([7, 3, 20])])
def test_nodes_in_focus_are_listed_as_before(focus):
    graph = shuffled()[focus]
    ordered, _ = sort_by_id(graph)
    assert ordered.ids.take(ordered.nodes) == graph.ids.take(graph.nodes)


def test_a_sorted_graph_is_left_alone():
    graph = Graph.from_edges([0], [1], np.eye(3))
    ordered, listing = sort_by_id(graph)
    assert ordered is graph
    values = np.arange(3)
    assert listing.restore_nodes(values) is values
    assert listing.restore_edges(values, graph) is values


DAYS = [datetime.date(2024, 1, 2), datetime.date(2023, 5, 1)]


@pytest.mark.parametrize(("ids", "order"), [
    ([], None), (["a"], None), ([1, 2, 10], None), (["1", "10", "2"], None), ([10, 2, 1], [2, 1, 0]),
    ([2.5, -1.0], [1, 0]), ([True, False], [1, 0]), (DAYS, [1, 0]), (["é", "e"], [1, 0]),
    ([(0, 2), (0, 10)], None), ([(1, 0), (0, 10), (0, 2)], [2, 1, 0]), (["b", 1, (0,)], [2, 1, 0]),
], ids=str)
def test_order_of_ids(ids, order):
    found = sorting(NodeIds(ids))
    assert (None if found is None else found.tolist()) == order
