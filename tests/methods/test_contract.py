"""What every method promises: scikit-learn's conventions, seeds, inputs left alone, saving, unseen nodes."""

import inspect
import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from torch_geometric.data import Data

import halflabel as hl
from halflabel.datasets import payments
from halflabel.methods.transductive import Transductive
from halflabel.stacking import effort

pytestmark = pytest.mark.usefixtures("few_draws")

METHODS = hl.methods()
MANY_DRAWS = effort.MAX_DRAWS
TRANSDUCTIVE = sorted(name for name, cls in METHODS.items() if issubclass(cls, Transductive))
INDUCTIVE = sorted(METHODS.keys() - TRANSDUCTIVE)
QUICK = {"warmup": 5, "epochs": 4}
GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)
SMALL, SMALL_Y = hl.synthetic(150, degree=6, prior=0.3)
SMALL_KNOWN = hl.hide_positives(SMALL_Y, positive_class=1)


def quick(name, **parameters):
    """The method with short training, where it has such parameters."""
    accepted = METHODS[name]().get_params()
    return METHODS[name](**{k: v for k, v in QUICK.items() if k in accepted} | parameters)


@pytest.fixture(scope="module", params=sorted(METHODS))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def model(name):
    return quick(name).fit(GRAPH, KNOWN)


def test_parameters_are_keyword_only_and_only_stored(name):
    parameters = inspect.signature(METHODS[name]).parameters.values()
    assert all(p.kind == p.KEYWORD_ONLY and p.default is not p.empty for p in parameters)
    assert vars(METHODS[name]()) == {p.name: p.default for p in parameters}
    assert METHODS[name]().threshold == METHODS[name].usual_threshold
    assert METHODS[name].__doc__


def test_clone_and_set_params(name, model):
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    assert not hasattr(twin, "scores_")
    assert twin.set_params(random_state=7).random_state == 7
    assert model.random_state == 0


def test_fitted_attributes(model):
    assert model.classes_.tolist() == [0, 1]
    assert model.n_features_in_ == GRAPH.X.shape[1]
    assert model.scores_.shape == (GRAPH.n_nodes,)
    assert np.isfinite(model.scores_).all()
    low, high = model.prior_interval_
    assert 0 <= low <= model.prior_ <= high <= 1


def test_probabilities(model):
    probabilities = model.predict_proba()
    assert probabilities.shape == (GRAPH.n_nodes, 2)
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert probabilities[~KNOWN, 1].mean() == pytest.approx(model.prior_, abs=1e-5)
    assert (np.diff(probabilities[np.argsort(model.scores_), 1]) >= 0).all()


def test_predictions_are_the_top_share_of_the_unlabelled(model):
    flagged = hl.flag(model.predict_proba()[~KNOWN, 1], model.usual_threshold)
    np.testing.assert_array_equal(model.predict()[~KNOWN], flagged)
    if model.usual_threshold == "prior":
        assert flagged.sum() == round(model.prior_ * np.count_nonzero(~KNOWN))
    assert set(model.predict()) == {0, 1}
    np.testing.assert_array_equal(model.predict(), model.predict_proba()[:, 1] >= model.threshold_)


def test_better_than_chance(model):
    """Even after a few epochs; a sign error anywhere would show here."""
    assert hl.score_unlabelled(model, Y, KNOWN).auc > 0.75


def test_the_seed_decides_and_ids_are_as_good_as_a_mask(name, model):
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002
    ids = GRAPH.ids.take(np.flatnonzero(KNOWN))
    np.testing.assert_array_equal(quick(name).fit(GRAPH, ids).scores_, model.scores_)
    one, other = (quick(name, random_state=seed).fit(SMALL, SMALL_KNOWN).scores_ for seed in (0, 1))
    assert (one != other).any()


def test_fitting_again_forgets_the_first_time(name, model):
    """The same nodes with other labels: edge weights of the first fit must not be found again."""
    twin = payments()[0]
    other = quick(name).fit(GRAPH, hl.payments_positives(Y, random_state=5))
    other.decision_function(twin)
    np.testing.assert_array_equal(other.fit(GRAPH, KNOWN).scores_, model.scores_)
    np.testing.assert_array_equal(other.decision_function(twin), model.decision_function(payments()[0]))
    np.testing.assert_allclose(other.decision_function(twin), model.decision_function(), rtol=1e-4, atol=1e-5)


def test_the_callers_inputs_random_state_and_threads_stay_as_they_were(name):
    graph, known = payments()[0], KNOWN.copy()
    torch.manual_seed(5)
    np.random.seed(5)  # noqa: NPY002
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    numpy_before = np.random.get_state()[1].copy()  # noqa: NPY002
    torch.set_num_threads(2)
    try:
        fitted = quick(name).fit(graph, known)
        fitted.predict(graph)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(torch.get_rng_state(), before)
    assert (np.random.get_state()[1] == numpy_before).all()  # noqa: NPY002
    np.testing.assert_array_equal(known, KNOWN)
    for part in ("indptr", "indices", "X", "edge_weight"):
        np.testing.assert_array_equal(getattr(graph, part), getattr(GRAPH, part))


def test_hidden_labels_have_no_way_in(name, model):
    """Shuffle the labels of U wherever a fit could find them: in y itself, and in the y of a graph object."""
    graph, y = payments()
    known = hl.payments_positives(y)
    shuffled = y.copy()
    shuffled[~known] = np.random.default_rng(0).permutation(y[~known])
    assert (shuffled != y).sum() > 100
    y[:] = shuffled  # in place: whoever kept a reference sees it
    np.testing.assert_array_equal(quick(name).fit(graph, known).scores_, model.scores_)

    edges = np.stack([np.repeat(np.arange(150), np.diff(SMALL.indptr)), SMALL.indices])
    data = {"x": torch.as_tensor(SMALL.X), "edge_index": torch.as_tensor(edges).long()}
    shuffled = SMALL_Y.copy()
    shuffled[~SMALL_KNOWN] = np.random.default_rng(0).permutation(SMALL_Y[~SMALL_KNOWN])
    assert (shuffled != SMALL_Y).any()
    objects = [Data(**data, y=torch.as_tensor(labels)) for labels in (SMALL_Y, shuffled)]
    first, second = (quick(name).fit(data, SMALL_KNOWN) for data in objects)
    np.testing.assert_array_equal(first.scores_, second.scores_)
    assert first.prior_ == second.prior_


@pytest.mark.parametrize("positives", [SMALL_KNOWN.astype(int), np.where(SMALL_KNOWN, 1, -1)],
                         ids=["0/1", "-1/1"])
def test_labels_are_as_good_as_a_mask(name, positives):
    one, other = (quick(name, prior=0.2).fit(SMALL, labels).scores_ for labels in (SMALL_KNOWN, positives))
    np.testing.assert_array_equal(one, other)


def test_sparse_and_dense_features_give_the_same_scores(name):
    rng = np.random.default_rng(0)
    words = (rng.random((300, 60)) < 0.1).astype(np.float32)
    source, target = rng.integers(300, size=(2, 900))
    dense, sparse_ = (
        quick(name).fit(hl.Graph.from_edges(source, target, form(words)), np.arange(300) < 40)
        for form in (np.asarray, sparse.csr_array))
    np.testing.assert_allclose(sparse_.scores_, dense.scores_, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", INDUCTIVE, indirect=True)
def test_unseen_nodes_are_scored_without_training_again(model):
    other, _ = payments(random_state=3)
    before = model.scores_.copy()
    probabilities = model.predict_proba(other)
    assert probabilities.shape == (other.n_nodes, 2)
    np.testing.assert_array_equal(model.scores_, before)
    np.testing.assert_array_equal(model.predict(other[10:20]), model.predict(other)[10:20])


@pytest.mark.parametrize("name", TRANSDUCTIVE, indirect=True)
def test_a_transductive_method_refuses_another_graph(model):
    with pytest.raises(hl.DataError, match=r"only the graph it was fitted on.*use a method.*gpl"):
        model.predict_proba(payments(random_state=3)[0])


def test_the_same_graph_read_again_gets_the_fitted_scores(model):
    again = model.decision_function(payments()[0])
    np.testing.assert_allclose(again, model.decision_function(), rtol=1e-4, atol=1e-5)


def test_saving_and_pickling(model, tmp_path):
    model.save(tmp_path / "model")
    for twin in (hl.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(twin.predict_proba(), model.predict_proba())
        np.testing.assert_allclose(
            twin.decision_function(GRAPH), model.decision_function(), rtol=1e-4, atol=1e-5)


def test_scikit_learns_cross_validation(name):
    scores = cross_val_predict(
        quick(name), SMALL, SMALL_KNOWN.astype(int), cv=2, method="decision_function")
    assert scores.shape == (SMALL.n_nodes,)
    assert np.isfinite(scores).all()


def test_out_of_focus_is_out_of_mind(name):
    """Labels of the others are not even given; prior and threshold are those of the slice."""
    focus = np.flatnonzero(KNOWN | (np.arange(2000) % 2 == 0))
    fitted = quick(name).set_params(threshold="prior").fit(GRAPH[focus], KNOWN[focus])
    unlabelled = focus[~KNOWN[focus]]
    assert fitted.predict_proba()[unlabelled, 1].mean() == pytest.approx(fitted.prior_, abs=1e-5)
    assert fitted.predict()[unlabelled].sum() == round(fitted.prior_ * len(unlabelled))
    assert fitted.predict(GRAPH[focus]).shape == focus.shape


def test_a_wrong_parameter_is_named(name):
    with pytest.raises(ValueError, match="'random_state' parameter"):
        quick(name, random_state=-1).fit(GRAPH, KNOWN)
    with pytest.raises(TypeError, match="strange"):
        METHODS[name](strange=1)


@pytest.mark.parametrize("labels", [
    np.zeros(2000), np.ones(2000), np.resize([1, 0, -1], 2000), np.ones(7, bool), ["nobody"],
], ids=["none", "all", "three values", "too short", "unknown id"])
def test_bad_labels_are_data_errors(name, labels):
    with pytest.raises(hl.DataError):
        quick(name).fit(GRAPH, labels)


def test_too_few_positives_are_a_data_error(name):
    with pytest.raises(hl.DataError, match="3 known positives: at least 4"):
        quick(name).fit(GRAPH, np.arange(2000) < 3)


def test_as_few_positives_as_allowed(name):
    assert 0 <= quick(name).fit(GRAPH, GRAPH.ids.take(np.flatnonzero(KNOWN)[:4])).prior_ <= 1


def test_silent_unless_verbose(name, capfd):
    quick(name).fit(SMALL, SMALL_KNOWN)
    assert capfd.readouterr() == ("", "")
    quick(name, verbose=True).fit(SMALL, SMALL_KNOWN)
    out, err = capfd.readouterr()
    assert out == ""
    assert err


def relisted(graph, order, ids):
    """The same graph with its nodes listed in another order and called by other names."""
    place = np.argsort(order)
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    return hl.Graph.from_edges(place[rows], place[graph.indices], graph.X[order], weight=graph.edge_weight,
                               ids=type(graph.ids)([ids[i] for i in order]))


def test_the_order_and_the_names_of_the_nodes_do_not_matter(name):
    """Bit for bit, if the names sort alike; also in a slice."""
    n = SMALL.n_nodes
    weights = np.random.default_rng(1).random(SMALL.n_edges).astype(np.float32) + 0.5
    graph, focus = replace(SMALL, edge_weight=weights), np.flatnonzero(SMALL_KNOWN | (np.arange(n) % 3 > 0))
    order = np.random.default_rng(0).permutation(n)
    other = relisted(graph, order, [f"node {i:03}" for i in range(n)])
    first = quick(name).fit(graph[focus], SMALL_KNOWN[focus])
    second = quick(name).fit(other[np.argsort(order)[focus]], SMALL_KNOWN[focus])
    for attribute in ("scores_", "out_of_fold_", "fold_"):
        np.testing.assert_array_equal(getattr(second, attribute), getattr(first, attribute)[order])
    assert second.prior_interval_ == first.prior_interval_
    np.testing.assert_array_equal(second.predict_proba(), first.predict_proba()[order])
    if hasattr(first, "edge_weight_"):
        learned = [sparse.csr_array((fitted.edge_weight_, of.indices, of.indptr), shape=(n, n)).toarray()
                   for fitted, of in ((first, graph), (second, other))]
        np.testing.assert_array_equal(learned[1], learned[0][order][:, order])


def test_a_graph_listed_in_another_order_gets_the_same_scores(name):
    """From a model that was fitted on the one, saved and loaded or not."""
    ids = [f"node {i:03}" for i in range(150)]
    order = np.random.default_rng(0).permutation(150)
    graph, other = relisted(SMALL, np.arange(150), ids), relisted(SMALL, order, ids)
    fitted = quick(name, prior=0.2).fit(other, SMALL_KNOWN[order])
    for twin in (fitted, pickle.loads(pickle.dumps(fitted))):
        np.testing.assert_allclose(
            twin.decision_function(graph)[order], fitted.decision_function(), rtol=1e-4, atol=1e-5)


def test_fits_in_other_processes_give_the_same_bits(monkeypatch):
    """All methods at once: starting the processes takes longer than fitting."""
    monkeypatch.setattr(effort, "MAX_DRAWS", MANY_DRAWS)  # as it is there
    models = [quick(name, prior=0.2, random_state=1) for name in METHODS]
    apart = Parallel(n_jobs=2)(delayed(clone(model).fit)(SMALL, SMALL_KNOWN) for model in models)
    for model, elsewhere in zip(models, apart, strict=True):
        here = model.fit(SMALL, SMALL_KNOWN)
        np.testing.assert_array_equal(elsewhere.scores_, here.scores_, err_msg=repr(model))


def test_grid_search_without_negatives(name):
    """How known positives that were held out rank among the others, by a model that saw neither."""
    search = GridSearchCV(quick(name, prior=0.2), {"random_state": [0, 1]}, scoring="roc_auc", cv=2)
    search.fit(SMALL, SMALL_KNOWN.astype(int))
    assert 0.4 < search.best_score_ <= 1
    assert search.predict(SMALL[:9]).shape == (9,)


def test_plain_rows(name):
    """Any method takes them; a row has one score, alone or in a batch, fitted or new."""
    X, known = SMALL.X, SMALL_KNOWN
    fitted = quick(name, prior=0.2).fit(X, known)
    np.testing.assert_array_equal(fitted.decision_function(X), fitted.decision_function())
    new = fitted.decision_function(X + 0.1)
    assert np.isfinite(new).all()
    np.testing.assert_array_equal(fitted.decision_function(X[7:8] + 0.1), new[7:8])
