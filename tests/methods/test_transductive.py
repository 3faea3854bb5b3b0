"""Methods without a network: the fitted graph is known by its content, every other graph is refused."""

import pickle
import tracemalloc
from dataclasses import replace
from time import perf_counter

import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from scipy import sparse

import halflabel as hl
from halflabel.fingerprint import fingerprint
from halflabel.ids import NodeIds
from halflabel.methods.transductive import Transductive

METHODS = {name: cls for name, cls in hl.methods().items() if issubclass(cls, Transductive)}
GRAPH, Y = hl.synthetic(300, degree=6, random_state=1)
KNOWN = hl.hide_positives(Y, positive_class=1)


@pytest.fixture(params=sorted(METHODS), scope="module")
def cls(request):
    return METHODS[request.param]


@pytest.fixture(scope="module")
def model(cls):
    return cls().fit(GRAPH, KNOWN)


def copied(graph, **changes):
    parts = {"indptr": graph.indptr.copy(), "indices": graph.indices.copy(), "X": graph.X.copy()}
    return replace(graph, **parts | changes)


def changed(array):
    array = array.copy()
    array[-1] += 1
    return array


OTHERS = {
    "edges": copied(GRAPH, indices=changed(GRAPH.indices)),
    "edge weights": copied(GRAPH, edge_weight=np.full(GRAPH.n_edges, 2, dtype=np.float32)),
    "ids": copied(GRAPH, ids=NodeIds([f"n{i:03d}" for i in range(300)])),
    "features": copied(GRAPH, X=changed(GRAPH.X)),
}


@pytest.mark.parametrize("part", OTHERS)
def test_a_graph_that_differs_in_anything_is_refused_and_the_difference_named(model, part):
    with pytest.raises(hl.DataError, match=rf"the graph it was fitted on, and this one has other {part}\."):
        model.predict_proba(OTHERS[part])


def test_the_graph_is_known_by_content(model, tmp_path):
    model.save(tmp_path / "model")
    for twin in (model, hl.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(twin.predict_proba(copied(GRAPH)), model.predict_proba())
        np.testing.assert_array_equal(twin.predict(copied(GRAPH)[5:9]), model.predict()[5:9])
        with pytest.raises(hl.DataError, match="other features"):
            twin.predict(OTHERS["features"])


def test_a_saved_model_holds_scores_and_hashes_and_lacks_none_of_them(model, tmp_path):
    model.save(tmp_path / "model")
    weights = tmp_path / "model" / "weights.safetensors"
    arrays = load_file(weights)
    assert arrays.keys() == {"scores", "fitted_scores", *OTHERS}
    arrays.pop("ids")
    save_file(arrays, weights)
    with pytest.raises(hl.DataError, match="damaged"):
        hl.load(tmp_path / "model")


def test_fingerprints_ignore_how_a_graph_is_held():
    once = fingerprint(GRAPH)
    assert fingerprint(replace(GRAPH, edge_weight=np.ones(GRAPH.n_edges, dtype=np.float32))) == once
    assert fingerprint(replace(GRAPH, X=np.asfortranarray(GRAPH.X))) == once
    assert fingerprint(replace(GRAPH, ids=NodeIds([str(i) for i in range(300)]))) == once
    wide = sparse.csr_array(GRAPH.X)
    narrow = wide.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert fingerprint(replace(GRAPH, X=wide)) == fingerprint(replace(GRAPH, X=narrow))


@pytest.mark.parametrize("walks", ["all", "even"])
def test_a_held_out_positive_is_scored_as_if_nobody_knew_about_it(cls, walks):
    settings = {"walks": walks} if "walks" in cls().get_params() else {}
    fitted = cls(**settings, random_state=3).fit(GRAPH, KNOWN)
    for member in range(5):
        fold = fitted.fold_ == member
        without = cls(**settings, random_state=3, folds=0, prior=0.2).fit(GRAPH, KNOWN & ~fold)
        np.testing.assert_allclose(fitted.out_of_fold_[fold], without.scores_[fold], rtol=1e-6)


def test_folds(cls):
    one = cls(folds=1).fit(GRAPH, KNOWN)
    assert np.isnan(one.out_of_fold_[KNOWN]).sum() == KNOWN.sum() - int(0.2 * KNOWN.sum())
    assert not np.isnan(one.out_of_fold_[~KNOWN]).any()
    none = cls(folds=0, prior=0.1).fit(GRAPH, KNOWN)
    assert none.prior_ == 0.1
    assert np.isnan(none.out_of_fold_[KNOWN]).all()
    with pytest.raises(hl.DataError, match="'auto' with folds=0: no positive is held out"):
        cls(folds=0).fit(GRAPH, KNOWN)


@pytest.mark.parametrize("prior", ["bbe", "dedpul", 0.3])
def test_the_prior_by_estimator_or_as_given(cls, prior):
    fitted = cls(prior=prior).fit(GRAPH, KNOWN)
    low, high = fitted.prior_interval_
    assert low <= fitted.prior_ <= high
    assert prior != 0.3 or (low, high) == (0.3, 0.3)


def test_isolated_nodes_have_finite_scores_of_zero(cls):
    n = GRAPH.n_nodes
    rows = np.repeat(np.arange(n), np.diff(GRAPH.indptr))
    X = np.vstack([GRAPH.X, np.zeros((2, 16), dtype=np.float32)])
    lonely = hl.Graph.from_edges(rows, GRAPH.indices, X)
    fitted = cls().fit(lonely[:n], KNOWN)
    assert fitted.scores_[n:].tolist() == [0, 0]
    known = np.r_[KNOWN, True, False]
    assert np.isfinite(cls().fit(lonely, known).scores_).all()


def test_no_edges_at_all(cls):
    empty = hl.Graph.from_edges([], [], GRAPH.X)
    fitted = cls().fit(empty, KNOWN)
    assert np.isfinite(fitted.scores_).all()


def test_edge_weights_count_and_their_unit_does_not(cls):
    n = GRAPH.n_nodes
    rows = np.repeat(np.arange(n), np.diff(GRAPH.indptr))
    weight = np.random.default_rng(0).uniform(0.1, 3, GRAPH.n_edges)
    in_euros, in_cents = (hl.Graph.from_edges(rows, GRAPH.indices, GRAPH.X, weight=unit * weight)
                          for unit in (1, 100))
    euros, cents, plain = (cls().fit(graph, KNOWN).scores_ for graph in (in_euros, in_cents, GRAPH))
    np.testing.assert_allclose(cents, euros, rtol=1e-3, atol=1e-4)
    assert np.abs(euros - plain).max() > 0.01


def test_the_order_of_the_nodes_does_not_matter(cls):
    """Scores travel with the ids, ties included."""
    order = np.random.default_rng(0).permutation(GRAPH.n_nodes)
    place = np.argsort(order)
    rows = np.repeat(np.arange(GRAPH.n_nodes), np.diff(GRAPH.indptr))
    shuffled = hl.Graph.from_edges(
        place[rows], place[GRAPH.indices], GRAPH.X[order], ids=NodeIds(order.tolist()))
    model = cls(folds=0, prior=0.2)
    expected = model.fit(GRAPH, KNOWN).scores_[order]
    np.testing.assert_allclose(model.fit(shuffled, KNOWN[order]).scores_, expected, rtol=1e-5, atol=1e-6)


def test_a_large_graph_in_seconds_and_linear_memory(cls):
    """An n x n matrix of 50,000 nodes would have 20 GB; all there is here are columns and edges."""
    graph, y = hl.synthetic(50_000, degree=6, features=2, prior=0.1, heterophily=0.05, random_state=0)
    known = hl.hide_positives(y, positive_class=1, ratio=0.3)
    start = perf_counter()
    tracemalloc.start()
    try:
        model = cls().fit(graph, known)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6
    assert perf_counter() - start < 60
    assert hl.score_unlabelled(model, y == 1, known).auc > 0.6
