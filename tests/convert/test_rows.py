"""Rows without a graph: who they are, who is positive, and how new ones are scored by their neighbours."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import halflabel as hl
from halflabel.convert.rows import RowScores, is_array, is_plain, positive_rows

X, Y = make_blobs(n_samples=[60, 140], centers=[[0, 0, 0], [3, 3, 3]], random_state=0)
KNOWN = (Y == 0) & (np.arange(200) % 2 == 0)
FORMS = {
    "array": np.asarray,
    "float32": lambda X: X.astype(np.float32),
    "lists": np.ndarray.tolist,
    "pandas": lambda X: pd.DataFrame(X, columns=["a", "b", "c"]),
    "polars": lambda X: pl.DataFrame(X, schema=["a", "b", "c"]),
    "tensor": torch.as_tensor,
    "sparse": sparse.csr_array,
    "sparse by column": sparse.csc_matrix,
}


def naive(**changes):
    return hl.Naive(**{"epochs": 20, "folds": 2, **changes})


@pytest.fixture(scope="module")
def model():
    return naive().fit(X, KNOWN)


@pytest.mark.parametrize("rows", [form(X) for form in FORMS.values()], ids=FORMS)
def test_rows_in_any_form(model, rows):
    assert is_plain(rows)
    fitted = naive().fit(rows, KNOWN)
    scores = fitted.decision_function(rows)
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-4, atol=1e-5)
    assert fitted.n_features_in_ == 3


@pytest.mark.parametrize("graph", [
    np.array([[0, 1], [1, 2]]), torch.tensor([[0, 1], [1, 2]]), sparse.eye_array(4), (sparse.eye_array(4), X),
    pd.DataFrame({"from": [1.0], "to": [2.0]}), pa.table({"Source": [1], "target": [2]}), "edges.csv", None,
], ids=["edge index", "tensor", "adjacency", "pair", "pandas", "pyarrow", "path", "nothing"])
def test_forms_of_a_graph_are_no_rows(graph):
    assert not is_plain(graph)


def test_the_graph_of_rows_is_the_neighbour_graph(model):
    by_hand = naive().fit(hl.neighbour_graph(X), KNOWN)
    np.testing.assert_array_equal(by_hand.scores_, model.scores_)
    np.testing.assert_array_equal(by_hand.edge_weight_, model.edge_weight_)


def test_half_is_the_threshold_of_rows(model):
    positive = model.predict_proba(X)[:, 1] > 0.5
    np.testing.assert_array_equal(model.predict(X), positive)
    np.testing.assert_array_equal(model.decision_function(X) > 0, positive)
    assert model.threshold_ == 0.5
    assert positive[Y == 0].mean() > 0.9 > 0.1 > positive[Y == 1].mean()


@pytest.mark.parametrize("labels", [["no", "yes"], [-1, 1], [2, 7], [False, True]], ids=str)
def test_the_second_class_is_the_positive_one(model, labels):
    fitted = naive().fit(X, np.array(labels)[KNOWN.astype(int)])
    assert fitted.classes_.tolist() == labels
    np.testing.assert_array_equal(fitted.predict(X), np.array(labels)[model.predict(X).astype(int)])


@pytest.mark.parametrize(("y", "message"), [
    (np.resize([0, 1, 2], 200), "Only binary classification.*multiclass"),
    (np.linspace(0, 1, 200), "Unknown label type"),
    (np.zeros(200), "one class"),
    (np.arange(200) < 3, r"3 known positives \(y == .*n_samples=200, n_features=3\): at least 4"),
    (np.ones(7), "inconsistent numbers of samples"),
    (None, "requires y"),
])
def test_bad_labels(y, message):
    with pytest.raises(ValueError, match=message):
        naive().fit(X, y)


def test_labels_by_name():
    classes, positive = positive_rows(np.array(["b", "a"], dtype=object), (2, 1))
    assert (classes.tolist(), positive.tolist()) == (["a", "b"], [True, False])


def test_a_fitted_row_has_its_fitted_score(model):
    np.testing.assert_array_equal(model.decision_function(X), model.decision_function())
    np.testing.assert_array_equal(model.decision_function(X[[5, 3]]), model.decision_function()[[5, 3]])


def test_a_row_alone_in_a_batch_and_in_any_order():
    """With integers many distances tie; with 30 columns scikit-learn rounds them differently in a batch."""
    rng = np.random.default_rng(0)
    for width in (2, 30):
        known = RowScores.store(rng.integers(0, 3, (400, width)).astype(np.float32), rng.normal(size=400))
        new = rng.integers(0, 3, (100, width)).astype(np.float32) + 0.25
        together, order = known.interpolate(new), rng.permutation(100)
        alone = np.concatenate([known.interpolate(new[i : i + 1]) for i in range(100)])
        np.testing.assert_array_equal(alone, together)
        np.testing.assert_array_equal(known.interpolate(new[order]), together[order])
        np.testing.assert_array_equal(known.interpolate(sparse.csr_array(new)), together)


def test_rows_as_near_as_the_tenth_all_count():
    corners = np.array([[1.0] * i + [-1.0] + [1.0] * (39 - i) for i in range(40)], dtype=np.float32)
    scores = RowScores.store(corners, np.arange(40.0)).interpolate(np.zeros((1, 40), dtype=np.float32))
    assert scores.tolist() == pytest.approx([19.5])


def test_equal_rows_share_one_score():
    known = RowScores.store(np.array([[0.0], [-0.0], [1.0]]), np.array([1.0, 3.0, 9.0]))
    assert known.interpolate(np.array([[0.0], [1.0], [0.5]])).tolist() == [2.0, 9.0, 5.5]
    assert len(known.scores) == 2


def test_rows_that_nothing_tells_apart():
    fitted = naive(prior=0.2).fit(np.ones((40, 2)), np.arange(40) < 10)
    assert np.ptp(fitted.decision_function(np.array([[1.0, 1.0], [5.0, 2.0]]))) == 0


def test_rows_in_blocks(model, monkeypatch):
    new = X + 0.1
    whole = model.decision_function(new)
    monkeypatch.setattr("halflabel.convert.rows.BLOCK", 100)
    np.testing.assert_array_equal(model.decision_function(new), whole)


@pytest.mark.parametrize("form", ["array", "pandas", "sparse"])
@pytest.mark.parametrize("cls", [hl.Naive, hl.LabelProp])
def test_saving(cls, form, tmp_path):
    rows, labels = FORMS[form](X), np.where(KNOWN, "yes", "no")
    wide = sparse.csr_array(np.hstack([X * (X > 3), np.zeros((200, 9))])) if form == "sparse" else rows
    fitted = cls(folds=2, prior=0.2).fit(wide, labels)
    fitted.save(tmp_path / "model")
    loaded = hl.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(wide), fitted.predict_proba(wide))
    np.testing.assert_array_equal(loaded.predict(wide), fitted.predict(wide))
    if form == "pandas":
        with pytest.raises(ValueError, match="feature names"):
            loaded.predict(wide[["b", "a", "c"]])


def test_a_graph_after_rows_and_rows_after_a_graph():
    graph, y = hl.synthetic(100, prior=0.3)
    frame = FORMS["pandas"](X)
    model = naive(prior=0.2).fit(frame, KNOWN).fit(graph, y == 1)
    assert not hasattr(model, "feature_names_in_")
    assert model.classes_.tolist() == [0, 1]
    with pytest.raises(hl.DataError, match="neighbour_graph"):
        model.predict(X)
    model.fit(frame, KNOWN)
    assert model.predict(frame[:7]).shape == (7,)


def test_a_model_of_rows_also_scores_graphs(model):
    scores = model.decision_function(hl.neighbour_graph(X))
    np.testing.assert_allclose(scores, model.decision_function(), rtol=1e-4, atol=1e-4)


def test_scikit_learns_tools():
    pipeline = make_pipeline(StandardScaler(), naive(epochs=5))
    assert pipeline.fit(X, KNOWN).predict_proba(X[:3]).shape == (3, 2)
    scores = cross_val_predict(naive(epochs=20), X, KNOWN, cv=3, method="decision_function")
    assert scores[Y == 0].mean() > scores[Y == 1].mean()
    search = GridSearchCV(naive(epochs=5), {"hidden": [4, 8]}, scoring="roc_auc", cv=2).fit(X, KNOWN)
    assert search.best_score_ > 0.6


def test_what_is_an_array():
    assert is_array(X)
    assert not is_array((X, X))
    assert not is_array(hl.neighbour_graph(X))
