"""Structural features, against networkx and dense linear algebra."""

import time

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from halflabel.convert import structure
from halflabel.convert.structure import clustering, core_numbers, spectral_embedding, structural_features

GRAPHS = {
    "karate": nx.karate_club_graph(),
    "star": nx.star_graph(30),
    "path": nx.path_graph(50),
    "complete": nx.complete_graph(7),
    "random": nx.gnp_random_graph(150, 0.08, seed=1),
    "scale-free": nx.barabasi_albert_graph(300, 4, seed=1),
    "two parts": nx.disjoint_union(nx.cycle_graph(5), nx.empty_graph(3)),
}


def pattern(graph):
    return sparse.csr_array(nx.to_scipy_sparse_array(graph, weight=None, dtype=np.float32))


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("block", [10, structure.BLOCK_COST])
def test_clustering_and_cores_agree_with_networkx(name, block, monkeypatch):
    monkeypatch.setattr(structure, "BLOCK_COST", block)
    graph = GRAPHS[name]
    np.testing.assert_allclose(clustering(pattern(graph)), list(nx.clustering(graph).values()), atol=1e-6)
    assert core_numbers(pattern(graph)).tolist() == list(nx.core_number(graph).values())


@pytest.mark.parametrize("name", ["karate", "complete", "star", "two parts"])
def test_spectral_embedding_finds_the_leading_eigenvalues(name):
    adjacency = pattern(GRAPHS[name])
    degree = adjacency.sum(axis=1)
    root = np.divide(1, np.sqrt(degree), out=np.zeros(len(degree)), where=degree > 0)
    dense = root[:, None] * adjacency.toarray() * root
    vectors = spectral_embedding(adjacency, 5)
    wanted = sorted(np.abs(np.linalg.eigvalsh(dense)))[::-1][:5]
    np.testing.assert_allclose(np.abs(np.diag(vectors.T @ dense @ vectors)), wanted, atol=2e-3)


def test_same_graph_same_bits():
    first, _ = structural_features(pattern(GRAPHS["scale-free"]))
    second, _ = structural_features(pattern(GRAPHS["scale-free"]))
    assert np.array_equal(first, second)
    assert first.dtype == np.float32


def test_degrees_of_directed_graphs_count_both_ways():
    adjacency = sparse.csr_array(np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=np.float32))
    X, names = structural_features(adjacency)
    assert names == ["log out-degree", "log in-degree", "clustering", "core number", "spectral 1"]
    np.testing.assert_allclose(np.expm1(X[:, :2]), [[2, 0], [0, 1], [0, 1]], atol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_and_empty_graphs(n):
    X, names = structural_features(sparse.csr_array((n, n)))
    assert X.shape == (n, len(names))
    assert not X.any()


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["random", "star", "path"])
def test_a_million_edges(shape):
    n, m = 100_000, 1_000_000
    rng = np.random.default_rng(0)
    ends = {
        "random": lambda: (rng.integers(0, n, m), (n * rng.random(m) ** 4).astype(int)),
        "star": lambda: (np.zeros(m, int), np.arange(1, m + 1)),
        "path": lambda: (np.arange(m), np.arange(1, m + 1)),
    }[shape]()
    size = max(n, ends[1].max() + 1)
    adjacency = sparse.csr_array(sparse.coo_array((np.ones(m, dtype=np.float32), ends), shape=(size, size)))
    adjacency.setdiag(0)
    adjacency.eliminate_zeros()
    start = time.perf_counter()
    X, _ = structural_features(sparse.csr_array(adjacency))
    assert np.isfinite(X).all()
    assert time.perf_counter() - start < 60
