"""Graph: compressed rows, notes, slicing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds

EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=40)


@given(EDGES, st.randoms(use_true_random=False))
def test_the_order_of_edges_does_not_matter(edges, random):
    shuffled = random.sample(edges, len(edges))
    first, second = (Graph.from_edges([s for s, _ in order], [t for _, t in order], np.eye(8))
                     for order in (edges, shuffled))
    assert np.array_equal(first.indptr, second.indptr)
    assert np.array_equal(first.indices, second.indices)
    assert first.notes == second.notes


@given(EDGES)
def test_rows_are_sorted_unique_and_without_self(edges):
    graph = Graph.from_edges([s for s, _ in edges], [t for _, t in edges], np.eye(8))
    rows = [graph.indices[a:b].tolist() for a, b in zip(graph.indptr, graph.indptr[1:], strict=False)]
    wanted = [sorted({t for s, t in edges if s == i and t != i}) for i in range(8)]
    assert rows == wanted
    assert (graph.symmetric().toarray() == graph.symmetric().toarray().T).all()


def test_edges_of_weight_zero_are_none():
    """Left in, they would be stored entries that are no edges of the undirected graph."""
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], np.eye(3), weight=[1.0, 0.0, 2.0])
    assert graph.n_edges == 2
    assert graph.edge_weight.tolist() == [1.0, 2.0]
    assert graph.notes == ("dropped 1 edge of weight zero",)


def test_weights_of_repeated_edges_add_up():
    graph = Graph.from_edges([0, 0, 1], [1, 1, 0], np.eye(2), weight=np.array([1.0, 2.0, 5.0]))
    assert graph.edge_weight.tolist() == [3.0, 5.0]
    assert graph.symmetric().toarray().tolist() == [[0, 5], [5, 0]]
    assert graph.notes == ("merged 1 repeated edge",)


def test_slicing_selects_nodes_and_keeps_the_graph():
    graph = Graph.from_edges([0, 1], [1, 2], np.eye(3))
    part = graph[1:][[True, False]]
    assert part.nodes.tolist() == [1]
    assert part.shape == (1, 3)
    assert part.n_edges == graph.n_edges == 2
    assert len(graph[[]]) == 0
    assert repr(part) == "Graph(3 nodes, 2 directed edges, 3 features, 1 in focus)"


def test_sparse_features_and_no_edges():
    graph = Graph.from_edges([], [], sparse.eye_array(3, format="csc"))
    assert isinstance(graph.X, sparse.csr_array)
    assert graph.n_edges == 0
    assert graph.names() == ("x0", "x1", "x2")


@pytest.mark.parametrize(("source", "target", "more", "message"), [
    ([0, 1], [1], {}, "got 2 sources, 1 targets"),
    ([0], [1], {"weight": np.ones(3)}, "1 targets and 3 weights"),
    ([0], [1], {"weight": [np.nan]}, "edge 0: weight is missing"),
    ([0], [1], {"weight": [-1.0]}, "edge 0: weight -1.0. Weights must be finite"),
    ([0], [1], {"weight": ["a lot"]}, "Weights must be finite numbers >= 0; got"),
    ([9], [9], {}, r"source 9 is outside 0 \.\. 1"),
    ([0], [-1], {}, "target -1 is outside"),
    ([0.5], [1], {}, "type float64"),
    ([0], [1], {"feature_names": ["a"]}, "1 feature names for 2"),
    ([0], [1], {"ids": NodeIds(["a"])}, "1 node ids for 2"),
])
def test_bad_edges_are_named(source, target, more, message):
    with pytest.raises(DataError, match=message):
        Graph.from_edges(source, target, np.eye(2), **more)


def test_features_must_be_a_matrix():
    with pytest.raises(DataError, match=r"got shape \(2,\)"):
        Graph.from_edges([0], [1], np.ones(2))
