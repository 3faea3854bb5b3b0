"""PU-LP, step by step against a literal reference with dense inverses."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import halflabel as hl
from halflabel.edges.harmonic import harmonic
from halflabel.edges.walks import katz, spectral_radius
from halflabel.methods.pulp import BLEND, PULP, _best

GRAPH, Y = hl.synthetic(80, degree=4, random_state=5, prior=0.4)
WEIGHT = np.random.default_rng(0).uniform(0.5, 2, (80, 80))
KNOWN = hl.hide_positives(Y, positive_class=1)


def weighted_graph():
    """Weights without ties, so that the reference needs no rule for them; all nodes within reach."""
    rows = np.r_[np.repeat(np.arange(80), np.diff(GRAPH.indptr)), np.arange(79)]
    columns = np.r_[GRAPH.indices, np.arange(1, 80)]
    return hl.Graph.from_edges(rows, columns, GRAPH.X, weight=WEIGHT[rows, columns])


def literal(graph, known, a, rounds, expansion):
    """Ma and Zhang's steps as published: lists of nodes, a dense W, a dense harmonic solution."""
    A = graph.symmetric().toarray().astype(float) / graph.edge_weight.mean()
    W = np.linalg.inv(np.eye(len(A)) - a * A) - np.eye(len(A))
    P, U, RP = list(np.flatnonzero(known)), list(np.flatnonzero(~known)), []
    for _ in range(rounds):
        similarity = {v: np.mean([W[v, u] for u in P + RP]) for v in U}
        best = sorted(U, key=lambda v: -similarity[v])[: int(expansion / rounds * len(P))]
        RP, U = RP + best, [v for v in U if v not in best]
    similarity = {v: np.mean([W[v, u] for u in P + RP]) for v in U}
    RN = sorted(U, key=lambda v: similarity[v])[: len(P + RP)]
    clamped = P + RP + RN
    free = [v for v in range(len(A)) if v not in clamped]
    f = np.zeros(len(A))
    f[P + RP] = 1.0
    L = np.diag(A.sum(axis=1)) - A
    f[free] = np.linalg.solve(L[np.ix_(free, free)], A[np.ix_(free, clamped)] @ f[clamped])
    return f, RP, RN


@pytest.mark.parametrize(("rounds", "expansion"), [(1, 0.6), (2, 0.6), (2, 0.8), (3, 1.0)])
def test_against_the_literal_reference(rounds, expansion):
    graph = weighted_graph()
    model = PULP(katz=0.1, rounds=rounds, expansion=expansion, folds=0, prior=0.3).fit(graph, KNOWN)
    f, RP, RN = literal(graph, KNOWN, 0.1, rounds, expansion)
    free = np.setdiff1d(np.flatnonzero(~KNOWN), RP + RN)
    assert len(free) > 3
    g = (1 - BLEND) * (2 * f[free] - 1)
    np.testing.assert_allclose(model.scores_[free], np.log((1 + g) / (1 - g)), atol=1e-5)
    np.testing.assert_array_equal(model.scores_[free] > 0, f[free] > 0.5)
    assert (model.scores_[np.r_[np.flatnonzero(KNOWN), RP]] > 4).all()
    assert (model.scores_[RN] < -4).all()
    assert model.history_[-1]["positives"] == KNOWN.sum() + len(RP)
    assert model.history_[-1]["negatives"] == len(RN)
    assert len(model.history_) == rounds + 1


def test_published_settings_are_accepted():
    settings = PULP.paper_settings()
    assert (settings["katz"], settings["rounds"], settings["expansion"]) == (0.01, 2, 0.6)
    assert np.isfinite(PULP(**settings).fit(GRAPH, KNOWN).scores_).all()


def test_a_factor_beyond_the_spectral_radius_is_refused():
    with pytest.raises(hl.DataError, match=r"infinite from 0\.\d+ on, one over the spectral radius"):
        PULP(katz=0.5).fit(GRAPH, KNOWN)


def test_without_expansion_only_the_known_are_positive():
    model = PULP(expansion=0, folds=0, prior=0.3).fit(GRAPH, KNOWN)
    assert {row["positives"] for row in model.history_} == {KNOWN.sum()}


def test_more_positives_than_unlabelled_nodes():
    mostly = np.random.default_rng(0).permutation(80) < 70
    model = PULP(expansion=0.8).fit(GRAPH, mostly)
    assert np.isfinite(model.scores_).all()
    assert model.history_[-1]["negatives"] > 0


def test_a_component_without_labels_says_nothing():
    """Nobody is similar to a positive but its clique; of the two other ones, one gets all the negatives."""
    cliques = [(i + s, j + s) for s in (0, 6, 12) for i in range(6) for j in range(i)]
    graph = hl.Graph.from_edges(*np.array(cliques).T, np.eye(18))
    model = PULP(folds=0, prior=0.2).fit(graph[:12], np.arange(12) < 4)
    assert (model.scores_[4:6] > 0).all()
    assert (model.scores_[6:12] < 0).all()
    np.testing.assert_array_equal(model.scores_[12:], 0)


def test_ties_follow_the_given_order():
    values = np.array([[1.0, 2.0, 2.0, 2.0]])
    order = np.array([3, 0, 2, 1])
    chosen = _best(values, np.ones((1, 4), dtype=bool), np.array([2]), order)
    assert np.flatnonzero(chosen).tolist() == [2, 3]
    assert _best(values, values > 5, np.array([2]), order).sum() == 0


def test_katz_keeps_the_digits_of_the_smallest_similarities():
    """At the end of a path they are 12 orders of magnitude below the largest ones."""
    path = sparse.diags_array([np.ones(12), np.ones(12)], offsets=[-1, 1], format="csr")
    exact = np.linalg.inv(np.eye(13) - 0.1 * path.toarray()) - np.eye(13)
    start = np.eye(13)[:, :1]
    np.testing.assert_allclose(katz(path, start, 0.1), exact[:, :1], rtol=1e-8)


@pytest.mark.parametrize("edges", [[(0, 1)], [(0, 1), (1, 2)], [(0, 1), (2, 3), (3, 4), (4, 2)]])
def test_spectral_radius(edges):
    A = np.zeros((6, 6))
    for i, j in edges:
        A[i, j] = A[j, i] = 1.5
    assert spectral_radius(sparse.csr_array(A)) == pytest.approx(np.linalg.eigvalsh(A).max())


def test_a_harmonic_function_that_did_not_converge_says_so():
    path = sparse.diags_array([np.ones(99), np.ones(99)], offsets=[-1, 1], format="csr")
    clamped = np.zeros((100, 2))
    clamped[[0, 99], 0] = 1, -1
    np.testing.assert_allclose(harmonic(path, clamped)[:, 0], np.linspace(1, -1, 100), atol=1e-6)
    np.testing.assert_array_equal(harmonic(path, clamped)[:, 1], 0)
    with pytest.warns(ConvergenceWarning, match="after 3 steps"):
        harmonic(path, clamped, max_steps=3)
