"""Several processes find what one finds, to rounding, however the nodes are shared out."""

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.distributed import partition, partition_graph
from halflabel.graph import Graph
from halflabel.ids import NodeIds

pytestmark = pytest.mark.usefixtures("few_draws")

FITS = {
    "auto": ("auto", {"epochs": 8}),
    "naive, hops": ("naive", {"epochs": 12, "backbone": "hops"}),
    "naive, appnp": ("naive", {"epochs": 12, "backbone": "appnp"}),
    "naive": ("naive", {"epochs": 12}),
    "naive, one perceptron": ("naive", {"epochs": 12, "backbone": "mlp", "balanced": False, "folds": 1}),
    "gpl": ("gpl", {"warmup": 8, "epochs": 5, "guide": False}),
    "gpl, guided": ("gpl", {"warmup": 8, "epochs": 5}),
    "gpl, one network, three steps": ("gpl", {"warmup": 8, "epochs": 5, "guide": False, "folds": 1, "K": 3}),
}
GRAPHS = ("payments", "strange", "apart")


def strange_graph():
    """Weighted, directed, sparse features, ids out of order, nodes without edges."""
    rng = np.random.default_rng(0)
    n = 301
    y = (rng.random(n) < 0.3).astype(int)
    source, target = rng.integers(n - 5, size=(2, 1500))
    kept = (y[source] == y[target]) | (rng.random(1500) < 0.2)
    X = sparse.random(n, 40, density=0.2, format="csr", random_state=0, dtype=np.float32)
    X = sparse.csr_array(X + sparse.csr_array(y[:, None] * (rng.random((n, 40)) < 0.1)))
    graph = Graph.from_edges(source[kept], target[kept], X, weight=rng.random(kept.sum()) + 0.5,
                             ids=NodeIds([f"n{i}" for i in rng.permutation(n)]))
    return graph, hl.hide_positives(y, positive_class=1)


def graph_in_pieces():
    """Two pieces of the same size: cut in two, no part needs anything of the other."""
    rng = np.random.default_rng(0)
    y = (rng.random(120) < 0.4).astype(int)
    source, target = rng.integers(60, size=(2, 300))
    ends = np.concatenate([source, source + 60]), np.concatenate([target, target + 60])
    graph = Graph.from_edges(*ends, rng.normal(size=(120, 4)) + y[:, None])
    return graph, hl.hide_positives(y, positive_class=1)


def load(name):
    if name in ("strange", "apart"):
        return strange_graph() if name == "strange" else graph_in_pieces()
    graph, y = hl.load_dataset("payments")
    return graph, hl.payments_positives(y)


def share_out(graph, parts, place, interleaved):
    """In parts as METIS makes them, which are no runs of nodes, or in runs."""
    scattered = np.random.default_rng(1).permutation(np.arange(graph.n_nodes) % parts).astype(np.int32)
    with pytest.MonkeyPatch.context() as monkeypatch:
        if interleaved:
            monkeypatch.setattr(partition, "assign_parts", lambda *_: (scattered, "at random"))
        partition_graph(graph, parts, place, how="contiguous")


def fitted_by(processes, fit_together, tmp, fits):
    """Where every fit of every graph by so many processes is written."""
    plans = []
    for name in GRAPHS:
        graph, known = load(name)
        share_out(graph, processes, tmp / name, interleaved=name == "strange")
        np.save(tmp / f"{name}.npy", known)
        plans += [{"method": FITS[fit][0], "parameters": FITS[fit][1], "parts": tmp / name,
                   "positives": tmp / f"{name}.npy", "out": tmp / f"{name}, {fit}"} for fit in fits]
    fit_together(processes, plans)
    return tmp


@pytest.fixture(scope="module")
def by_two(fit_together, tmp_path_factory):
    return fitted_by(2, fit_together, tmp_path_factory.mktemp("two"), FITS)


def check_same(place, processes, name, fit):
    graph, known = load(name)
    method, parameters = FITS[fit]
    alone = hl.methods.method_classes()[method](**parameters).fit(graph, known)
    seen = 0
    ids = graph.ids.to_arrow().to_pylist()
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    weight = {(ids[s], ids[t]): w for s, t, w in zip(source, graph.indices, alone.edge_weight_, strict=True)}
    for rank in range(processes):
        found = np.load(place / f"{name}, {fit}" / f"{rank}.npz")
        np.testing.assert_allclose(found["scores"], alone.scores_, atol=1e-4)
        np.testing.assert_allclose(found["out_of_fold"], alone.out_of_fold_, atol=1e-4)
        np.testing.assert_array_equal(found["fold"], alone.fold_)
        np.testing.assert_allclose(found["prior"], alone.prior_, atol=1e-4)
        np.testing.assert_allclose(found["loss"], [record["loss"] for record in alone.history_], atol=1e-4)
        edges = zip(found["source"].tolist(), found["target"].tolist(), strict=True)
        np.testing.assert_allclose(found["edge_weight"], [weight[edge] for edge in edges], atol=1e-4)
        seen += len(found["edge_weight"])
    assert seen == graph.n_edges


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("name", GRAPHS)
def test_two_processes_find_what_one_finds(by_two, name, fit):
    check_same(by_two, 2, name, fit)


def test_all_processes_say_the_same(by_two):
    """Bit by bit: what they decide from the scores has to be the same decision."""
    for name in GRAPHS:
        for fit in FITS:
            first, second = (np.load(by_two / f"{name}, {fit}" / f"{rank}.npz") for rank in range(2))
            for what in ("scores", "out_of_fold", "prior", "threshold"):
                np.testing.assert_array_equal(first[what], second[what])


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 3])
def test_any_number_of_processes(processes, fit_together, tmp_path):
    fitted_by(processes, fit_together, tmp_path, FITS)
    for name in GRAPHS:
        for fit in FITS:
            check_same(tmp_path, processes, name, fit)
