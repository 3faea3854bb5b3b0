"""Sampled non-edges are never edges, are seeded, and are uniform."""

import numpy as np
import torch
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.non_edges import sample_non_edges

SQUARE = Adjacency.from_scipy(sparse.csr_array(
    np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], dtype=float)))


def draw(adjacency, count, seed=0):
    return torch.stack(sample_non_edges(adjacency, count, torch.Generator().manual_seed(seed)))


def test_all_pairs_without_an_edge_are_equally_likely():
    pairs, counts = torch.unique(draw(SQUARE, 16_000), dim=1, return_counts=True)
    assert pairs.T.tolist() == [[0, 2], [1, 3], [2, 0], [3, 1]]  # the two diagonals
    np.testing.assert_allclose(counts / 16_000, 1 / 16, rtol=0.15)


def test_seeded():
    assert torch.equal(draw(SQUARE, 50), draw(SQUARE, 50))
    assert draw(SQUARE, 50, seed=1).shape != draw(SQUARE, 50).shape


def test_a_complete_graph_has_none_and_an_empty_one_has_all():
    complete = Adjacency.from_scipy(sparse.csr_array(np.ones((3, 3)) - np.eye(3)))
    assert draw(complete, 100).shape == (2, 0)
    i, j = draw(Adjacency.from_scipy(sparse.csr_array((3, 3))), 100)
    assert len(i)
    assert (i != j).all()
