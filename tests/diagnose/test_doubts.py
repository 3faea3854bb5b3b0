"""Doubts about a fitted model: each kind is raised where it should be, and is not where it should not."""

import warnings

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.diagnose import doubts
from halflabel.diagnose.randomness import labels_not_random
from halflabel.errors import DoubtWarning
from halflabel.graph import Graph
from halflabel.methods.naive import Naive

NODES = 1500


def problem(overlap: float, seed: int = 0) -> tuple[Graph, np.ndarray]:
    """Two kinds of nodes, a third of them positive, told apart by their first feature; edges say nothing."""
    rng = np.random.default_rng(seed)
    y = rng.random(NODES) < 1 / 3
    X = rng.normal(size=(NODES, 4))
    X[:, 0] += (1 - overlap) * 8 * y
    source, target = rng.integers(NODES, size=(2, 2 * NODES))
    return Graph.from_edges(source, target, X, feature_names=("kind", "age", "size", "luck")), y


def drawn(y: np.ndarray, count: int, weight: np.ndarray | None = None) -> np.ndarray:
    chances = y * (1.0 if weight is None else weight)
    chosen = np.random.default_rng(1).choice(len(y), count, replace=False, p=chances / chances.sum())
    return np.isin(np.arange(len(y)), chosen)


def kinds(model: hl.Naive) -> list[str]:
    return [doubt.kind for doubt in doubts(model)]


@pytest.fixture(scope="module")
def separated():
    graph, y = problem(overlap=0.1)
    return graph, y, Naive(backbone="mlp", epochs=60).fit(graph, drawn(y, 250))


def test_nothing_is_doubted_where_all_is_well(separated):
    assert kinds(separated[2]) == []


def test_few_positives(separated):
    graph, y, _ = separated
    assert "few positives" in kinds(Naive(backbone="mlp", epochs=60).fit(graph, drawn(y, 12)))


@pytest.mark.parametrize(
    ("interval", "wide"), [((0.05, 0.19), False), ((0.05, 0.21), True), ((0.0, 0.1), True)])
def test_a_wide_interval(separated, interval, wide):
    model = separated[2]
    before, model.prior_interval_ = model.prior_interval_, interval
    assert ("wide interval" in kinds(model)) is wide
    model.prior_interval_ = before


def test_classes_that_overlap():
    graph, y = problem(overlap=0.85)
    assert "irreducibility" in kinds(Naive(backbone="mlp", epochs=60).fit(graph, drawn(y, 250)))


def test_a_given_prior_is_not_doubted_for_overlap():
    graph, y = problem(overlap=0.85)
    model = Naive(backbone="mlp", epochs=60, prior=0.2).fit(graph, drawn(y, 250))
    assert "irreducibility" not in kinds(model)


@pytest.mark.filterwarnings("ignore:Naive.*the same answer")
def test_collapse(separated):
    _, y, _ = separated
    blank = Graph.from_edges([0], [1], np.zeros((NODES, 1)))
    assert kinds(Naive(backbone="mlp", epochs=2).fit(blank, drawn(y, 250))) == ["collapse"]


def test_labels_that_were_picked(separated):
    graph, y, _ = separated
    by_age = drawn(y, 250, weight=np.exp(2 * graph.X[:, 1]))
    model = Naive(backbone="mlp", epochs=60).fit(graph, by_age)
    found = {doubt.kind: doubt.message for doubt in doubts(model)}
    assert "'age'" in found["labels not random"]


def test_fitting_warns_once_for_each(separated):
    graph, y, _ = separated
    with pytest.warns(DoubtWarning, match="Only 12 positives") as caught:
        model = Naive(backbone="mlp", epochs=60).fit(graph, drawn(y, 12))
    assert [str(warning.message) for warning in caught] == [doubt.message for doubt in doubts(model)]
    assert all(warning.filename == __file__ for warning in caught)


def test_cross_fitting_keeps_the_doubts_of_its_parts(separated):
    graph, y, _ = separated
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hl.cross_fit(graph, drawn(y, 12), Naive(backbone="mlp", epochs=2), folds=2)


def test_a_loaded_model_has_none_until_its_run_is_opened(separated, tmp_path):
    separated[2].save(tmp_path / "model")
    with pytest.raises(hl.DataError, match="open_run"):
        doubts(hl.load(tmp_path / "model"))


@pytest.mark.parametrize("bias", [0.0, 2.0])
def test_sparse_features_are_judged_as_dense_ones(bias):
    rng = np.random.default_rng(3)
    X = (rng.random((600, 5)) < 0.4).astype(np.float32)
    known = rng.random(600) < 1 / (1 + np.exp(-bias * (X[:, 2] - 0.4)))
    dense, thin = (Graph.from_edges([0], [1], features) for features in (X, sparse.csr_array(X)))
    found = [labels_not_random(graph, known, np.ones(600)) for graph in (dense, thin)]
    assert found[0] == found[1]
    assert (found[0] is not None) is bool(bias)


@pytest.mark.parametrize(("shift", "told"), [(0.06, False), (0.2, True)])
def test_of_many_nodes_a_difference_that_a_few_negatives_can_make_is_not_told(shift, told):
    known = np.arange(20_000) < 10_000
    X = np.random.default_rng(0).normal(size=(20_000, 1)) + shift * known[:, None]
    graph = Graph.from_edges([0], [1], X.astype(np.float32))
    assert (labels_not_random(graph, known, np.ones(20_000)) is not None) is told
