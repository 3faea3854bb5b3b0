"""Features as yes or no."""

import numpy as np
from scipy import sparse

from halflabel.stacking.indicators import BINS, Indicators


def test_every_row_has_one_bin_a_feature_and_bins_are_even(rng):
    X = rng.normal(size=(500, 3))
    found = Indicators.of(X)(X)
    assert found.shape == (500, 3 * BINS)
    assert (found.sum(axis=1) == 3).all()
    np.testing.assert_array_equal(found.sum(axis=0), 500 / BINS)


def test_a_feature_of_two_values_has_two_bins_and_a_constant_one(rng):
    X = np.column_stack([rng.random(500) < 0.3, np.ones(500)]).astype(float)
    found = Indicators.of(X)(X).toarray()
    used = found.any(axis=0)
    assert used[:BINS].sum() == 2
    assert used[BINS:].sum() == 1


def test_features_that_are_mostly_zero_are_yes_where_they_are_not_sparse_or_dense():
    X = np.zeros((4, 5))
    X[0, 1], X[1, 0], X[1, 4] = 2.5, -1.0, 3.0
    for form in (np.asarray, sparse.csr_array):
        found = Indicators.of(form(X))(form(X)).toarray()
        np.testing.assert_array_equal(found, X != 0)
    stored = sparse.csr_array(X)
    stored.data[0] = 0.0  # stored, but zero all the same
    assert Indicators.of(stored)(stored).sum() == 2


def test_another_graphs_values_fall_into_the_first_ones_bins():
    indicators = Indicators.of(np.arange(100.0)[:, None])
    bins = indicators(np.array([[-9.0], [50.5], [1e9]])).toarray().argmax(axis=1)
    assert bins.tolist() == [0, 5, BINS - 1]
