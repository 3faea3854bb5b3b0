"""Belief propagation: exact on trees, and the published recursion, written out slowly, everywhere."""

from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.beliefs import propagate_beliefs


def random_tree(n, rng):
    dense = np.zeros((n, n))
    for i in range(1, n):
        j = rng.integers(i)
        dense[i, j] = dense[j, i] = rng.uniform(0.1, 3)  # weights, which must not count
    return dense


def random_graph(n, degree, rng):
    upper = np.triu(rng.random((n, n)) < degree / n, k=1).astype(float)
    return upper + upper.T


def random_potentials(n, rng):
    """Rows (phi of negative, phi of positive); one in four nodes is a known positive."""
    positive = rng.uniform(0.05, 0.95, n)
    positive[rng.random(n) < 0.25] = 1.0
    return np.column_stack([1 - positive, positive])


def pairwise(e):
    return np.array([[e / 2, (1 - e) / 2], [(1 - e) / 2, e / 2]])


def run(dense, potentials, e, **options):
    """One member for every table of potentials."""
    with np.errstate(divide="ignore"):
        log_odds = np.stack([np.log(phi[:, 1]) - np.log(phi[:, 0]) for phi in potentials])
    adjacency = Adjacency.from_scipy(sparse.csr_array(dense))
    return propagate_beliefs(adjacency, torch.as_tensor(log_odds), agreement=e, **options)


def marginals(dense, phi, e):
    """By summing over all labellings."""
    psi, edges, total = pairwise(e), np.argwhere(np.triu(dense)), np.zeros(phi.shape)
    for labels in product((0, 1), repeat=len(phi)):
        weight = np.prod([phi[i, y] for i, y in enumerate(labels)])
        weight *= np.prod([psi[labels[i], labels[j]] for i, j in edges])
        total[np.arange(len(phi)), labels] += weight
    return total[:, 1] / total.sum(axis=1)


def literal(dense, phi, e, tolerance=1e-6, most_sweeps=100):
    """The recursion as published: two-vectors as messages, one edge after another; beliefs and sweeps."""
    sweep = 0
    n, psi = len(phi), pairwise(e)
    neighbours = [np.flatnonzero(row) for row in dense]
    m = {(i, j): np.array([0.5, 0.5]) for i in range(n) for j in neighbours[i]}
    b = phi.copy()
    while sweep < most_sweeps:
        sweep += 1
        m = {(i, j): (b[i] / m[j, i]) @ psi for i, j in m}
        m = {ij: message / message.sum() for ij, message in m.items()}
        before, b = b, np.empty_like(b)
        for i in range(n):
            with np.errstate(divide="ignore"):
                logs = np.log(phi[i]) + sum(np.log(m[j, i]) for j in neighbours[i])
            b[i] = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
        if np.abs(b - before).max() < tolerance:
            break
    return b[:, 1], sweep


@given(n=st.integers(1, 10), e=st.sampled_from([0.1, 0.5, 0.8, 0.9, 0.99]), seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_exact_on_trees(n, e, seed):
    rng = np.random.default_rng(seed)
    dense, phi = random_tree(n, rng), random_potentials(n, rng)
    beliefs = run(dense, [phi], e, tolerance=1e-12)
    assert beliefs.converged.all()
    assert beliefs.sweeps <= n + 1
    np.testing.assert_allclose(beliefs.positive[0], marginals(dense, phi, e), atol=1e-10)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "degree", "e"), [(8, 3, 0.9), (40, 2, 0.9), (40, 5, 0.9), (40, 5, 0.2)])
def test_equals_the_literal_recursion_on_loopy_graphs(n, degree, e, seed):
    rng = np.random.default_rng(seed)
    dense, phi = random_graph(n, degree, rng), random_potentials(n, rng)
    wanted, sweeps = literal(dense, phi, e)
    beliefs = run(dense, [phi], e)
    np.testing.assert_allclose(beliefs.positive[0], wanted, atol=1e-9)
    assert beliefs.sweeps.tolist() == [sweeps]


def test_members_do_not_mix():
    """Bit by bit, although some need more sweeps than others."""
    rng = np.random.default_rng(0)
    dense, potentials = random_graph(60, 4, rng), [random_potentials(60, rng) for _ in range(4)]
    together = run(dense, potentials, 0.9)
    assert len(set(together.sweeps.tolist())) > 1
    for m, phi in enumerate(potentials):
        alone = run(dense, [phi], 0.9)
        assert torch.equal(together.positive[m], alone.positive[0])
        assert together.sweeps[m] == alone.sweeps[0]


def test_isolated_nodes_keep_their_potential():
    dense, phi = np.zeros((5, 5)), random_potentials(5, np.random.default_rng(1))
    dense[0, 1] = dense[1, 0] = 1
    np.testing.assert_allclose(run(dense, [phi], 0.9).positive[0, 2:], phi[2:, 1])
    np.testing.assert_allclose(run(np.zeros((5, 5)), [phi], 0.9).positive[0], phi[:, 1])


def test_known_nodes_stay_known():
    rng = np.random.default_rng(2)
    phi = random_potentials(30, rng)
    known = phi[:, 1] == 1
    positive = run(random_graph(30, 5, rng), [phi], 0.9).positive[0].numpy()
    assert (positive[known] == 1).all()
    assert np.isfinite(positive).all()
    assert (positive[~known] < 1).all()


def test_neighbours_that_say_nothing_change_nothing():
    rng = np.random.default_rng(3)
    phi = random_potentials(20, rng)
    np.testing.assert_allclose(run(random_graph(20, 4, rng), [phi], 0.5).positive[0], phi[:, 1])


def test_what_did_not_converge_says_so():
    """On a path a message needs as many sweeps as there are steps."""
    path = np.diag(np.ones(9), 1) + np.diag(np.ones(9), -1)
    sure = np.tile([0.5, 0.5], (10, 1))
    sure[0] = 0, 1
    at_rest = np.tile([0.5, 0.5], (10, 1))
    cut = run(path, [sure, at_rest], 0.9, most_sweeps=4)
    assert cut.converged.tolist() == [False, True]
    assert cut.sweeps.tolist() == [4, 1]
    assert cut.positive[0, 4] > 0.5
    assert cut.positive[0, 5] == 0.5
    assert run(path, [sure], 0.9).converged.all()


def test_the_potentials_are_left_alone():
    log_odds = torch.tensor([[torch.inf, 0.3, -0.2]])
    before = log_odds.clone()
    path = Adjacency.from_scipy(sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]])))
    propagate_beliefs(path, log_odds, agreement=0.9)
    assert torch.equal(log_odds, before)
