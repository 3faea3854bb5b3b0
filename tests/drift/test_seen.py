"""Drift: nodes unlike the fitted ones are told, nodes like them are not."""

import json
import warnings

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.datasets import payments
from halflabel.drift import Seen, in_words
from halflabel.graph import Graph

GRAPH, Y = payments()
NAMES = GRAPH.names()


def half(graph, seed=0):
    """Half of the nodes as a graph of their own, and the positions of the others."""
    order = np.random.default_rng(seed).permutation(graph.n_nodes)
    kept, hidden = np.sort(order[::2]), np.sort(order[1::2])
    part = graph.adjacency[kept][:, kept].tocoo()
    weight = None if graph.edge_weight is None else part.data
    return Graph.from_edges(part.row, part.col, graph.X[kept], weight=weight,
                            feature_names=graph.feature_names), hidden


def with_column(column, values, rows):
    X = GRAPH.X.copy()
    X[rows, NAMES.index(column)] = values
    return Graph(indptr=GRAPH.indptr, indices=GRAPH.indices, X=X, ids=GRAPH.ids,
                 edge_weight=GRAPH.edge_weight, feature_names=GRAPH.feature_names)


def random_words(rng, n, share):
    return sparse.csr_array(sparse.random_array((n, 500), density=share, rng=rng, dtype=np.float32))


def edgeless(X):
    return Graph.from_edges([0], [1], X)


@pytest.fixture(scope="module")
def seen():
    return Seen.of(GRAPH)


def test_the_fitted_nodes_have_not_drifted(seen):
    assert seen.drifts(GRAPH) == []
    assert seen.drifts(GRAPH[[7]]) == []


def test_nodes_of_the_same_kind_have_not_drifted():
    for seed in range(5):
        other, _ = payments(random_state=seed + 1)
        assert Seen.of(GRAPH).drifts(other) == []


def test_one_value_far_out_is_drift(seen):
    changed = with_column("balance", 1e9, [11])
    found = seen.drifts(changed)
    assert [(drift.name, drift.outside, drift.usual) for drift in found] == [("balance", 1, False)]
    assert seen.drifts(changed[[10]]) == []  # it is not about node 10


def test_a_value_just_outside_is_no_drift(seen):
    most = GRAPH.X[:, NAMES.index("balance")].max()
    assert seen.drifts(with_column("balance", 1.01 * most, [11])) == []


def test_many_values_just_outside_are_drift(seen):
    most = GRAPH.X[:, NAMES.index("balance")].max()
    found = seen.drifts(with_column("balance", 1.01 * most, np.arange(200))[:400])
    assert [(drift.name, drift.outside, drift.usual) for drift in found] == [("balance", 200, False)]


def test_many_values_at_an_end_of_the_range_are_drift(seen):
    high = np.quantile(GRAPH.X[:, NAMES.index("age_days")], 0.98)
    found = seen.drifts(with_column("age_days", high, np.arange(300))[:400])
    assert [(drift.name, drift.usual) for drift in found] == [("age_days", True)]
    assert "age_days (usually" in in_words(found)


def test_degrees_are_looked_at(seen):
    hub = Graph.from_edges(np.zeros(1999, int), np.arange(1, 2000), GRAPH.X, weight=np.full(1999, 100.0),
                           feature_names=NAMES)
    assert [drift.name for drift in seen.drifts(hub[[0]])] == ["degree"]


def test_weights_are_looked_at(seen):
    other = Graph(indptr=GRAPH.indptr, indices=GRAPH.indices, X=GRAPH.X, ids=GRAPH.ids,
                  feature_names=GRAPH.feature_names)
    assert [drift.name for drift in seen.drifts(other)] == ["mean edge weight"]


def test_words_that_become_frequent_are_drift():
    rng = np.random.default_rng(0)
    seen = Seen.of(edgeless(random_words(rng, 2000, 0.02)))
    assert seen.drifts(edgeless(random_words(rng, 300, 0.02))[2:]) == []
    often = random_words(rng, 300, 0.02).toarray()
    often[::3, 40] = 1
    for X in (often, sparse.csr_array(often)):
        assert [drift.name for drift in seen.drifts(edgeless(X)[2:])] == ["x40"]


def test_sparse_and_dense_are_seen_alike():
    words = random_words(np.random.default_rng(0), 300, 0.1)
    words.data *= np.random.default_rng(1).normal(size=words.nnz).astype(np.float32)
    for one, other in zip(*(Seen.of(edgeless(X)).features.to_dict().values()
                            for X in (words, words.toarray())), strict=True):
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("m", [1, 20, 400])
def test_false_alarms_are_rare(m):
    """Of heavy tails, too: of a hundred scorings one may be wrong, so hardly more than two of forty are."""
    rng = np.random.default_rng(m)
    alarms = 0
    for _ in range(40):
        X = np.exp(rng.normal(size=(800 + m, 50))).astype(np.float32)
        alarms += bool(Seen.of(edgeless(X[:800])).features.compare(X[800:]).chance.min() < 0.01 / 52)
    assert alarms <= 2


def test_what_was_seen_survives_json(seen):
    again = Seen.from_dict(json.loads(json.dumps(seen.to_dict())))
    changed = with_column("balance", 1e9, [11])
    assert again.drifts(changed) == seen.drifts(changed)


def test_a_model_warns_once_saved_or_not(tmp_path):
    known = hl.payments_positives(Y)
    model = hl.Naive(epochs=2).fit(GRAPH, known)
    model.save(tmp_path / "model")
    changed = with_column("balance", 1e9, [11])
    for asked in (model, hl.load(tmp_path / "model")):
        with pytest.warns(hl.DriftWarning, match=r"balance \(.* 1 of 2,000 outside\)") as caught:
            asked.predict_proba(changed)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            asked.predict_proba(changed[[3]])


def test_only_a_few_features_are_named(seen):
    other = Graph(indptr=GRAPH.indptr, indices=GRAPH.indices, X=GRAPH.X * 1000, ids=GRAPH.ids,
                  edge_weight=GRAPH.edge_weight, feature_names=GRAPH.feature_names)
    words = in_words(seen.drifts(other))
    assert words.count("outside)") == 3
    assert "more. Their scores may be wrong." in words
