"""AlphaMax: the inner maximum is exact, and the knee is where the curve bends."""

import numpy as np
import pytest
from scipy.optimize import minimize

from halflabel.priors.alphamax import ALPHAS, _log_likelihoods, _merged, alphamax
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


@pytest.mark.parametrize("prior", [0.1, 0.4, 0.7])
def test_separated_mixtures(prior):
    rng = np.random.default_rng(0)
    k = round(4000 * prior)
    U = np.r_[rng.normal(4, 1, k), rng.normal(0, 1, 4000 - k)]
    assert alphamax(rng.normal(4, 1, 1000), U) == pytest.approx(prior, abs=0.03)
