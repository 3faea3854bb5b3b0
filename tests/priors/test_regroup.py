"""Regrouping copies the most positive-looking tenth of U into P."""

import numpy as np
import pytest

from halflabel.priors import best_bin, estimate_prior
from halflabel.priors.bbe import counts_above
from halflabel.priors.regroup import SHARE, regroup


def test_the_highest_tenth_is_copied_and_both_inputs_stay():
    P, U = np.array([7.0]), np.arange(30.0)
    assert sorted(regroup(P, U)) == [7, 27, 28, 29]
    assert len(U) == 30
    assert P.tolist() == [7]


def test_fewer_than_ten_leave_p_as_it_is():
    assert regroup(np.array([1.0]), np.arange(9.0)).tolist() == [1]


def test_ties_are_taken_in_order():
    assert len(regroup(np.zeros(3), np.ones(25))) == 5


def test_any_base_is_applied_to_the_new_p_and_the_old_u():
    rng = np.random.default_rng(0)
    P, U = rng.normal(2, 1, 200), np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 600)]
    assert estimate_prior(P, U, "regroup:bbe").value == best_bin(regroup(P, U), U)


@pytest.mark.parametrize("gap", [1.0, 2.0])
def test_it_lowers_estimates_of_overlapping_classes(gap):
    rng = np.random.default_rng(0)
    P, U = rng.normal(gap, 1, 1000), np.r_[rng.normal(gap, 1, 200), rng.normal(0, 1, 800)]
    assert estimate_prior(P, U, "regroup").value < estimate_prior(P, U, "roc").value


@pytest.mark.parametrize("prior", [0.05, 0.1, 0.3, 0.6, 0.8])
@pytest.mark.parametrize(("n_p", "n_u"), [(20_000, 80_000), (5_000, 80_000)])
def test_separated_classes_give_the_limit_that_the_formula_says(prior, n_p, n_u):
    P, U = separated(0, prior, n_p, n_u)
    limit = regrouped_ratio(prior, n_p, n_u)
    assert estimate_prior(P, U, "regroup:bbe", replicates=1).value == pytest.approx(limit, rel=0.02)
    assert (limit < prior) == (prior > 0.1)


def test_the_formula_holds_at_every_threshold_inside_the_group():
    rng = np.random.default_rng(1)
    P, U = rng.normal(1, 1, 500), np.r_[rng.normal(1, 1, 400), rng.normal(0, 1, 1600)]
    above_p, above_u = counts_above(P, U)
    above_new, _ = counts_above(regroup(P, U), U)
    inside = (above_u <= 200) & (above_p > 0)
    share_p, share_u, share_new = above_p[inside] / 500, above_u[inside] / 2000, above_new[inside] / 700
    expected = [regrouped_ratio(ratio, 500, 2000) for ratio in share_u / share_p]
    assert len(expected) > 150
    np.testing.assert_allclose(share_u / share_new, expected)


@pytest.mark.parametrize("method", ["roc", "bbe", "elkan_noto"])
@pytest.mark.parametrize("prior", [0.02, 0.6])
def test_the_interval_spans_those_with_and_without_regrouping(method, prior):
    P, U = separated(2, prior, 200, 4000)
    regrouped = estimate_prior(P, U, f"regroup:{method}", replicates=50)
    before = estimate_prior(P, U, method, replicates=50)
    after = estimate_prior(regroup(P, U), U, method, replicates=50)
    assert regrouped.value == after.value
    assert regrouped.low == min(before.low, after.low)
    assert regrouped.high == max(before.high, after.high)
    # Regrouping alone misses the truth: on either side, as the share of positives is above or below a tenth.
    assert not after.low <= prior <= after.high
    assert regrouped.low <= prior <= regrouped.high


def regrouped_ratio(ratio, n_p, n_u):
    """What regrouping makes of a ratio of tails inside the group; the limit where classes do not overlap."""
    w = n_p / (n_p + SHARE * n_u)
    return ratio / (w + (1 - w) * ratio / SHARE)


def separated(seed, prior, n_p, n_u):
    rng = np.random.default_rng(seed)
    positives = round(prior * n_u)
    return rng.normal(12, 1, n_p), np.r_[rng.normal(12, 1, positives), rng.normal(0, 1, n_u - positives)]
