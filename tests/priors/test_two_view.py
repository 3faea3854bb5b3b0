"""Two views: right where classes overlap, and a refusal where a view says nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from halflabel.errors import DataError
from halflabel.priors import best_bin, estimate_prior
from halflabel.priors.two_view import two_view


def views(seed, prior, gap=1.5, n_p=1000, n_u=4000, correlation=0.0):
    rng = np.random.default_rng(seed)
    covariance = np.array([[1, correlation], [correlation, 1]])
    k = round(prior * n_u)
    noise = rng.multivariate_normal([0, 0], covariance, size=n_p + n_u)
    noise[: n_p + k] += gap
    return noise[:n_p], noise[n_p:]


@pytest.mark.parametrize("correlation", [0.0, 0.3])
@pytest.mark.parametrize("prior", [0.1, 0.3, 0.6])
def test_overlapping_classes_are_estimated_where_ratios_fail(prior, correlation):
    estimates = [two_view(*views(seed, prior, correlation=correlation)) for seed in range(5)]
    assert np.mean(estimates) == pytest.approx(prior, abs=0.05)
    P, U = views(0, prior)
    assert best_bin(P.sum(axis=1), U.sum(axis=1)) > prior


def test_only_the_order_within_a_view_matters():
    P, U = views(0, 0.3)
    assert two_view(np.exp(P), np.exp(U)) == two_view(P, U)


@pytest.mark.parametrize("view", [0, 1])
def test_the_view_without_signal_is_named(view):
    P, U = views(0, 0.3)
    P[:, view] = np.random.default_rng(1).choice(U[:, view], len(P))
    with pytest.raises(DataError, match=rf"View {view} .* carries no signal.*Pass another view"):
        estimate_prior(P, U, "two_view")


def test_a_view_of_the_wrong_sign_is_named():
    P, U = views(0, 0.3)
    flip = np.array([1, -1])
    with pytest.raises(DataError, match=r"View 1 .* turn its sign"):
        estimate_prior(P * flip, U * flip, "two_view")


def test_one_score_is_refused():
    with pytest.raises(DataError, match=r"two-column table .* got shape \(2,\)"):
        estimate_prior([1.0, 2.0], [0.0, 1.0], "two_view")


TWO = hnp.arrays(float, st.tuples(st.integers(1, 30), st.just(2)), elements=st.floats(-3, 3))


@given(TWO, TWO)
@settings(deadline=None, max_examples=50)
def test_never_a_nan(views_p, views_u):
    try:
        prior = estimate_prior(views_p + 3, views_u, "two_view", replicates=5)
    except DataError:
        return  # no signal, as the tests above have it
    assert 0 <= prior.low <= prior.value <= prior.high <= 1
