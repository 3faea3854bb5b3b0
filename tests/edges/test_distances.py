"""Distances to the nearest source equal networkx's, for every row of sources."""

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.distances import entries_of, hops_to_nearest


def adjacency_of(graph):
    return Adjacency.from_scipy(nx.to_scipy_sparse_array(graph, format="csr", dtype=float))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("density", [0.02, 0.05, 0.2])
def test_equal_to_networkx(seed, density):
    graph = nx.gnp_random_graph(80, density, seed=seed)
    sources = np.random.default_rng(seed).random((3, 80)) < 0.05
    sources[:, 0] = True
    found = hops_to_nearest(adjacency_of(graph), sources)
    for row, distance in zip(sources, found, strict=True):
        wanted = np.full(80, np.inf)
        lengths = nx.multi_source_dijkstra_path_length(graph, set(np.flatnonzero(row).tolist()))
        wanted[list(lengths)] = list(lengths.values())
        np.testing.assert_array_equal(distance, wanted)


def test_one_row_gives_one_row_and_nobody_is_near_no_source():
    path = adjacency_of(nx.path_graph(5))
    assert hops_to_nearest(path, np.arange(5) == 2).tolist() == [2, 1, 0, 1, 2]
    assert np.isinf(hops_to_nearest(path, np.zeros(5, dtype=bool))).all()


def test_without_edges_only_sources_are_reached():
    alone = Adjacency.from_scipy(sparse.csr_array((3, 3)))
    assert hops_to_nearest(alone, np.array([True, False, False])).tolist() == [0, np.inf, np.inf]


def test_entries_of_rows_in_any_order_and_empty_rows():
    crow = np.array([0, 2, 2, 5])
    assert entries_of(crow, np.array([2, 1, 0, 2])).tolist() == [2, 3, 4, 0, 1, 2, 3, 4]
    assert entries_of(crow, np.array([], dtype=int)).tolist() == []
