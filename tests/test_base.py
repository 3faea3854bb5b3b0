"""What every method inherits: checking the input, probabilities and a threshold from scores and a prior."""

import dataclasses
from typing import ClassVar

import numpy as np
import pytest
import torch
from sklearn.exceptions import NotFittedError

from halflabel.base import PUNodeClassifier
from halflabel.edges.adjacency import Adjacency
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.priors import Prior
from halflabel.thresholds import flag


class Ranker(PUNodeClassifier):
    """Scores a node by its first feature, and takes the prior as given."""

    _parameter_constraints: ClassVar[dict] = {}

    def __init__(self, *, share=0.25, random_state=0):
        self.share = share
        self.random_state = random_state

    def _fit_problem(self, problem, graph):
        self.problem = problem
        self.drawn = torch.rand(3).tolist()
        self.scores_ = self.out_of_fold_ = graph.X[:, 0]
        return Prior(self.share, self.share - 0.05, self.share + 0.05, "given")

    def _score_graph(self, graph):
        return graph.X[:, 0] + 100

    def _arrays(self):
        return {}

    def _restore(self, arrays):
        pass


@pytest.fixture
def graph():
    rng = np.random.default_rng(0)
    return Graph.from_edges(np.arange(39), np.arange(1, 40), rng.normal(size=(40, 3)))


KNOWN = np.arange(40) < 8


def test_attributes_of_a_fitted_model(graph):
    model = Ranker().fit(graph, KNOWN)
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == 3
    assert (model.prior_, model.prior_interval_) == (0.25, (0.2, 0.3))


def test_probabilities_average_to_the_prior_over_the_unlabelled_and_rank_like_the_scores(graph):
    model = Ranker().fit(graph, KNOWN)
    probabilities = model.predict_proba()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert probabilities[~KNOWN, 1].mean() == pytest.approx(0.25, abs=1e-6)
    assert (np.argsort(probabilities[:, 1]) == np.argsort(model.scores_)).all()


@pytest.mark.parametrize("share", [0.0, 0.01, 0.25, 0.5, 1.0])
def test_predict_flags_exactly_the_top_share_of_the_unlabelled(graph, share):
    model = Ranker(share=share).fit(graph, KNOWN)
    flagged = model.predict()[~KNOWN].astype(bool)
    assert flagged.sum() == round(share * 32)
    if 0 < flagged.sum() < 32:
        assert model.scores_[~KNOWN][flagged].min() > model.scores_[~KNOWN][~flagged].max()


@pytest.mark.parametrize("threshold", ["f1", ("budget", 3), ("precision", 0.5), ("cost", 2)])
def test_other_thresholds_flag_what_they_would_flag_by_probability(graph, threshold):
    model = Ranker()
    model.threshold = threshold
    known = np.isin(np.arange(40), np.argsort(-graph.X[:, 0])[:12:2])  # scores tell, so probabilities differ
    probability = model.fit(graph, known).predict_proba()[~known, 1]
    flagged = model.predict()[~known] == 1
    assert (flagged == flag(probability, threshold)).all()
    assert 0 < flagged.sum() < 34
    assert model.expected_["hits"] == pytest.approx(probability[flagged].sum())


def test_a_wrong_threshold_is_told_before_fitting(graph):
    model = Ranker()
    model.threshold = ("budget", -3)
    with pytest.raises(DataError, match="whole number"):
        model.fit(graph, KNOWN)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.25, 0.5, 1.0])
def test_the_decision_function_is_above_zero_where_predict_says_positive(graph, share):
    model = Ranker(share=share).fit(graph, KNOWN)
    decision = model.decision_function()
    np.testing.assert_array_equal(decision > 0, model.predict() == 1)
    np.testing.assert_array_equal(decision >= 0, model.predict() == 1)
    np.testing.assert_array_equal(model.predict_proba()[:, 1] >= model.threshold_, model.predict() == 1)
    np.testing.assert_allclose(np.diff(decision), np.diff(model.scores_), atol=1e-6)


def test_nodes_out_of_focus_are_neither_positive_nor_unlabelled(graph):
    focus = np.r_[0:6, 20:30]
    model = Ranker().fit(graph[focus], KNOWN[focus])
    assert np.flatnonzero(model.problem.positive).tolist() == list(range(6))
    assert np.flatnonzero(model.problem.unlabelled).tolist() == list(range(20, 30))
    assert model.problem.adjacency.n_edges == 39
    assert model.predict_proba()[20:30, 1].mean() == pytest.approx(0.25, abs=1e-6)


def test_slices_of_the_fitted_graph_give_its_own_scores(graph):
    model = Ranker().fit(graph, KNOWN)
    np.testing.assert_array_equal(model.decision_function(graph[[5, 3]]), model.decision_function()[[5, 3]])


@pytest.mark.parametrize("changes", [
    {"X": np.zeros((40, 3), np.float32)},
    {"edge_weight": np.ones(39, np.float32)},
    {"indptr": np.zeros(41, int)},
], ids=lambda changes: next(iter(changes)))
@pytest.mark.filterwarnings("ignore::halflabel.errors.DriftWarning")
def test_a_graph_that_differs_in_anything_is_scored_anew(graph, changes):
    model = Ranker().fit(graph, KNOWN)
    other = dataclasses.replace(graph, **changes)
    np.testing.assert_allclose(model.decision_function(other), other.X[:, 0] + 100 - model.cut_, rtol=1e-6)


def test_weights_count_in_multiples_of_their_mean():
    X = np.random.default_rng(0).normal(size=(10, 2))
    weighted = Graph.from_edges(np.arange(9), np.arange(1, 10), X, weight=np.arange(9) * 1e6 + 1e6)
    base = Ranker().fit(weighted, np.arange(10) < 5).problem.adjacency.base
    np.testing.assert_allclose(base, np.arange(1, 10) / 5, rtol=1e-5)


def test_a_weighted_graph_may_have_no_edges_at_all():
    none = np.array([], dtype=int)
    X = np.random.default_rng(0).normal(size=(10, 2))
    graph = Graph.from_edges(none, none, X, weight=none.astype(float))
    assert Ranker().fit(graph, np.arange(10) < 5).weight_unit_ == 1.0


def test_the_seed_decides_and_the_callers_random_state_stays(graph):
    torch.manual_seed(123)
    before = torch.get_rng_state()
    first, again, other = (Ranker(random_state=s).fit(graph, KNOWN).drawn for s in (0, 0, 1))
    assert first == again != other
    assert torch.equal(torch.get_rng_state(), before)


def test_threads_are_put_back_after_an_error(graph, monkeypatch):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    monkeypatch.setattr(Ranker, "_fit_problem", lambda self, problem, graph: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Ranker().fit(graph, KNOWN)
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


@pytest.mark.parametrize(("known", "message"), [
    (1, r"^1 known positive: at least 4"), (3, r"^3 known positives: at least 4"),
])
def test_too_few_positives(graph, known, message):
    with pytest.raises(DataError, match=message):
        Ranker().fit(graph, np.arange(40) < known)


@pytest.mark.parametrize("labels", [
    np.zeros(40), np.ones(40), np.resize([1, 0, -1], 40), np.ones(7, bool), ["nobody"], None,
], ids=["none", "all", "three values", "too short", "unknown id", "nothing"])
def test_bad_labels(graph, labels):
    with pytest.raises(DataError):
        Ranker().fit(graph, labels)


@pytest.mark.parametrize("use", ["decision_function", "predict_proba", "predict"])
def test_an_unfitted_model_says_so(use):
    with pytest.raises(NotFittedError):
        getattr(Ranker(), use)()


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(NotFittedError):
        Ranker().save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_the_problem_is_undirected_and_scaled(graph):
    problem = Ranker().fit(graph, KNOWN).problem
    assert isinstance(problem.adjacency, Adjacency)
    assert problem.adjacency.degree.tolist() == [1, *[2] * 38, 1]
    np.testing.assert_allclose(problem.X.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(problem.X.std(axis=0), 1, rtol=1e-5)
