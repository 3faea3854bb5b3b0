"""Random graphs have the degree, heterophily, prior and signal asked for, and fit in memory."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from halflabel.datasets import edge_heterophily, synthetic
from halflabel.errors import DataError


@pytest.mark.parametrize("heterophily", [0.0, 0.05, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("prior", [0.1, 0.5])
def test_shares_are_as_asked(heterophily, prior):
    graph, y = synthetic(20_000, degree=12, heterophily=heterophily, prior=prior, features=4, signal=1.5)
    assert y.mean() == pytest.approx(prior)
    assert graph.n_edges / graph.n_nodes == pytest.approx(12, rel=0.01)
    assert edge_heterophily(graph, y) == pytest.approx(heterophily, abs=0.005)
    distance = np.linalg.norm(graph.X[y == 1].mean(axis=0) - graph.X[y == 0].mean(axis=0))
    assert distance == pytest.approx(1.5, abs=0.1)


def test_degree_does_not_give_the_class_away():
    graph, y = synthetic(20_000, heterophily=0.2, prior=0.2)
    degree = np.diff(graph.indptr)
    assert degree[y == 1].mean() == pytest.approx(degree[y == 0].mean(), rel=0.02)


def test_dense_small_graphs_keep_their_degree():
    graphs = [synthetic(60, degree=20, prior=0.4, heterophily=0.5, random_state=s)[0] for s in range(30)]
    assert np.mean([graph.n_edges / 60 for graph in graphs]) == pytest.approx(20, rel=0.02)


@pytest.mark.parametrize("block", [200, 1 << 20])
def test_rows_are_sorted_unique_symmetric_without_loops(monkeypatch, block):
    monkeypatch.setattr(sys.modules["halflabel.datasets.synthetic"], "BLOCK_ENTRIES", block)
    graph, y = synthetic(300, degree=9, heterophily=0.3, prior=0.3)
    adjacency = graph.adjacency
    adjacency.check_format(full_check=True)
    assert (adjacency != adjacency.T).nnz == 0
    assert adjacency.diagonal().sum() == 0
    rows = np.repeat(np.arange(300), np.diff(graph.indptr))
    assert np.all(np.diff(rows * 300 + graph.indices) > 0)
    assert graph.indices.dtype == np.int32
    assert graph.indptr.dtype == np.int64
    assert edge_heterophily(graph, y) == pytest.approx(0.3, abs=0.06)


def test_same_seed_same_bits():
    one, two, other = (synthetic(500, random_state=seed)[0] for seed in (3, 3, 4))
    assert np.array_equal(one.indices, two.indices)
    assert np.array_equal(one.X, two.X)
    assert not np.array_equal(one.X, other.X)


def test_no_features_and_no_edges():
    graph, _ = synthetic(50, degree=0, features=0)
    assert graph.shape == (50, 0)
    assert graph.n_edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"n": 1}, "n must be"), ({"n": 10, "degree": 10}, "degree must be"),
     ({"n": 100, "prior": 2}, "shares between"), ({"n": 100, "features": -1}, "features must be"),
     ({"n": 100, "prior": 0.0}, "positive-negative"),
     ({"n": 100, "degree": 50, "prior": 0.1, "heterophily": 0.9}, "pairs of nodes exist")],
)
def test_impossible_wishes_are_data_errors(arguments, message):
    with pytest.raises(DataError, match=message):
        synthetic(**arguments)


def test_memory_stays_near_the_size_of_the_result():
    code = """
import resource
from halflabel.datasets import synthetic
synthetic(1000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
graph, y = synthetic(1_000_000, degree=10, features=16)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(1024 * peak / (graph.indptr.nbytes + graph.indices.nbytes + graph.X.nbytes))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 2.5
