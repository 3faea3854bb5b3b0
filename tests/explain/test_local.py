"""Scoring a copy of the surroundings is scoring the whole graph."""

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.explain.local import Change, LocalScores
from halflabel.explain.spread import SpreadScores, without

pytestmark = pytest.mark.usefixtures("few_draws")


def whole_graph_scores(model, graph, position, change, median):
    """The slow way: change the graph, score all of it."""
    changed = without(graph, change)
    X = changed.X.copy()
    columns = list(change.features)
    X[position, columns] = median[columns]
    source = np.repeat(np.arange(graph.n_nodes), np.diff(changed.indptr))
    again = hl.Graph.from_edges(source, changed.indices, X, weight=changed.edge_weight, ids=graph.ids,
                                feature_names=graph.feature_names)
    return model._score_graph(again)[position]


def some_changes(graph, position):
    edges = [(position, int(j)) for j in graph.indices[graph.indptr[position] : graph.indptr[position + 1]]]
    return [Change(), *(Change(frozenset(s)) for s in ({8}, {9, 13})), *(Change(edge=e) for e in edges[:2]),
            *(Change(node=j) for _, j in edges[:2])]


@pytest.mark.parametrize("name", ["gpl", "auto"])
def test_the_copy_changes_as_the_whole_graph_does(accounts, name, request):
    graph, y, known = accounts
    model = request.getfixturevalue(name)
    hub = np.bincount(graph.indices).argmax()
    for position in (np.flatnonzero((y == 1) & ~known)[0], np.flatnonzero(known)[0], hub):
        local = LocalScores(model, int(position))
        changes = some_changes(graph, int(position))
        expected = [whole_graph_scores(model, graph, position, c, local._median) for c in changes]
        moved = np.array(expected) - expected[0]
        # Of Auto's views, pagerank looks ten steps far and company twenty; the others two.
        assert local.scores(changes) - model.scores_[position] == pytest.approx(moved, abs=0.03)
        assert local.scores([Change()])[0] == model.scores_[position]


@pytest.mark.parametrize(("backbone", "precision"), [("gat", 1e-3), ("appnp", 1e-3), ("hops", 1e-3)])
def test_backbones_score_the_copy_as_they_do_the_whole_graph(accounts, backbone, precision):
    graph, _, known = accounts
    model = hl.methods()["naive"](backbone=backbone, epochs=5, folds=2).fit(graph, known)
    assert LocalScores(model, 427).drift == pytest.approx(0, abs=precision)


def test_a_pass_of_many_is_as_good_as_many_passes(gpl, accounts, monkeypatch):
    changes = some_changes(accounts[0], 5)
    together = LocalScores(gpl, 5).scores(changes)
    monkeypatch.setattr("halflabel.explain.local.AT_ONCE", 1)
    assert LocalScores(gpl, 5).scores(changes) == pytest.approx(together, abs=1e-4)


def test_sparse_features_are_changed_too(accounts):
    graph, _, known = accounts
    words = sparse.csr_array(np.random.default_rng(0).random((2000, 60)) < 0.1, dtype=np.float32)
    bags = hl.Graph.from_edges(np.repeat(np.arange(2000), np.diff(graph.indptr)), graph.indices, words)
    model = hl.methods()["naive"](epochs=5, folds=2).fit(bags, known)
    has, lacks = words[[5]].indices[0], np.setdiff1d(np.arange(60), words[[5]].indices)[0]
    local = LocalScores(model, 5)
    scores = local.scores([Change(frozenset([int(has)])), Change(frozenset([int(lacks)]))])
    assert abs(local.drift) < 1e-3
    assert scores[0] != model.scores_[5]
    assert scores[1] == model.scores_[5]


@pytest.mark.parametrize("name", ["labelprop", "pulp"])
def test_spreading_again_without_a_change_gives_the_fitted_score(accounts, name):
    graph, _, known = accounts
    model = hl.methods()[name]().fit(graph, known)
    edge = (5, int(graph.indices[graph.indptr[5]]))
    same, other = SpreadScores(model, 5).scores([Change(), Change(edge=edge)])
    assert same == pytest.approx(model.scores_[5], abs=1e-6)
    assert other != same
