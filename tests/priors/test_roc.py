"""The ROC bound: exact binomial tails, and an upper bound indeed."""

import numpy as np
import pytest
from scipy.stats import binom

from halflabel.priors.roc import lower_share, roc_bound, roc_interval, upper_share


@pytest.mark.parametrize(("count", "n"), [(0, 5), (3, 10), (250, 1000), (9999, 10_000)])
def test_bounds_invert_the_binomial_tail(count, n):
    upper, lower = upper_share(np.array([count]), n, 0.1)[0], lower_share(np.array([count]), n, 0.1)[0]
    assert binom.cdf(count, n, upper) == pytest.approx(0.1)
    if count:
        assert binom.sf(count - 1, n, lower) == pytest.approx(0.1)
    else:
        assert lower == 0
    assert upper_share(np.array([n]), n, 0.1)[0] == 1


def test_equals_the_literal_minimum_over_thresholds():
    rng = np.random.default_rng(0)
    P, U = rng.normal(2, 1, 60).round(1), np.r_[rng.normal(2, 1, 50), rng.normal(0, 1, 150)].round(1)
    delta = 0.1 / np.log2(60)
    ratios, lows = [], []
    for c in np.unique(U):
        k_p, k_u = np.sum(c <= P), np.sum(c <= U)
        if k_p >= 2 and k_u >= 2:
            ratios.append(upper_share(k_u, 200, delta) / lower_share(k_p, 60, delta))
            lows.append(lower_share(k_u, 200, delta) / upper_share(k_p, 60, delta))
    assert roc_bound(P, U) == pytest.approx(min(ratios))
    assert roc_interval(P, U) == pytest.approx((lows[int(np.argmin(ratios))], min(ratios)))


def test_a_bound_that_may_fail_less_often_is_larger():
    rng = np.random.default_rng(1)
    P, U = rng.normal(3, 1, 60), np.r_[rng.normal(3, 1, 50), rng.normal(0, 1, 150)]
    assert roc_bound(P, U, delta=0.01) > roc_bound(P, U, delta=0.1) == roc_bound(P, U)


def test_two_points_of_either_kind_make_a_threshold():
    U = np.r_[5.0, 5.0, np.zeros(300)]
    assert roc_bound(np.array([5.0, 5.0]), U) < 1
    assert roc_bound(np.array([5.0]), U) == 1


@pytest.mark.parametrize("prior", [0.05, 0.5, 0.8])
@pytest.mark.parametrize("gap", [2, 4, 6])
def test_it_errs_upwards(prior, gap):
    errors = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        k = round(prior * 1000)
        U = np.r_[rng.normal(gap, 1, k), rng.normal(0, 1, 1000 - k)]
        errors.append(roc_bound(rng.normal(gap, 1, 250), U) - prior)
    assert min(errors) > -0.02
    assert np.mean(errors) > 0


def test_without_a_usable_threshold_nothing_is_known():
    assert roc_interval(np.array([1.0]), np.array([0.0, 2.0])) == (0, 1)
    assert roc_bound(np.zeros(50), np.zeros(50)) == 1
