"""Intervals by resampling: their width, what smaller samples may say, and where they end."""

import numpy as np
import pytest

from halflabel.priors.bootstrap import bootstrap_interval, interval_around, resampled_means

VALUE = 0.5


def half_width(*args, **options):
    low, high = bootstrap_interval(*args, value=VALUE, **options)
    assert VALUE - low == pytest.approx(high - VALUE)
    return high - VALUE


def mean_of_u(P, U):
    return U.mean()


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    U = rng.normal(0, 1, 2000)
    return rng.normal(0, 1, 2000), 0.05 * (U - U.mean()) + VALUE


@pytest.mark.parametrize(("level", "quantile"), [(0.5, 0.6745), (0.9, 1.6449), (0.95, 1.9600)])
def test_an_interval_is_as_many_standard_errors_wide_as_its_level_says(level, quantile):
    low, high = interval_around(0.5, np.array([0.4, 0.6, 0.5, 0.5]), level)
    assert (0.5 - low, high - 0.5) == pytest.approx((quantile * np.sqrt(0.005),) * 2, abs=1e-4)


def test_an_interval_ends_where_shares_do():
    assert interval_around(0.01, np.array([0.2, 0.3]))[0] == 0
    assert interval_around(0.99, np.array([0.7, 0.8]))[1] == 1


def test_samples_of_any_size_show_the_same_spread(samples):
    expected = 1.645 * 0.05 / np.sqrt(2000)
    for most in (10**6, 2000, 100):
        assert half_width(mean_of_u, *samples, replicates=400, most=most) == pytest.approx(expected, rel=0.15)


def test_an_estimator_that_looks_at_a_quarter_of_the_points_has_twice_the_spread(samples):
    options = {"replicates": 20, "most": 100}
    whole = half_width(mean_of_u, *samples, **options)
    assert half_width(mean_of_u, *samples, used=500, **options) == pytest.approx(2 * whole)
    assert half_width(mean_of_u, *samples, used=10**6, **options) == pytest.approx(whole)


def test_the_bias_of_smaller_samples_is_not_that_of_the_whole(samples):
    P, U = samples
    assert half_width(lambda P, U: 0.6, P, U, replicates=5, most=100) == pytest.approx(0)
    # Resamples as large as what was given have the bias that the estimate has; one kind that was not cut is
    # enough for that.
    for uncut in ((P, U[:100]), (P[:100], U), (P[:99], U[:99])):
        biased = half_width(lambda P, U: 0.6, *uncut, replicates=5, most=100)
        assert biased == pytest.approx(0.1645, abs=1e-4)


def test_a_resample_of_one_value_says_that_all_may_be_positive():
    def refuses_one_value(P, U):
        assert len(set(P) | set(U)) > 1
        return VALUE

    P, U = np.array([1.0]), np.array([0.0, 1.0])
    # One resample in four is all ones.
    assert half_width(refuses_one_value, P, U, replicates=400, most=9) == pytest.approx(0.411, abs=0.04)


def test_the_seed_decides_the_interval(samples):
    options = {"replicates": 5, "most": 100}
    default, first, other = (half_width(mean_of_u, *samples, **options, **seed)
                             for seed in ({}, {"random_state": 0}, {"random_state": 1}))
    assert default == first != other


def test_resampled_means_vary_as_means_do_and_rows_stay_together():
    x = np.random.default_rng(0).normal(3, 2, 400)
    means = resampled_means(np.column_stack([x, 2 * x]), 500, np.random.default_rng(1))
    np.testing.assert_allclose(means[:, 1], 2 * means[:, 0])
    assert means[:, 0].mean() == pytest.approx(x.mean(), abs=0.02)
    assert means[:, 0].std() == pytest.approx(x.std() / 20, rel=0.1)
