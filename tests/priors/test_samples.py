"""Samples as estimators in feature space take them."""

import numpy as np
import pytest

from halflabel.errors import DataError
from halflabel.priors.samples import as_samples, subsample, unit_columns


@pytest.mark.parametrize("swapped", [False, True])
def test_columns_span_zero_to_one_over_both_samples(swapped):
    wide, narrow = np.array([[-10.0], [30.0]]), np.array([[0.0], [20.0]])
    P, U = unit_columns(*((narrow, wide) if swapped else (wide, narrow)))
    assert sorted(np.r_[P, U].ravel().tolist()) == [0, 0.25, 0.75, 1]


def test_a_subsample_has_no_row_twice_and_keeps_their_order():
    drawn = subsample(np.arange(100), 60, np.random.default_rng(0))
    assert len(drawn) == 60
    assert (np.diff(drawn) > 0).all()
    assert subsample(np.arange(60), 60, np.random.default_rng(0)).tolist() == list(range(60))


def test_one_value_that_differs_is_enough():
    P, U = as_samples(np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0]))
    assert (P.tolist(), U.tolist()) == ([[0.5], [0.5], [1.0]], [[0.5], [0.5]])


@pytest.mark.parametrize(("P", "U", "message"), [
    (np.ones((2, 2, 2)), np.ones(3), r"^P has shape \(2, 2, 2\)"),
    (np.ones(3), np.ones(0), r"^U has shape \(0,\)"),
    (np.ones(3), np.array([np.inf, 1]), "^U holds 1 values that are not finite, of 2")])
def test_the_sample_that_cannot_be_used_is_named(P, U, message):
    with pytest.raises(DataError, match=message):
        as_samples(P, U)
