"""AlphaMax: the inner maximum is exact, and the knee is where the curve bends."""

import numpy as np
import pytest
from scipy.optimize import minimize

from halflabel.priors.alphamax import (
    ALPHAS,
    _estimates,
    _histograms,
    _log_likelihoods,
    _merged,
    alphamax,
    alphamax_interval,
)
from halflabel.priors.knee import _slope_below, find_knee


@pytest.mark.parametrize("at", [10, 60, 120, 190])
def test_the_likelihood_is_the_constrained_maximum(at):
    rng = np.random.default_rng(0)
    p, w = rng.dirichlet(np.ones(8)), rng.dirichlet(np.ones(8))
    p[2] = 0  # a bin without positives
    p /= p.sum()
    alpha = ALPHAS[at]

    def loss(t):
        return -np.sum(w * np.log(alpha * p + w - t)) - np.sum(p * np.log(np.where(p > 0, t / alpha, 1)))

    bounds = [(1e-12, mass) for mass in w]
    budget = {"type": "eq", "fun": lambda t: t.sum() - alpha}
    options = {"ftol": 1e-12, "maxiter": 500}
    best = minimize(loss, alpha * w, bounds=bounds, constraints=budget, options=options)
    assert _log_likelihoods(p, w)[at] == pytest.approx(-best.fun, abs=1e-4)


def test_the_likelihood_is_flat_while_positives_fit_under_the_mixture():
    p, negative = np.array([0.0, 0.1, 0.9]), np.array([0.7, 0.3, 0.0])
    curve = _log_likelihoods(p, 0.4 * p + 0.6 * negative)
    assert np.ptp(curve[ALPHAS <= 0.4]) < 1e-4
    assert curve[ALPHAS > 0.45].max() < curve[0] - 1e-3


@pytest.mark.parametrize("bend", [0, 5, 50, 150])
def test_the_knee_of_two_straight_lines(bend):
    assert abs(find_knee(np.maximum(0.0, np.arange(198) - bend)) - bend) <= 3


@pytest.mark.parametrize(("unit", "offset"), [(1e-3, 0.0), (1e6, -5.0), (2.0, 1e4)])
def test_unit_and_origin_of_a_curve_do_not_matter(unit, offset):
    curve = np.maximum(0.0, np.arange(198) - 70) ** 1.2 + np.random.default_rng(0).random(198).cumsum() / 50
    assert find_knee(unit * curve + offset) == find_knee(curve)
    assert find_knee(np.full(198, offset)) == 0


def test_lines_below_the_points_touch_them_and_do_not_fall():
    rng = np.random.default_rng(0)
    windows = np.cumsum(rng.random((20, 10)), axis=1)
    for window, slope in zip(windows, _slope_below(windows, 0.0), strict=True):
        x = np.arange(10)

        def error(b, x=x, window=window):
            rest = window - b * x
            return np.sum((rest - rest.min()) ** 2)

        grid = np.linspace(0, 2, 4001)
        assert error(slope) <= min(map(error, grid)) + 1e-9
    assert _slope_below(np.array([[3.0, 2.0, 1.0]]), 0.5)[0] == 0.5


def test_bins_are_joined_until_each_has_enough():
    counts = np.array([0, 4, 7, 12, 0, 0, 30, 3, 0])
    joined = np.add.reduceat(counts, _merged(counts))
    assert joined.tolist() == [11, 12, 33]
    assert _merged(np.array([1, 2])).tolist() == [0]
    assert _merged(np.array([10, 10, 10])).tolist() == [0, 1, 2]
    assert _merged(np.array([9, 11, 10])).tolist() == [0, 2]
    assert _merged(np.array([10, 9, 10])).tolist() == [0, 1]


def test_bins_follow_the_rule_for_p_and_cover_all_scores():
    rng = np.random.default_rng(0)
    U = np.r_[0.0, 1.0, rng.random(50_000)]
    # 3.49 sigma n^(-1/3) = .1007, of which nine fit into the range of both.
    counts_p, counts_u = _histograms(np.linspace(0, 1, 1000), U)
    assert len(counts_p) == len(counts_u) == 9
    assert (counts_p.sum(), counts_u.sum()) == (1000, 50_002)
    assert np.ptp(counts_u) < 0.1 * counts_u.mean()
    assert len(_histograms(np.array([0.0, 1.0]), U)[0]) == 2  # never fewer
    assert len(_histograms(np.full(9, 0.5), U)[0]) == 200  # nor more
    beyond_p = _histograms(np.linspace(0.4, 0.6, 1000), U)
    assert (beyond_p[0].sum(), beyond_p[1].sum()) == (1000, 50_002)


def test_bins_of_positives_only_have_an_answer():
    assert 0 < _estimates(np.array([[5, 5]]), np.array([[0, 20]]))[0] < 1


@pytest.mark.parametrize("prior", [0.0, 0.4, 1.0])
def test_the_interval_admits_what_the_knee_cannot_resolve(prior):
    rng = np.random.default_rng(0)
    k = round(2000 * prior)
    P, U = rng.normal(6, 1, 1000), np.r_[rng.normal(6, 1, k), rng.normal(0, 1, 2000 - k)]
    (low, high), value = alphamax_interval(P, U, replicates=5), alphamax(P, U)
    assert 0 <= low <= max(value - 0.015, 0)
    assert min(value + 0.015, 1) <= high <= 1
    assert alphamax_interval(P, U, replicates=5, random_state=0) == (low, high)


@pytest.mark.parametrize("prior", [0.1, 0.4, 0.7])
def test_separated_mixtures(prior):
    rng = np.random.default_rng(0)
    k = round(4000 * prior)
    U = np.r_[rng.normal(4, 1, k), rng.normal(0, 1, 4000 - k)]
    assert alphamax(rng.normal(4, 1, 1000), U) == pytest.approx(prior, abs=0.03)
