"""Samples as estimators in feature space take them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from halflabel.errors import DataError
from halflabel.priors.samples import as_samples, median_square, subsample, unit_columns


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


@settings(max_examples=100, deadline=None)
@given(hnp.arrays(float, st.tuples(st.integers(1, 30), st.just(1)), elements=st.one_of(
    st.sampled_from([0.0, 1.0]), st.integers(-999, 999).map(lambda i: i / 1000))))
def test_the_median_square_of_scores_is_that_of_the_whole_matrix(X):
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    above_zero = squared[squared > 0]
    expected = np.median(squared) or (np.median(above_zero) if len(above_zero) else 1.0)
    assert median_square(X) == pytest.approx(expected, rel=1e-9)


def test_the_median_of_many_scores_takes_no_matrix():
    """Of n^2 numbers there would be 80 GB. Normal distances: the median of their squares is 2 times .455."""
    assert median_square(np.random.default_rng(0).normal(size=(100_000, 1))) == pytest.approx(0.91, abs=0.01)
