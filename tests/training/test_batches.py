"""Batches: every node in a pass, known positives in every batch, both kinds right on average."""

import numpy as np
import pytest

from halflabel.training.batches import MIN_POSITIVES, batches


def a_pass(n, known, size, seed=0):
    positive = np.arange(n) < known
    return positive, list(batches(positive, ~positive, size, np.random.default_rng(seed)))


@pytest.mark.parametrize(
    ("n", "known", "size"), [(1000, 400, 100), (1000, 40, 100), (1000, 4, 30), (50, 20, 500)])
def test_a_pass_visits_every_node_and_every_batch_knows_positives(n, known, size):
    positive, found = a_pass(n, known, size)
    assert len(found) == -(-n // size)
    nodes = np.concatenate([batch.nodes for batch in found])
    counts = np.bincount(nodes, minlength=n)
    assert (counts[~positive] == 1).all()
    assert (counts[positive] >= 1).all()
    for batch in found:
        assert positive[batch.nodes].sum() >= min(MIN_POSITIVES, known)
        assert len(batch.nodes) <= size + MIN_POSITIVES + 1
        # However few of them are here, they stand for all of their kind.
        for kind in (positive, ~positive):
            assert batch.stands_for[kind[batch.nodes]].sum() == pytest.approx(kind.sum())


def test_in_proportion_where_positives_abound():
    positive, found = a_pass(1000, 400, 100)
    assert {int(positive[batch.nodes].sum()) for batch in found} == {40}
    assert len(np.unique(np.concatenate([batch.nodes for batch in found]))) == 1000


def test_the_seed_decides_and_passes_differ():
    first, again, other = (a_pass(300, 50, 64, seed)[1] for seed in (0, 0, 1))
    assert all(np.array_equal(a.nodes, b.nodes) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].nodes, other[0].nodes)


def test_nodes_out_of_focus_are_in_no_batch():
    positive, unlabelled = np.arange(100) < 10, np.arange(100) >= 60
    nodes = np.concatenate([b.nodes for b in batches(positive, unlabelled, 16, np.random.default_rng(0))])
    assert (positive | unlabelled)[nodes].all()
