"""Regrouping copies the most positive-looking tenth of U into P, if a test says that negatives are in it."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from halflabel.priors import best_bin, estimate_prior
from halflabel.priors import regroup as module
from halflabel.priors.bbe import counts_above
from halflabel.priors.regroup import SHARE, is_mixed, regroup, regroup_if_mixed


def test_the_highest_tenth_is_copied_and_both_inputs_stay():
    P, U = np.array([7.0]), np.arange(30.0)
    assert sorted(regroup(P, U)) == [7, 27, 28, 29]
    assert len(U) == 30
    assert P.tolist() == [7]


def test_fewer_than_ten_leave_p_as_it_is():
    assert regroup(np.array([1.0]), np.arange(9.0)).tolist() == [1]


def test_ties_are_taken_in_order():
    assert len(regroup(np.zeros(3), np.ones(25))) == 5


@pytest.mark.parametrize("method", ["roc", "bbe"])
@pytest.mark.parametrize(("gap", "prior"), [(1.0, 0.1), (2.0, 0.05)])
def test_where_classes_overlap_any_base_is_applied_to_the_new_p_and_the_old_u(method, gap, prior):
    P, U = overlapping(0, prior, 1000, 4000, gap)
    assert is_mixed(P, U)
    after = estimate_prior(regroup(P, U), U, method, replicates=50)
    found = estimate_prior(P, U, f"regroup:{method}", replicates=50)
    assert found.value == after.value != estimate_prior(P, U, method, replicates=50).value


def test_it_lowers_estimates_of_overlapping_classes():
    P, U = overlapping(0, 0.1, 1000, 4000, gap=1.0)
    assert 0.1 < estimate_prior(P, U, "regroup").value < estimate_prior(P, U, "roc").value


@pytest.mark.parametrize("method", ["roc", "bbe", "elkan_noto"])
@pytest.mark.parametrize("prior", [0.15, 0.6, 0.9])
def test_where_only_positives_score_high_the_answer_is_that_of_the_base(method, prior):
    P, U = separated(2, prior, 300, 2000)
    assert not is_mixed(P, U)
    assert regroup_if_mixed(P, U) is P
    base, found = (estimate_prior(P, U, name, replicates=50) for name in (method, f"regroup:{method}"))
    assert found[:3] == base[:3]
    assert found.low <= prior <= found.high


def test_of_pure_regions_about_one_in_a_hundred_looks_mixed():
    looked = [is_mixed(*separated(seed, 0.3, 100, 300)) for seed in range(2000)]
    assert 0.003 < np.mean(looked) < 0.018


def test_a_tenth_that_must_hold_negatives_looks_mixed():
    assert all(is_mixed(*separated(seed, 0.05, 200, 800)) for seed in range(50))


@pytest.mark.parametrize(("P", "U"), [
    ([1.0], [0.0]), ([1.0] * 30, [0.0] * 9), ([5.0], range(100)), ([99.5, 99.6], range(100)),
    ([1.0] * 50, [1.0] * 60 + [0.0] * 40), ([1.0] * 50, [1.0] * 10 + [0.0] * 90), ([-1.0] * 50, range(100)),
], ids=["one each", "no tenth", "none above", "two above", "ties beyond A", "only ties in A", "P lowest"])
def test_too_few_points_or_only_ties_are_no_sign(P, U):
    assert not is_mixed(np.array(P, dtype=float), np.array(U, dtype=float))


def test_of_all_of_u_none_is_left_out():
    low, high = np.arange(40.0), np.arange(30.0, 60.0)
    assert is_mixed(high, low, share=1.0)
    assert not is_mixed(low, high, share=1.0)
    assert not is_mixed(high, low, share=1.0, level=1e-15)


def test_those_above_the_best_score_left_out_are_compared():
    """Below it P would look higher than U, above it both are alike."""
    U, P = np.arange(1000.0), np.r_[np.arange(900.5, 1000), np.full(500, 899.0)]
    assert not is_mixed(P, U)
    assert is_mixed(np.r_[P, np.full(30, 999.5)], U)


RANKED = st.lists(st.integers(0, 6), min_size=1, max_size=40)


@given(RANKED, RANKED)
def test_the_test_is_that_of_mann_and_whitney(x, y):
    found = module._surprise(np.array(x, dtype=float), np.array(y, dtype=float))
    if len({*x, *y}) == 1:
        assert found == -np.inf
        return
    expected = mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue
    assert 1 - NormalDist().cdf(found) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("prior", [0.05, 0.1, 0.3, 0.6, 0.8])
@pytest.mark.parametrize(("n_p", "n_u"), [(20_000, 80_000), (5_000, 80_000)])
def test_separated_classes_regrouped_give_the_limit_that_the_formula_says(prior, n_p, n_u):
    P, U = separated(0, prior, n_p, n_u)
    limit = regrouped_ratio(prior, n_p, n_u)
    assert best_bin(regroup(P, U), U) == pytest.approx(limit, rel=0.02)
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
def test_if_regrouped_the_interval_spans_those_with_and_without(method):
    P, U = separated(2, 0.02, 200, 4000)
    regrouped = estimate_prior(P, U, f"regroup:{method}", replicates=50)
    before = estimate_prior(P, U, method, replicates=50)
    after = estimate_prior(regroup(P, U), U, method, replicates=50)
    assert regrouped.value == after.value
    assert regrouped.low == min(before.low, after.low)
    assert regrouped.high == max(before.high, after.high)
    # Regrouping alone misses the truth, as the share of positives is below a tenth.
    assert not after.low <= 0.02 <= after.high
    assert regrouped.low <= 0.02 <= regrouped.high


def regrouped_ratio(ratio, n_p, n_u):
    """What regrouping makes of a ratio of tails inside the group; the limit where classes do not overlap."""
    w = n_p / (n_p + SHARE * n_u)
    return ratio / (w + (1 - w) * ratio / SHARE)


def separated(seed, prior, n_p, n_u):
    return overlapping(seed, prior, n_p, n_u, gap=12)


def overlapping(seed, prior, n_p, n_u, gap):
    rng = np.random.default_rng(seed)
    positives = round(prior * n_u)
    return rng.normal(gap, 1, n_p), np.r_[rng.normal(gap, 1, positives), rng.normal(0, 1, n_u - positives)]
