"""Regrouping copies the most positive-looking tenth of U into P, if classes are seen to overlap."""

import numpy as np
import pytest

from halflabel.priors import best_bin, estimate_prior, prior_methods
from halflabel.priors.bbe import counts_above
from halflabel.priors.regroup import SHARE, overlap_is_seen, regroup, regroup_if_overlapping


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
@pytest.mark.parametrize("prior", [0.1, 0.2])
def test_where_classes_overlap_any_base_is_applied_to_the_new_p_and_the_old_u(method, prior):
    P, U = overlapping(0, prior, 1000, 4000, gap=1)
    assert overlap_is_seen(P, U)
    assert np.array_equal(regroup_if_overlapping(P, U), regroup(P, U))
    after = estimate_prior(regroup(P, U), U, method, replicates=50)
    found = estimate_prior(P, U, f"regroup:{method}", replicates=50)
    assert found.value == after.value < estimate_prior(P, U, method, replicates=50).value


@pytest.mark.parametrize("method", ["roc", "bbe", "elkan_noto"])
@pytest.mark.parametrize("prior", [0.02, 0.15, 0.6])
def test_where_classes_are_separated_the_answer_is_that_of_the_base(method, prior):
    P, U = separated(2, prior, 300, 2000)
    assert not overlap_is_seen(P, U)
    assert regroup_if_overlapping(P, U) is P
    base, found = (estimate_prior(P, U, name, replicates=50) for name in (method, f"regroup:{method}"))
    assert found[:3] == base[:3]
    assert found.low <= prior <= found.high


@pytest.mark.parametrize(("n_p", "n_u"), [(50, 200), (1000, 4000)])
def test_hardly_any_separated_sample_is_taken_for_overlapping(n_p, n_u):
    """Even where nearly all of U is positive, and the AUC against U says little."""
    seen = [overlap_is_seen(*overlapping(seed, 0.8, n_p, n_u, gap=4)) for seed in range(500)]
    assert np.mean(seen) < 0.01


def test_the_same_scores_say_more_if_there_are_more_of_them():
    P, U = overlapping(0, 0.1, 200, 800, gap=1)
    assert overlap_is_seen(np.tile(P, 9), np.tile(U, 9))
    assert not overlap_is_seen(P[:20], U[:80])


@pytest.mark.parametrize(("P", "U"), [([1.0], [0.0]), ([0.0], [1.0, 2.0]), ([0.0, 1.0], [1.0]),
                                      ([1.0] * 9, [1.0] * 9), ([1.0] * 9, [1.0] * 3 + [0.0] * 6)])
def test_single_points_and_ties_say_nothing(P, U):
    assert not overlap_is_seen(np.array(P), np.array(U))


def test_positives_below_all_others_are_no_good_scores():
    assert overlap_is_seen(np.zeros(9), np.ones(9))


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
@pytest.mark.parametrize("prior", [0.05, 0.2])
def test_if_regrouped_the_interval_spans_those_with_and_without(method, prior):
    P, U = overlapping(2, prior, 1000, 4000, gap=1)
    regrouped = estimate_prior(P, U, f"regroup:{method}", replicates=50)
    before = estimate_prior(P, U, method, replicates=50)
    after = estimate_prior(regroup(P, U), U, method, replicates=50)
    assert regrouped.value == after.value != before.value
    assert regrouped.low == min(before.low, after.low)
    assert regrouped.high == max(before.high, after.high)


@pytest.mark.parametrize("method", ["", ":bbe"])
def test_as_published_it_regroups_whatever_the_classes(method):
    P, U = separated(3, 0.6, 300, 2000)
    always, base = (estimate_prior(P, U, name + method) for name in ("regroup_always", "regroup"))
    assert always.value == estimate_prior(regroup(P, U), U, method[1:] or "roc").value < 0.4 < base.value
    assert always.low <= 0.6 <= always.high
    assert "regroup_always" not in prior_methods()


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
