"""Views of a graph: what they hold, and the same for another graph with some of the same nodes."""

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.ids import NodeIds
from halflabel.stacking import ViewMaker, views

GRAPH = hl.Graph.from_edges([0, 1, 0], [1, 2, 2], [[1.0], [2.0], [4.0]], ids=NodeIds(["a", "b", "c"]))


def made(maker, graph, name):
    X = dict(maker.views(graph, graph.X, maker.locate(graph)))[name]
    return X.toarray() if sparse.issparse(X) else X


def test_links_go_both_ways_in_a_directed_graph():
    maker = ViewMaker.of(GRAPH, GRAPH.X)
    assert made(maker, GRAPH, "links to").tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert made(maker, GRAPH, "links from").tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]


def test_links_of_another_graph_are_found_by_id():
    maker = ViewMaker.of(GRAPH, GRAPH.X)
    ids = NodeIds(["new", "c", "unheard", "b"])
    other = hl.Graph.from_edges([0, 0, 3], [1, 2, 0], np.zeros((4, 1)), ids=ids)
    assert made(maker, other, "links to").tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_an_undirected_graph_has_links_once():
    both = hl.Graph.from_edges([0, 1], [1, 0], np.eye(2))
    assert "links from" not in ViewMaker.of(both, both.X).names


def test_too_many_nodes_have_no_links(monkeypatch):
    monkeypatch.setattr(views, "MAX_LINKED_NODES", 2)
    assert not any(name.startswith("links") for name in ViewMaker.of(GRAPH, GRAPH.X).names)


def test_trees_see_a_node_its_surroundings_and_how_many_there_are():
    path = hl.Graph.from_edges([0, 1], [1, 2], [[1.0], [2.0], [4.0]], weight=np.array([1.0, 3.0]))
    seen = made(ViewMaker.of(path, path.X), path, "trees")
    near = [2.0, (1 + 3 * 4) / 4, 2.0]
    further = [near[1], 2.0, near[1]]
    wanted = np.stack([[1.0, 2.0, 4.0], near, further, np.log1p([1, 2, 1])], axis=1)
    np.testing.assert_allclose(seen, wanted, rtol=1e-6)


def test_there_are_trees_of_numbers_and_of_few_features_if_these_are_not_too_many(monkeypatch):
    rare = np.zeros((3, 8), dtype=np.float32)
    rare[0, 0] = 1
    assert "trees" in ViewMaker.of(GRAPH, GRAPH.X).names
    assert "trees" in ViewMaker.of(GRAPH, rare).names
    monkeypatch.setattr(views, "FEW_FEATURES", 7)
    assert "trees" not in ViewMaker.of(GRAPH, rare).names
    monkeypatch.setattr(views, "MAX_NUMBERS", 2)
    assert "trees" not in ViewMaker.of(GRAPH, GRAPH.X).names


def words_of(rows):
    """Two words each, of forty, which few enough have."""
    X = np.zeros((len(rows), 40), dtype=np.float32)
    X[np.arange(len(rows))[:, None], rows] = 1
    return X


def test_who_has_words_in_common_is_alike():
    X = words_of([[0, 1], [1, 2], [7, 8]])
    maker = ViewMaker.of(GRAPH, X)
    seen = dict(maker.views(GRAPH, X, maker.locate(GRAPH)))
    assert seen["alike"].toarray().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_of_numbers_nobody_is_alike_nor_where_there_are_too_many(monkeypatch):
    X = words_of([[0, 1], [1, 2], [7, 8]])
    assert "alike" not in ViewMaker.of(GRAPH, GRAPH.X).names
    monkeypatch.setattr("halflabel.stacking.likeness.MAX_MEETINGS", 5)  # choosing is 4.5 of it
    assert "alike" not in ViewMaker.of(GRAPH, X).names
    monkeypatch.setattr("halflabel.stacking.likeness.MAX_MEETINGS", 4)
    monkeypatch.setattr("halflabel.stacking.likeness.Likeness.of", None)  # not even made
    assert "alike" not in ViewMaker.of(GRAPH, X).names


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_saved_maker_makes_the_same(kind):
    X = kind(np.random.default_rng(0).normal(size=(3, 7)).astype(np.float32))
    maker = ViewMaker.of(GRAPH, X)
    again = ViewMaker.from_arrays(maker.names, maker.to_arrays())
    np.testing.assert_array_equal(again.nodes, maker.nodes)
    np.testing.assert_array_equal(again.indicators.edges, maker.indicators.edges)


def test_a_saved_maker_knows_who_was_alike():
    X = words_of([[0, 1], [1, 2], [7, 8]])
    maker = ViewMaker.of(GRAPH, X)
    again = ViewMaker.from_arrays(maker.names, maker.to_arrays())
    one, other = (dict(made.views(GRAPH, X, made.locate(GRAPH)))["alike"] for made in (maker, again))
    np.testing.assert_array_equal(one.toarray(), other.toarray())
