"""Methods compared without negatives: who wins, who ties, and what goes wrong."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import halflabel as hl
from halflabel.datasets import payments
from halflabel.errors import DataError
from halflabel.methods.naive import Naive

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)
TRUE_PRIOR = float(Y[~KNOWN].mean())


class Oracle(BaseEstimator):
    """Knows the truth up to noise; flags the top `prior` share of what it takes for unlabelled."""

    def __init__(self, noise=0.5, seed=0, prior=0.1, fails=False):
        self.noise, self.seed, self.prior, self.fails = noise, seed, prior, fails

    def fit(self, graph, positives):
        if self.fails:
            raise DataError("no luck today.")
        scores = Y + self.noise * np.random.default_rng(self.seed).normal(size=len(Y))
        self.scores_, self.U_ = scores[graph.nodes], ~positives
        return self

    def decision_function(self, graph):
        return self.scores_

    def predict(self, graph):
        return (self.scores_ >= np.quantile(self.scores_[self.U_], 1 - self.prior)).astype(int)


def compare(methods, **options):
    return hl.compare(GRAPH, KNOWN, methods, **{"prior": TRUE_PRIOR, **options})


def test_the_numbers_are_those_of_the_truth():
    """An oracle's hidden recall, precision and F1 are what counting all positives of U gives."""
    found = compare({"oracle": Oracle(noise=0.4)}, folds=3)
    (row,) = found.rows
    model = Oracle(noise=0.4).fit(GRAPH, KNOWN)
    flagged, positive = model.predict(GRAPH)[~KNOWN] == 1, Y[~KNOWN] == 1
    precision = positive[flagged].mean()
    assert row.mean("precision").value == pytest.approx(precision, abs=0.1)
    assert row.mean("recall").value == pytest.approx(flagged[positive].mean(), abs=0.1)


def test_a_useless_method_is_last_and_worse():
    methods = {"noise": Oracle(noise=1e6), "good": Oracle(noise=0.3), "network": Naive(epochs=20, folds=2)}
    found = compare(methods)
    assert found.best == "good"
    assert [row.method for row in found.rows] == ["good", "network", "noise"]
    assert found.verdict("noise") == "worse"
    assert "noise may be no better than chance" in str(found)


def test_identical_methods_are_tied():
    found = compare({"one": Oracle(), "two": Oracle()})
    assert found.tied == ["two"]
    assert found.gaps["two"] == (0, 0)
    assert "two is within noise of it" in str(found)


def test_equally_good_methods_are_tied():
    found = compare({str(seed): Oracle(noise=0.8, seed=seed) for seed in range(4)})
    assert len(found.tied) == 3


def test_hidden_positives_are_unlabelled_to_the_method_and_each_is_hidden_once():
    seen = []

    class Watched(Oracle):
        def fit(self, graph, positives):
            seen.append((positives, self.prior))
            return super().fit(graph, positives)

    found = compare({"watched": Watched(prior=0.1)}, folds=4)
    hidden = np.array([KNOWN & ~positives for positives, _ in seen])
    assert (hidden.sum(axis=0) == KNOWN).all()
    assert not any((positives & ~KNOWN).any() for positives, _ in seen)
    # A prior that was given is that of U; in a fold, 15 positives have joined the 1940 unlabelled nodes.
    assert [prior for _, prior in seen] == [pytest.approx((194 + 15) / 1955)] * 4
    assert [fold.hidden for fold in found.rows[0].folds] == [15] * 4


def test_a_failing_method_does_not_stop_the_others():
    found = compare({"bad": Oracle(fails=True), "good": Oracle()}, folds=2)
    assert found.best == "good"
    assert [(row.method, row.failure) for row in found.failed] == [("bad", "no luck today.")]
    assert found.verdict("bad") == "failed"
    assert "bad failed: no luck today." in str(found)
    with pytest.raises(DataError, match="bad: no luck"):
        compare({"bad": Oracle(fails=True)}, folds=2)


def test_scores_that_are_no_numbers_are_a_failure():
    found = compare({"nan": Oracle(noise=np.nan), "good": Oracle()}, folds=2)
    assert "2,000 scores are not finite" in found.failed[0].failure


def test_the_same_seed_gives_the_same_result():
    def result(seed):
        methods = [Naive(backbone="mlp", epochs=5, folds=2)]
        return [row.folds for row in compare(methods, folds=2, random_state=seed).rows]

    assert result(0) == result(0) != result(1)


def test_json_round_trip():
    content = compare({"a": Oracle(), "b": Oracle(noise=2)}, folds=3).to_dict()
    assert json.loads(json.dumps(content)) == content
    first, second = content["methods"]
    assert (first["method"], first["verdict"], content["best"]) == ("a", "best", "a")
    assert second["behind"]["value"] == pytest.approx(first["auc"]["value"] - second["auc"]["value"])
    assert len(second["folds"]) == 3


def test_a_sliced_graph_is_judged_on_its_focus():
    focus = np.r_[np.flatnonzero(KNOWN), np.flatnonzero(~KNOWN)[:300]]
    network = Naive(backbone="mlp", epochs=5, folds=2)
    found = hl.compare(GRAPH[focus], KNOWN[focus], [network], folds=2, prior=0.1)
    assert (found.known, found.unlabelled) == (60, 300)


@pytest.mark.parametrize(("options", "message"), [
    ({"folds": 1}, "folds=1: expected 2 to 60"),
    ({"folds": 61}, "folds=61: expected 2 to 60"),
    ({"prior": 1.5}, "prior=1.5: expected a share"),
    ({"prior": "bbee"}, "no prior estimator 'bbee'"),
])
def test_wrong_options_are_explained(options, message):
    with pytest.raises(DataError, match=message):
        compare({"a": Oracle()}, **options)


def test_too_few_positives_to_hide_any():
    with pytest.raises(DataError, match="4 known positives: a comparison hides some"):
        hl.compare(GRAPH, KNOWN & (np.cumsum(KNOWN) <= 4), {"a": Oracle()}, prior=0.1)
    with pytest.raises(DataError, match="folds=2: expected 3 to 6"):
        hl.compare(GRAPH, KNOWN & (np.cumsum(KNOWN) <= 6), {"a": Oracle()}, prior=0.1, folds=2)
