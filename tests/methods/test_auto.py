"""Auto: nobody's score knows its own label, views are what they say, and other graphs are scored alike."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse
from sklearn.metrics import roc_auc_score

import halflabel as hl
from halflabel.base import Problem
from halflabel.ids import NodeIds
from halflabel.methods.auto import Auto
from halflabel.stacking import Worlds, stacked_prior

GRAPH, Y = hl.synthetic(200, degree=6, prior=0.3)
KNOWN = hl.hide_positives(Y, positive_class=1)


@pytest.fixture(scope="module")
def model():
    return Auto(epochs=40).fit(GRAPH, KNOWN)


def with_words():
    """Words that positives have more often, instead of numbers."""
    rng = np.random.default_rng(0)
    chance = np.where(Y[:, None] == 1, np.linspace(0.02, 0.2, 60), np.linspace(0.2, 0.02, 60))
    return replace(GRAPH, X=sparse.csr_array(rng.random((len(Y), 60)) < chance, dtype=np.float32))


def scores_in(worlds, graph, known):
    torch.manual_seed(0)
    model = Auto(epochs=15)
    problem = model.pose(graph, known)
    model._fit_in([worlds], Problem(problem.adjacency, problem.X, known, ~known), graph)
    return model.scores_


@pytest.mark.parametrize("graph", [GRAPH, with_words()], ids=["numbers", "words"])
def test_a_score_does_not_depend_on_its_own_label(graph):
    worlds = Worlds.draw(KNOWN, ~KNOWN, 4, np.random.default_rng(0))
    before = scores_in(worlds, graph, KNOWN)
    for node in np.flatnonzero(KNOWN)[:3]:
        forgotten = KNOWN & (np.arange(len(KNOWN)) != node)
        after = scores_in(worlds, graph, forgotten)
        assert after[node] == pytest.approx(before[node], rel=1e-4, abs=1e-4)
        assert np.abs(after - before).max() > 0.01, "others do learn from it"


def test_it_finds_positives(model):
    assert hl.score_unlabelled(model, Y == 1, KNOWN).average_precision > 0.5
    assert model.prior_interval_[0] <= model.prior_ <= model.prior_interval_[1]


def test_views_tell_what_they_are_worth(model):
    assert list(model.views_) == [
        "traits", "traits nearby", "own", "hops", "convolution", "pagerank", "links to", "company", "peers",
        "trees"]
    for view in model.views_.values():
        assert 0 <= view["auc"] <= 1
        assert view["weight"] >= 0
    assert max(view["weight"] for view in model.views_.values()) > 0


def test_trees_find_a_corner_between_two_numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 6))
    corner = (np.abs(X[:, 0]) < 0.7) & (np.abs(X[:, 1]) < 0.7)
    graph = replace(hl.synthetic(600, degree=4)[0], X=X.astype(np.float32))
    known = hl.hide_positives(corner, positive_class=True)
    views = Auto(epochs=40).fit(graph, known).views_
    assert max(views, key=lambda view: views[view]["auc"]) == "trees"
    assert max(views, key=lambda view: views[view]["weight"]) == "trees"


def test_a_fitted_node_keeps_its_score_and_a_new_one_gets_the_mean_of_all_folds(model):
    last = GRAPH.n_nodes - 1
    renamed = replace(GRAPH, X=GRAPH.X.copy(), ids=NodeIds([*range(last), "new"]))
    again, before = model.decision_function(renamed), model.decision_function()
    apart = ~np.isin(np.arange(last + 1), [last, *GRAPH.symmetric()[[last]].indices])
    # Walks go twenty steps far and meet one known node less.
    np.testing.assert_allclose(again[apart], before[apart], rtol=1e-3, atol=0.02)
    assert again[last] != pytest.approx(before[last], abs=1e-6)


def test_without_features_company_tells():
    """Communities, of which there are more than numbers at a node; those of every fourth are positive."""
    rng = np.random.default_rng(0)
    community = np.repeat(np.arange(100), 10)
    near = community[:, None] == community
    joined = np.argwhere(np.triu(rng.random(near.shape) < np.where(near, 0.4, 0.001), k=1))
    graph = hl.as_graph((sparse.coo_array((np.ones(len(joined)), tuple(joined.T)), shape=near.shape), None))
    y = community % 4 == 0
    known = hl.hide_positives(y, positive_class=True)
    views = Auto(epochs=20).fit(graph, known).views_
    assert max(views, key=lambda view: views[view]["auc"]) in ("company", "peers")
    assert max(views, key=lambda view: views[view]["weight"]) in ("company", "peers")


def test_with_many_words_and_few_known_those_alike_tell():
    """Topics of ten words each, of which a text has four, among forty words that tell nothing."""
    rng = np.random.default_rng(0)
    topic = np.repeat(np.arange(30), 8)
    words = np.zeros((240, 340), dtype=np.float32)
    for node in range(240):
        words[node, topic[node] * 10 + rng.choice(10, 4, replace=False)] = 1
        words[node, 300 + rng.choice(40, 4, replace=False)] = 1
    graph = hl.as_graph(sparse.random_array((240, 240), density=0.01, rng=rng, format="csr"), words)
    y = topic % 3 == 0
    known = hl.hide_positives(y, positive_class=True)
    model = Auto(epochs=20).fit(graph, known)
    assert max(model.views_, key=lambda view: model.views_[view]["weight"]) == "alike"
    assert hl.score_unlabelled(model, y, known).average_precision > 0.9


def test_sources_are_asked_for_the_prior_where_a_graph_has_features(model):
    known, others = model.scores_[KNOWN], model.scores_[~KNOWN]
    by_one = stacked_prior(known, others)
    assert model.prior_ != by_one.value
    assert model.prior_interval_[0] <= by_one.low <= by_one.high <= model.prior_interval_[1]
    bare = Auto(epochs=2).fit(hl.as_graph(GRAPH.adjacency), KNOWN)
    assert bare.prior_ == stacked_prior(bare.scores_[KNOWN], bare.scores_[~KNOWN]).value


def test_a_graph_of_strangers_is_scored(model):
    other, y = hl.synthetic(150, degree=6, prior=0.3, random_state=5)
    strangers = replace(other, ids=NodeIds([f"n{i}" for i in range(150)]))
    scores = model.decision_function(strangers)
    assert roc_auc_score(y == 1, scores) > 0.7


def six_known_and(unlabelled):
    n = 6 + unlabelled
    return hl.Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, GRAPH.X[:n]), np.arange(n) < 6


@pytest.mark.parametrize("unlabelled", [2, 3])
def test_hardly_anybody_is_unlabelled(unlabelled):
    """In some worlds, nobody is."""
    model = Auto(epochs=2).fit(*six_known_and(unlabelled))
    assert np.isfinite(model.scores_).all()
    assert 0 <= model.prior_ <= 1


def test_a_single_unlabelled_node_cannot_be_held_out():
    with pytest.raises(hl.DataError, match=r"1 unlabelled node: .*needs at least 2\. Add unlabelled nodes"):
        Auto(epochs=2).fit(*six_known_and(1))


def test_a_graph_without_edges_has_its_features():
    lonely = hl.Graph.from_edges([], [], GRAPH.X)
    assert list(Auto(epochs=2).fit(lonely, KNOWN).views_) == ["traits", "own", "trees"]


def test_edges_between_the_classes_are_trusted_less(model):
    ends = Y[np.repeat(np.arange(GRAPH.n_nodes), np.diff(GRAPH.indptr))], Y[GRAPH.indices]
    same = ends[0] == ends[1]
    assert model.edge_weight_.shape == (GRAPH.n_edges,)
    assert model.edge_weight_[same].mean() > model.edge_weight_[~same].mean() + 0.1


def test_a_given_prior_is_taken_and_a_named_estimator_asked():
    assert Auto(epochs=2, prior=0.2).fit(GRAPH, KNOWN).prior_ == 0.2
    assert 0 <= Auto(epochs=2, prior="dedpul").fit(GRAPH, KNOWN).prior_ <= 1


def test_four_positives_are_enough():
    few = np.zeros(len(KNOWN), dtype=bool)
    few[np.flatnonzero(KNOWN)[:4]] = True
    assert np.isfinite(Auto(epochs=2).fit(GRAPH, few).scores_).all()


def test_large_graphs_make_do_with_three_folds(monkeypatch):
    monkeypatch.setattr("halflabel.stacking.effort.MAX_WORK", 1)
    assert Auto(epochs=1).fit(GRAPH, KNOWN).fold_.max() == 2


def test_draws_of_folds_are_averaged(monkeypatch, model):
    one_by_one = model._blend.folds
    assert len({tuple(fold) for fold in one_by_one}) == 10
    monkeypatch.setattr("halflabel.methods.auto.draws_of_folds", lambda *_: 1)
    single = Auto(epochs=40).fit(GRAPH, KNOWN)
    np.testing.assert_array_equal(single.fold_, model.fold_)
    assert np.corrcoef(single.scores_, model.scores_)[0, 1] > 0.8
