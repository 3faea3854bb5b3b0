"""KM1 and KM2: the quadratic program and the whole estimate agree with a literal reference on cvxopt."""

import numpy as np
import pytest
from cvxopt import matrix, solvers, spmatrix
from hypothesis import given, settings
from hypothesis import strategies as st

from halflabel.errors import DataError
from halflabel.priors import kernel_sample, km
from halflabel.priors.kernel_matrix import DenseKernel, thin_kernel
from halflabel.priors.km import km1, km2, km_both
from halflabel.priors.nearest_mixture import nearest_mixture

TIGHT = {"show_progress": False, "abstol": 1e-13, "reltol": 1e-10, "feastol": 1e-12, "maxiters": 200}


def mixture(seed, n_p, n_u, share, d=1, gap=5.0):
    rng = np.random.default_rng(seed)
    shift = np.r_[gap, np.zeros(d - 1)]
    n_pos = round(share * n_u)
    P = rng.normal(size=(n_p, d)) + shift
    return P, np.r_[rng.normal(size=(n_pos, d)) + shift, rng.normal(size=(n_u - n_pos, d))]


def kernel(X, factor):
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return np.exp(-squared / (2 * factor**2 * np.median(squared)))


def reference_square(K, u):
    n = len(K)
    solved = solvers.qp(matrix(2 * K), matrix(-2 * K @ u), spmatrix(-1.0, range(n), range(n)),
                        matrix(np.zeros(n)), matrix(np.ones((1, n))), matrix(1.0), options=TIGHT)
    return max(solved["primal objective"] + u @ K @ u, 0.0)


def reference_km(P, U):
    """The steps as published, with no sharing and no shortcut."""
    X, N, M = np.r_[U, P], len(U), len(P)

    def mmd(K):
        u = np.r_[np.full(N, 1 / N), np.full(M, -1 / M)]
        return np.sqrt(u @ K @ u)

    K = max((kernel(X, factor) for factor in np.logspace(-1, 1, 5)), key=mmd)

    def d(lam):
        return np.sqrt(reference_square(K, np.r_[np.full(N, lam / N), np.full(M, (1 - lam) / M)]))

    def search(threshold):
        low, high = 1.0, 8.0
        while high - low > 0.04:
            middle = (low + high) / 2
            if (d(middle + 0.02) - d(middle)) / 0.02 > threshold:
                high = middle
            else:
                low = middle
        lam = (low + high) / 2
        return (lam - 1) / lam

    second = search(0.8 * (d(1.05) - d(1.0)) / 0.05 + 0.2 * mmd(K))
    first = 1 / np.sqrt(min(M, N))
    return second if first / mmd(K) > 0.9 else search(first), second


@pytest.mark.parametrize("d", [1, 5, 20])
@pytest.mark.parametrize("factor", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("lam", [1.05, 1.4, 4.5])
def test_nearest_mixture_agrees_with_cvxopt(d, factor, lam):
    P, U = mixture(0, 40, 80, 0.3, d)
    K = kernel(np.r_[U, P], factor)
    u = np.r_[np.full(80, lam / 80), np.full(40, (1 - lam) / 40)]
    v, got = nearest_mixture(DenseKernel(K), u)
    assert v.min() >= 0
    assert v.sum() == pytest.approx(1, abs=1e-12)
    assert got == pytest.approx((u - v) @ K @ (u - v), abs=1e-12)
    # The absolute term is the solver's, not ours: where they differ ours is the lower.
    assert got == pytest.approx(reference_square(K, u), rel=1e-6, abs=1e-10)
    gradient = 2 * K @ (v - u)
    assert gradient @ v - gradient.min() <= 1.1e-8 * got + 2e-13


@pytest.mark.parametrize("factor", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("lam", [1.05, 1.4, 2.0, 4.5])
def test_a_thin_factor_gives_the_same_mixture_as_the_whole_matrix(factor, lam):
    P, U = mixture(0, 120, 200, 0.3)
    K = kernel(np.r_[U, P], factor)
    thin = thin_kernel(K.__getitem__, 320, 80)
    assert thin is not None
    np.testing.assert_allclose(thin.G @ thin.G.T, K, rtol=0, atol=1e-13)
    u = np.r_[np.full(200, lam / 200), np.full(120, (1 - lam) / 120)]
    v, got = nearest_mixture(thin, u)
    assert v.min() >= 0
    assert got == pytest.approx((u - v) @ K @ (u - v), rel=1e-8, abs=1e-12)
    assert got == pytest.approx(nearest_mixture(DenseKernel(K), u)[1], rel=1e-7, abs=2e-13)
    assert got == pytest.approx(reference_square(K, u), rel=1e-6, abs=1e-10)


@pytest.mark.parametrize("solve_with", [DenseKernel, lambda K: thin_kernel(K.__getitem__, len(K), 40)])
@pytest.mark.parametrize("diagonal", [1e-8, 1.0, 1e8])
def test_both_kernels_solve_with_a_diagonal_added(solve_with, diagonal):
    P, U = mixture(1, 60, 100, 0.5)
    K, b = kernel(np.r_[U, P], 1.0), np.random.default_rng(0).normal(size=160)
    D = diagonal * np.random.default_rng(1).uniform(0.1, 1, 160)
    matrix_kernel = solve_with(K)
    np.testing.assert_allclose(matrix_kernel.times(b), K @ b, atol=1e-11)
    x = matrix_kernel.solver(D)(b)
    assert np.abs(K @ x + D * x - b).max() < 1e-6 * max(np.abs(b).max(), 1e-8 * np.abs(x).max())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_nearest_mixture_is_certified_on_any_kernel(seed, n):
    rng = np.random.default_rng(seed)
    G = rng.normal(size=(n, rng.integers(1, n + 1)))  # mostly singular, ties included
    G[rng.integers(n)] = G[0]
    K, u = G @ G.T, rng.normal(size=n)
    v, got = nearest_mixture(DenseKernel(K), u)
    gradient = 2 * K @ (v - u)
    assert v.min() >= 0
    assert gradient @ v - gradient.min() <= 1e-7 * got + 1e-9


@pytest.mark.parametrize(("share", "d", "gap"), [(0.1, 1, 5), (0.6, 1, 4), (0.4, 5, 4), (0.3, 2, 0.2)])
def test_agrees_with_the_literal_procedure(share, d, gap):
    P, U = mixture(1, 40, 60, share, d, gap)
    np.testing.assert_allclose(km_both(P, U), reference_km(P, U), atol=0.02)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_thin_factor_and_the_whole_matrix_estimate_alike(monkeypatch, share):
    P, U = mixture(8, 150, 250, share, gap=4)
    thin = km_both(P, U)
    monkeypatch.setattr(kernel_sample, "MAX_RANK", 1)
    np.testing.assert_allclose(thin, km_both(P, U), atol=1e-12)


@pytest.mark.parametrize(("d", "points"), [(1, (2000, 4000)), (2, (2000, 2000)), (16, (400, 400))])
def test_more_scores_are_drawn_than_published_and_fewer_embeddings(d, points):
    curve = km._DistanceCurve(*mixture(9, 2100, 4500, 0.3, d=d), random_state=0)
    assert (np.count_nonzero(curve.in_p), np.count_nonzero(curve.in_u)) == curve.most == points
    assert curve.smaller == points[0]


def test_each_alone_equals_both():
    P, U = mixture(2, 60, 80, 0.4, 2)
    assert km_both(P, U) == (km1(P, U), km2(P, U))


def test_sharing_costs_less_than_twice(monkeypatch):
    solved = []
    monkeypatch.setattr(km, "nearest_mixture", lambda K, u: solved.append(1) or nearest_mixture(K, u))
    P, U = mixture(3, 50, 50, 0.3)
    km1(P, U), km2(P, U)
    alone = len(solved)
    km_both(P, U)
    assert len(solved) - alone < 0.9 * alone


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7])
@pytest.mark.parametrize("d", [1, 5])
def test_recovers_separated_classes(share, d):
    P, U = mixture(4, 250, 250, share, d, gap=6)
    first, second = km_both(P, U)
    assert abs(first - share) < 0.08
    assert abs(second - share) < 0.08


def test_never_exceeds_the_cap_and_reaches_it_when_u_is_all_positive():
    P, U = mixture(5, 80, 80, 1.0)
    assert 0.8 < km2(P, P) <= 0.875
    assert km1(P, U) <= 0.875


def test_order_of_rows_and_unit_do_not_matter():
    P, U = mixture(6, 60, 70, 0.4, 3)
    shuffled = np.random.default_rng(0).permutation(70)
    np.testing.assert_allclose(km_both(P, U), km_both(P, U[shuffled]), atol=1e-12)
    np.testing.assert_allclose(km_both(P, U), km_both(1e150 * P, 1e150 * U), atol=1e-12)


def test_subsample_is_bounded_and_seeded(monkeypatch):
    monkeypatch.setattr(km, "MAX_POINTS", (60, 60))
    P, U = mixture(7, 500, 900, 0.3)
    assert km2(P, U, random_state=1) == km2(P, U, random_state=1)
    assert len({km2(P, U, random_state=seed) for seed in range(5)}) > 1


@pytest.mark.parametrize("estimator", [km1, km2])
@pytest.mark.parametrize(("P", "U"), [
    ([1.0], [0.0]),
    ([1.0], [0.0, 1.0]),
    ([1.0] * 50, [0.0] * 40 + [1.0] * 10),
    ([0.0] * 99, [0.0] * 99 + [1.0]),
])
def test_ties_and_single_points_have_an_answer(estimator, P, U):
    assert 0 <= estimator(np.array(P), np.array(U)) <= 0.875


@pytest.mark.parametrize(("P", "U", "message"), [
    (np.ones(5), np.ones(9), "are the same"),
    (np.ones((5, 2)), np.ones((9, 3)), "P has 2 features and U 3"),
    (np.ones(0), np.ones(9), r"P has shape \(0,\)"),
    (np.array([1.0, np.nan]), np.ones(9), "1 values that are not finite"),
])
def test_unusable_input_is_refused(P, U, message):
    with pytest.raises(DataError, match=message):
        km2(P, U)


def test_scores_almost_equal_but_for_one_far_away_do_not_overflow():
    assert 0 <= km1(np.array([201.0]), np.array([0.0, 1.0574836e-151])) <= 1


@pytest.mark.parametrize("value", [0.0, 0.3, 0.6, 1.0])
def test_an_interval_admits_what_the_search_does_not_resolve(value):
    """Lambda is known to within .02, and may be .02 too small; the share is 1 - 1/lambda."""
    P, U = mixture(0, 20, 30, 0.3)
    low, high = km._interval(lambda P, U: value, value, 2000, P, U, 3, 0)
    unresolved = 0.02 * (1 - value) ** 2
    assert (low, high) == pytest.approx((max(value - unresolved, 0), min(value + 2 * unresolved, 1)))
    assert km._interval(lambda P, U: 1 - value, 0.5, 2000, P, U, 3, 0)[1] <= 1
    assert km._interval(lambda P, U: 5.0, 0.5, 2000, P, U, 3, 0) == (0, 1)


@pytest.mark.parametrize("lam", [1.3, 2.0, 5.0])
def test_the_derivative_of_the_distance_is_that_of_differences(lam):
    curve = km._DistanceCurve(*mixture(1, 60, 80, 0.3), random_state=0)
    assert curve.at(1.0) == (0, 0)
    difference = (curve.at(lam + 1e-3)[0] - curve.at(lam - 1e-3)[0]) / 2e-3
    assert curve.at(lam)[1] == pytest.approx(difference, rel=0.05)


def test_where_points_say_little_the_threshold_of_km1_is_that_of_km2():
    alike = np.linspace(0, 1, 50), np.linspace(0, 1, 90)
    apart = mixture(2, 50, 90, 0.4)
    clear, vague = (km._DistanceCurve(*samples, random_state=0) for samples in (apart, alike))
    assert clear.threshold1 == 1 / np.sqrt(50)
    assert vague.threshold1 == vague.threshold2 < 1 / np.sqrt(50)
