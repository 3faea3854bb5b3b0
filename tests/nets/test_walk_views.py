"""Views are powers of the adjacency; caps bound them; weights are those of the best walk."""

import gc
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pytest
import torch
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.csr import csr_tensor
from halflabel.nets import walk_views as module
from halflabel.nets.walk_views import view_weights, walk_views

RING = nx.Graph([*pairwise(range(10)), (9, 0), (2, 6), (3, 7)])


def adjacency_of(graph):
    return Adjacency.from_scipy(nx.to_scipy_sparse_array(graph, format="csr", dtype=float))


def pairs(view):
    return list(zip(view.rows.tolist(), view.col.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("block", [1, 50, 10**6])
def test_without_a_cap_they_are_the_powers_of_the_adjacency(seed, block, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    graph = nx.gnp_random_graph(40, 0.06, seed=seed)
    dense = nx.to_numpy_array(graph)
    for k, view in enumerate(walk_views(adjacency_of(graph), reach=4, cap=40), start=1):
        wanted = np.argwhere(np.linalg.matrix_power(dense, k) > 0)
        assert pairs(view) == [tuple(pair) for pair in wanted.tolist()]


def test_a_cap_bounds_every_row_and_keeps_real_pairs_only():
    graph = nx.gnp_random_graph(60, 0.3, seed=0)
    powers = [np.linalg.matrix_power(nx.to_numpy_array(graph), k) > 0 for k in (1, 2, 3)]
    first, *longer = walk_views(adjacency_of(graph), reach=3, cap=5)
    assert pairs(first) == [tuple(pair) for pair in np.argwhere(powers[0]).tolist()]  # edges stay
    for view, power in zip(longer, powers[1:], strict=True):
        assert torch.bincount(view.rows, minlength=60).tolist() == [5] * 60
        assert power[view.rows, view.col].all()
        assert view.crow.diff().tolist() == [5] * 60


def test_the_draw_is_uniform_over_the_ends_of_a_star():
    """Two steps in a star lead from each leaf to each leaf: all are as likely to be kept."""
    longer = walk_views(adjacency_of(nx.star_graph(400)), reach=2, cap=20)[1]
    assert (torch.bincount(longer.rows)[1:] == 20).all()
    kept = torch.bincount(longer.col, minlength=401)[1:]
    assert (kept > 0).sum() == 20  # the hub leads on to these only


def test_the_same_graph_gets_the_same_views_and_one_graph_gets_them_once():
    graph = nx.gnp_random_graph(60, 0.3, seed=0)
    one, other = adjacency_of(graph), adjacency_of(graph)
    assert walk_views(one, 3, 5) is walk_views(one, 3, 5)
    for a, b in zip(walk_views(one, 3, 5), walk_views(other, 3, 5), strict=True):
        assert pairs(a) == pairs(b)
    before = len(module._KNOWN)
    del one
    gc.collect()
    assert len(module._KNOWN) == before - 1


def test_without_edges_there_is_nowhere_to_go():
    for view in walk_views(Adjacency.from_scipy(sparse.csr_array((3, 3))), 3, 5):
        assert view.crow.tolist() == [0, 0, 0, 0]
        assert view.by_columns[0].tolist() == [0, 0, 0, 0]


def test_transposed():
    view = walk_views(adjacency_of(nx.gnp_random_graph(30, 0.2, seed=1)), 2, 3)[1]
    crow, col, order = view.by_columns
    dense = torch.zeros(30, 30)
    dense[view.rows, view.col] = torch.arange(1.0, len(view.col) + 1)
    values = torch.arange(1.0, len(view.col) + 1)[order]
    assert torch.equal(csr_tensor(crow, col, values, (30, 30)).to_dense(), dense.T)


def test_a_pair_weighs_as_much_as_the_best_walk_to_it():
    adjacency = adjacency_of(RING)
    views = walk_views(adjacency, reach=3, cap=10)
    mask = torch.rand(2, adjacency.n_edges, generator=torch.Generator().manual_seed(0)) + 0.1
    stored = mask[:, adjacency.edge.long()]
    found = view_weights(views, stored)
    for m in range(2):
        weight = dict(zip(pairs(views[0]), stored[m].tolist(), strict=True))
        for k, (view, weights) in enumerate(zip(views, found, strict=True)):
            for (i, j), got in zip(pairs(view), weights[m].tolist(), strict=True):
                walks = ((i, *middle, j) for middle in product(range(10), repeat=k))
                best = max(np.prod([weight.get(step, 0.0) for step in pairwise(walk)]) for walk in walks)
                assert got == pytest.approx(best, rel=1e-5)
