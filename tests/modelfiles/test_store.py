"""A saved model comes back whole, and nothing else is taken for one."""

import json
import shutil

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from halflabel.datasets import payments, payments_positives
from halflabel.errors import DataError, DriftWarning
from halflabel.graph import Graph
from halflabel.methods.gpl import GPL
from halflabel.modelfiles.store import PLAIN, load

QUICK = {"warmup": 3, "epochs": 2}


@pytest.fixture(scope="module")
def graph():
    return payments()[0]


@pytest.fixture(scope="module")
def model(graph):
    return GPL(**QUICK, random_state=4).fit(graph, payments_positives(payments()[1]))


@pytest.fixture(scope="module")
def saved(model, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved") / "model"
    model.save(place)
    return place


@pytest.fixture
def copied(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "model")


def with_extra_nodes(graph, n=5):
    """The same graph with n more nodes, each tied to node 0, listed before the old ones."""
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    source, target = np.r_[np.arange(n), rows + n], np.r_[np.full(n, n), graph.indices + n]
    return Graph.from_edges(
        source, target, np.vstack([graph.X[:n], graph.X]), weight=np.r_[np.full(n, 100.0), graph.edge_weight],
        ids=type(graph.ids)([f"new {i}" for i in range(n)] + graph.ids.take(np.arange(graph.n_nodes))),
        feature_names=graph.feature_names)


def test_what_was_fitted_comes_back(model, saved):
    loaded = load(saved)
    assert type(loaded) is GPL
    assert loaded.get_params() == model.get_params()
    for name in ("prior_", "prior_interval_", *PLAIN):
        assert getattr(loaded, name) == getattr(model, name)
    np.testing.assert_array_equal(loaded.scores_, model.scores_)
    np.testing.assert_array_equal(loaded.predict_proba(), model.predict_proba())
    np.testing.assert_array_equal(loaded.predict(), model.predict())


def test_the_same_graph_read_again_gets_the_same_scores(model, saved):
    again = payments()[0]
    got = load(saved).decision_function(again)
    np.testing.assert_allclose(got, model.decision_function(), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(load(saved).predict(again), model.predict())


def test_a_grown_graph_is_scored_by_the_loaded_model_as_by_the_fitted_one(model, saved, graph):
    grown = with_extra_nodes(graph)
    scores = load(saved).decision_function(grown)
    np.testing.assert_array_equal(scores, model.decision_function(grown))
    assert scores.shape == (graph.n_nodes + 5,)
    # Three steps away from the new edges nothing changes.
    assert np.mean(np.abs(scores[5:] - model.decision_function()) < 1e-5) > 0.8
    with pytest.warns(DriftWarning, match="degree"):
        assert load(saved).predict_proba(grown[:5]).shape == (5, 2)


def test_a_loaded_model_can_be_saved_again(saved, tmp_path):
    load(saved).save(tmp_path / "again")
    np.testing.assert_array_equal(load(tmp_path / "again").scores_, load(saved).scores_)


@pytest.mark.parametrize("backbone", ["gcn", "mlp", "gat", "arma", "appnp"])
def test_every_backbone_survives(graph, backbone, tmp_path):
    model = GPL(backbone=backbone, warmup=1, epochs=1, folds=2, hidden=6)
    model.fit(graph, payments_positives(payments()[1])).save(tmp_path / "model")
    got = load(tmp_path / "model").decision_function(payments()[0])
    np.testing.assert_allclose(got, model.decision_function(), rtol=1e-4, atol=1e-5)


def test_parameters_may_be_numpy_numbers(graph, tmp_path):
    model = GPL(K=np.int64(2), alpha=np.float32(0.5), edge_learning=np.bool_(True), warmup=1, epochs=1)
    model.fit(graph, payments_positives(payments()[1])).save(tmp_path / "model")
    assert load(tmp_path / "model").get_params() == model.get_params()


def test_node_ids_and_features_stay_at_home(saved):
    assert b"ACC-" not in (saved / "config.json").read_bytes() + (saved / "weights.safetensors").read_bytes()


def test_an_earlier_model_is_replaced(model, copied):
    model.save(copied)
    assert load(copied).prior_ == model.prior_


@pytest.mark.parametrize("existing", ["file", "directory"])
def test_saving_destroys_nothing_but_an_earlier_model(model, tmp_path, existing):
    place = tmp_path / "precious"
    if existing == "directory":
        place.mkdir()
    letter = place / "letter.txt" if existing == "directory" else place
    letter.write_text("Dear Ann")
    with pytest.raises(DataError, match="not a saved model"):
        model.save(place)
    assert letter.read_text() == "Dear Ann"


@pytest.mark.parametrize("missing", ["config.json", "weights.safetensors"])
def test_a_missing_file_is_named(copied, missing):
    (copied / missing).unlink()
    with pytest.raises(DataError, match=f"not a saved model, {missing} is missing"):
        load(copied)


def test_no_directory_or_a_file_instead(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(DataError, match="not a saved model"):
            load(place)


@pytest.mark.parametrize("text", [
    b"", b"{", b"\xff\xfe", b"[1]", b"null", b"{}", b'{"format": 99}', b'{"format": 3}',
    b'{"format": 3, "method": ["gpl"]}', b'{"format": 3, "method": "gpl"}',
])
def test_a_foreign_configuration_is_a_data_error(copied, text):
    (copied / "config.json").write_bytes(text)
    with pytest.raises(DataError, match="model"):
        load(copied)


def change(config, key, value):
    config[key] = value


@pytest.mark.parametrize("damage", [
    lambda c: change(c, "method", "gpll"),
    lambda c: change(c["parameters"], "strange", 1),
    lambda c: change(c["parameters"], "hidden", 32),
    lambda c: change(c["parameters"], "backbone", "os:system"),
    lambda c: change(c, "parameters", [1]),
    lambda c: c["fitted"].pop("prior_"),
    lambda c: change(c, "scaling", None),
    lambda c: c.pop("prior_interval_"),
])
def test_a_changed_configuration_is_a_data_error(copied, damage):
    config = json.loads((copied / "config.json").read_text())
    damage(config)
    (copied / "config.json").write_text(json.dumps(config))
    with pytest.raises(DataError, match=r"method|damaged"):
        load(copied)


def test_cut_off_or_missing_weights_are_a_data_error(copied):
    weights = copied / "weights.safetensors"
    whole, arrays = weights.read_bytes(), load_file(weights)
    for damaged in (b"", b"abc", whole[: len(whole) // 2], whole[:-1]):
        weights.write_bytes(damaged)
        with pytest.raises(DataError, match="damaged"):
            load(copied)
    for name in ("scores", "edges.keys", "network.first"):
        save_file({k: v for k, v in arrays.items() if k != name}, weights)
        with pytest.raises(DataError, match="damaged"):
            load(copied)
