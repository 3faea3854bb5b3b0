"""Views say something else about the same nodes, and leave the graph as it is."""

import numpy as np
import pytest
from scipy import sparse

from halflabel.datasets import synthetic
from halflabel.features.views import link_view, neighbour_view
from halflabel.graph import Graph


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_neighbours_are_averaged_by_weight_and_without_the_node(make):
    X = np.array([[1.0, 0.0], [0.0, 2.0], [4.0, 0.0], [0.0, 0.0]])
    graph = Graph.from_edges([0, 0], [1, 2], make(X), weight=np.array([1.0, 3.0]))
    seen = neighbour_view(graph).X
    seen = seen.toarray() if sparse.issparse(seen) else seen
    np.testing.assert_allclose(seen, [[3.0, 0.5], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])


def test_links_tell_directions_apart():
    graph = Graph.from_edges([0, 2], [1, 1], np.eye(3))
    np.testing.assert_array_equal(
        link_view(graph).X.toarray(), [[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1], [0, 1, 0, 0, 0, 0]])


@pytest.mark.parametrize("view", [neighbour_view, link_view])
def test_structure_ids_and_the_given_graph_stay(view):
    graph, _ = synthetic(100)
    before = graph.X.copy()
    other = view(graph)
    assert other.indptr is graph.indptr
    assert other.ids is graph.ids
    assert len(other.names()) == other.X.shape[1]
    np.testing.assert_array_equal(graph.X, before)
