"""Learned weights are found again by the ids of an edge's ends."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.memory import EdgeMemory, edge_keys
from halflabel.ids import NodeIds


def graph(edges, names):
    """Adjacency and ids of a graph given by the names of its edges' ends."""
    dense = np.zeros((len(names), len(names)))
    for a, b in edges:
        dense[names.index(a), names.index(b)] = dense[names.index(b), names.index(a)] = 1
    return Adjacency.from_scipy(sparse.csr_array(dense)), NodeIds(names)


def weight_by_name(adjacency, ids, weights):
    ends = zip(*(e.tolist() for e in adjacency.ends), strict=True)
    return {frozenset((ids[i], ids[j])): w for (i, j), w in zip(ends, weights.tolist(), strict=True)}


def test_weights_follow_their_edges_through_any_order_of_the_nodes():
    here = graph([("a", "b"), ("b", "c"), ("c", "d")], list("abcd"))
    masks = np.array([[0.1, 0.2, 0.3], [0.7, 0.8, 0.9]])
    memory = EdgeMemory.store(*here, masks)
    there = graph([("d", "c"), ("b", "a"), ("c", "b"), ("a", "z")], list("zdcba"))
    recalled = memory.recall(edge_keys(*there))
    for member in range(2):
        wanted = weight_by_name(*here, masks[member]) | {frozenset("az"): masks[member].mean()}
        assert weight_by_name(*there, recalled[member]) == pytest.approx(wanted)


def test_an_edge_between_the_same_two_nodes_only():
    (adjacency, ids) = graph([("a", "b")], ["a", "b", "c"])
    memory = EdgeMemory.store(adjacency, ids, np.array([[0.25]]))
    keys = [edge_keys(*graph([pair], ["a", "b", "c"])) for pair in [("a", "b"), ("a", "c"), ("b", "c")]]
    assert len(np.unique(np.concatenate(keys))) == 3
    assert memory.recall(keys[0]).tolist() == [[0.25]]


def test_an_id_and_its_text_are_the_same():
    adjacency, _ = graph([("a", "b")], ["a", "b"])
    keys = [edge_keys(adjacency, NodeIds(values)) for values in ([7, 8], ["7", "8"], pa.array(["7", "8"]))]
    assert keys[0] == keys[1] == keys[2]


def test_keys_do_not_collide_among_many_edges():
    n = 700
    complete = Adjacency.from_scipy(sparse.csr_array(np.ones((n, n)) - np.eye(n)))
    assert len(np.unique(edge_keys(complete, NodeIds.range(n)))) == n * (n - 1) // 2


def test_nothing_learned_means_every_edge_is_trusted():
    memory = EdgeMemory(np.array([], dtype=np.uint64), np.ones((2, 0)))
    assert memory.recall(np.array([5], dtype=np.uint64)).tolist() == [[1.0], [1.0]]
    assert EdgeMemory(np.array([5], dtype=np.uint64), np.ones((2, 1))).recall(memory.keys).shape == (2, 0)
