"""What the paper's theorems say, in the form in which it is true, and where the printed form is not."""

from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.propagation import propagate

# --- Theorem heter_pro_LPA: heterophily influence ------

# A positive (0) beside a negative (1), a cycle 0-1-2-3, a chord, and a tail to node 4.
EDGES = {(0, 1): 1.0, (1, 2): 0.5, (2, 3): 2.0, (0, 3): 1.0, (0, 2): 0.3, (3, 4): 1.5}
START = torch.tensor([0.0, 1.0, 0.3, 0.6, 0.9], dtype=torch.float64)  # P(y = -1) before propagation


def cycle_with_tail(self_loop):
    A = np.zeros((5, 5))
    for (i, j), weight in EDGES.items():
        A[i, j] = A[j, i] = weight
    with_loops = A + self_loop * np.eye(5)
    W = with_loops / with_loops.sum(1)[:, None]
    return Adjacency.from_scipy(sparse.csr_array(A), dtype=torch.float64), W


def propagate_start(adjacency, start, **how):
    return propagate(adjacency, torch.ones_like(adjacency.base), start, **how)


def influence(adjacency, **how):
    """HI(a, b; k) for all pairs: dP_a^(k)(-1) / dP_b^(0)(-1), by autograd."""
    return torch.autograd.functional.jacobian(lambda start: propagate_start(adjacency, start, **how), START)


def walk_sum(W, a, b, length, allowed=None):
    """Sum over the walks from a to b of the product of normalised weights, walk by walk (Lemma 2)."""
    inner = range(len(W)) if allowed is None else allowed
    walks = ((a, *between, b) for between in product(inner, repeat=length - 1))
    return sum(np.prod([W[i, j] for i, j in pairwise(walk)]) for walk in walks)


@pytest.mark.parametrize("self_loop", [0.0, 1.0])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_total_heterophily_influence_is_the_propagated_negative_probability(k, self_loop):
    """P_a^(k)(-1) - (own start) = sum_{b != a} HI(a, b; k) P_b^(0)(-1), exactly.

    The theorem prints the sum without the factors P_b^(0), and "proportional to" for the result. The sum
    over *negative* b, as its proof has it, needs P_b^(0)(-1) in {0, 1}; for probabilities the influences are
    weighted by them. The change equals P_a^(k) itself if P_a^(0)(-1) = 0: true for a known positive, whose
    start GPL sets to certainty, and for nobody else. Propagating P(-1) or P(+1) is the same thing, rows being
    stochastic.
    """
    adjacency, _ = cycle_with_tail(self_loop)
    how = {"steps": k, "retain": 0.4, "self_loop": self_loop}
    end, HI = propagate_start(adjacency, START, **how), influence(adjacency, **how)
    torch.testing.assert_close(1 - propagate_start(adjacency, 1 - START, **how), end)
    torch.testing.assert_close(end - HI.diag() * START, (HI - HI.diag().diag()) @ START)
    known = 0
    assert START[known] == 0
    others = torch.arange(5) != known
    torch.testing.assert_close(HI[known, others] @ START[others], end[known] - START[known])


def test_the_sum_of_influences_without_their_starts_says_nothing_about_labels():
    """Read literally, over all other nodes and unweighted, the total is 1 - HI(a, a), whatever the labels."""
    adjacency, _ = cycle_with_tail(1.0)
    HI = influence(adjacency, steps=3, retain=0.4)
    torch.testing.assert_close((HI - HI.diag().diag()).sum(dim=1), 1 - HI.diag())


@pytest.mark.parametrize("self_loop", [0.0, 1.0])
@pytest.mark.parametrize("k", [1, 2, 4])
def test_influence_is_a_binomial_sum_over_walks(k, self_loop):
    """Lemma 2 for the recursion of the paper: a step is taken with weight 1 - alpha, else the value stays.

    HI(a, b; k) = sum_j C(k, j) alpha^(k-j) (1-alpha)^j (walks of length j). Without retention only the walks
    of length exactly k are left; the lemma's plain sum over j = 1..k belongs to another recursion, below.
    """
    adjacency, W = cycle_with_tail(self_loop)
    for retain in (0.4, 0.0):
        HI = influence(adjacency, steps=k, retain=retain, self_loop=self_loop)
        for a, b in product(range(5), repeat=2):
            lengths = [float(a == b), *(walk_sum(W, a, b, j) for j in range(1, k + 1))]
            wanted = sum(
                comb(k, j) * retain ** (k - j) * (1 - retain) ** j * walks for j, walks in enumerate(lengths))
            assert HI[a, b].item() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_lemma_2_as_printed_holds_if_labelled_nodes_are_reset_after_every_step(k):
    """sum_{j=1}^k over paths whose nodes but the last are unlabelled.

    That is the recursion without retention, where unlabelled nodes start at zero and labelled ones are put
    back to their label after every step (the LPA of Wang & Leskovec, whose proof the paper follows).
    """
    adjacency, W = cycle_with_tail(0.0)
    labelled, unlabelled = torch.tensor([1, 4]), [0, 2, 3]

    def reset_propagation(labels):
        reset = torch.zeros(5, dtype=torch.float64).index_put((labelled,), labels)
        value = reset
        for _ in range(k):
            value = propagate_start(adjacency, value, steps=1, retain=0.0, self_loop=0.0)
            value = torch.where(torch.isin(torch.arange(5), labelled), reset, value)
        return value

    HI = torch.autograd.functional.jacobian(reset_propagation, torch.ones(2, dtype=torch.float64))
    for a, (column, b) in product(unlabelled, enumerate(labelled.tolist())):
        wanted = sum(walk_sum(W, a, b, j, allowed=unlabelled) for j in range(1, k + 1))
        assert HI[a, column].item() == pytest.approx(wanted, abs=1e-12)


# --- Theorem decrease: aggregation draws P and N together ------


def distance(weights, n_p, x):
    """D_PN(x) = 1/2 sum_{i in P, j in N} w_ij |x_i - x_j|^2 with P the first n_p nodes."""
    gaps = ((x[:n_p, None] - x[None, n_p:]) ** 2).sum(-1)
    return 0.5 * (weights[:n_p, n_p:] * gaps).sum()


def between(block):
    """Adjacency whose only edges join P (rows of the block) and N (columns)."""
    p, n = block.shape
    return np.block([[np.zeros((p, p)), block], [block.T, np.zeros((n, n))]])


def aggregate(A, x):
    return A / A.sum(1)[:, None] @ x


@given(st.integers(1, 6), st.lists(st.floats(0.01, 1), min_size=1, max_size=4), st.integers(0, 10**6))
@settings(deadline=None)
def test_aggregation_never_increases_the_distance_on_regular_graphs(size, shares, seed):
    """The theorem under what its proof uses: only P-N edges, and equal degrees at both ends of every edge.

    Lemma 3 (h = x - gradient) takes A~_ij = A_ij/d_i for the derivative with respect to x_j as well, which is
    A_ij/d_j; Lemma 4 calls I + D^-1 A positive semidefinite, which for a matrix that is not symmetric its
    eigenvalues do not show. Equal degrees make A~ symmetric and both steps right: D(h) = x'A~(I - A~)A~x / 2.
    """
    rng = np.random.default_rng(seed)
    # A mixture of permutations: every node has the same degree, sum(shares).
    block = sum(share * np.eye(size)[rng.permutation(size)] for share in shares)
    A, x = between(block), rng.normal(size=(2 * size, 2))
    before, after = (distance(A / A.sum(1)[:, None], size, z) for z in (x, aggregate(A, x)))
    assert after <= before + 1e-12


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6))
@settings(deadline=None)
def test_with_unnormalised_weights_it_holds_on_every_graph_of_p_n_edges(n_p, n_n, seed):
    """Irregular graphs need D_PN with the weights A_ij: then D(h) = y'S(I - S)Sy / 2 with
    S = D^-1/2 A D^-1/2 and y = D^1/2 x, and S has eigenvalues in [-1, 1]."""
    rng = np.random.default_rng(seed)
    block = rng.exponential(size=(n_p, n_n)) * (rng.random((n_p, n_n)) < 0.6)
    block[np.arange(n_p), rng.integers(n_n, size=n_p)] += 0.1  # nobody is isolated
    block[rng.integers(n_p, size=n_n), np.arange(n_n)] += 0.1
    A, x = between(block), rng.normal(size=(n_p + n_n, 2))
    assert distance(A, n_p, aggregate(A, x)) <= distance(A, n_p, x) + 1e-12


def test_counterexample_unequal_degrees():
    """The theorem as printed fails on the path N1-P0-N0-P1: degrees 1, 2, 2, 1 and weights A_ij/d_i."""
    A = between(np.array([[1.0, 1.0], [1.0, 0.0]]))  # rows P0, P1; columns N0, N1
    x = np.array([-1.0, 0.0, 1.0, 0.0])[:, None]
    weights = A / A.sum(1)[:, None]
    assert distance(weights, 2, aggregate(A, x)) > distance(weights, 2, x)


def test_counterexample_edges_within_a_class():
    """A P and an N that agree are torn apart as soon as the P has a P neighbour that differs."""
    A = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0.0]])  # P0-P1, P0-N
    x = np.array([0.0, 1.0, 0.0])[:, None]
    assert distance(A, 2, x) == 0
    assert distance(A, 2, aggregate(A, x)) > 0
