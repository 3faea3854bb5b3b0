"""Regrouping copies the most positive-looking tenth of U into P."""

import numpy as np
import pytest

from halflabel.priors import best_bin, estimate_prior
from halflabel.priors.regroup import regroup


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
