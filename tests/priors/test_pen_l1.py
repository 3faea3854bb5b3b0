"""PEN-L1: the cross-fitted objective, its accuracy, and what may not change the answer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halflabel.errors import DataError
from halflabel.priors import pen_l1 as module
from halflabel.priors.pen_l1 import pen_l1


def mixture(seed, n_p, n_u, share, d=1, gap=6.0):
    rng = np.random.default_rng(seed)
    shift = np.r_[gap, np.zeros(d - 1)]
    n_pos = round(share * n_u)
    P = rng.normal(size=(n_p, d)) + shift
    return P, np.r_[rng.normal(size=(n_pos, d)) + shift, rng.normal(size=(n_u - n_pos, d))]


@pytest.mark.parametrize(("d", "gap"), [(1, 4), (1, 6), (5, 4), (5, 6)])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8])
def test_mean_error_is_at_most_three_points(d, gap, share):
    samples = (mixture(seed, 1000, 4000, share, d, gap) for seed in range(4))
    errors = [pen_l1(P, U) - share for P, U in samples]
    assert abs(np.mean(errors)) < 0.035
    assert np.max(np.abs(errors)) < 0.08


def test_sums_leave_out_the_centre_itself():
    """Against the definition, point by point."""
    X, width = np.random.default_rng(0).normal(size=(23, 2)), 0.7
    rows = np.array([4, 9, -3, 30])  # the last two are of the other sample
    centres = np.r_[X[[4, 9]], [[0.5, 0.5], [1.0, -1.0]]]
    sums, sizes = module._sums_by_fold(X, centres, rows, width, np.random.default_rng(1))
    fold = np.random.default_rng(1).permutation(23) % module.FOLDS
    for k in range(module.FOLDS):
        for j, c in enumerate(centres):
            kept = [i for i in range(23) if fold[i] == k and i != rows[j]]
            assert sizes[k, j] == len(kept)
            phi = np.exp(-((X[kept] - c) ** 2).sum(axis=1) / (2 * width**2))
            assert sums[k, j] == pytest.approx(phi.sum())


def test_separable_classes_are_biased_by_half_the_penalty(monkeypatch):
    """J = (theta - pi)^2/lambda - theta + 1 beyond pi: exact when P and the positives of U look alike."""
    monkeypatch.setattr(module, "PENALTY", 0.2)
    values = np.tile([10.0, 10.5], 500)
    assert pen_l1(values, np.r_[values, np.zeros(1000)]) == pytest.approx(0.6, abs=0.03)


def test_chunks_do_not_matter(monkeypatch):
    P, U = mixture(1, 300, 700, 0.3, 2)
    whole = pen_l1(P, U)
    monkeypatch.setattr(module, "CHUNK", 37)
    assert pen_l1(P, U) == whole


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-8, 8), min_size=3, max_size=3))
def test_units_of_features_do_not_matter(exponents):
    P, U = mixture(2, 200, 400, 0.3, 3)
    units = 2.0 ** np.array(exponents)
    assert pen_l1(P * units, U * units) == pen_l1(P, U)


def test_order_of_rows_matters_only_through_folds_and_centres():
    P, U = mixture(3, 1000, 4000, 0.3)
    shuffled = np.random.default_rng(0).permutation(len(U))
    assert pen_l1(P, U[shuffled]) == pytest.approx(pen_l1(P, U), abs=0.03)


def test_seeded():
    P, U = mixture(4, 300, 600, 0.3)
    assert pen_l1(P, U, random_state=3) == pen_l1(P, U, random_state=3)
    assert len({pen_l1(P, U, random_state=seed) for seed in range(5)}) > 1


def test_constant_features_change_nothing():
    P, U = mixture(5, 300, 600, 0.3)
    assert pen_l1(np.c_[P, np.ones(300)], np.c_[U, np.ones(600)]) == pen_l1(P, U)


def test_no_positive_in_u_gives_almost_nothing():
    assert pen_l1(*mixture(6, 1000, 2000, 0.0)) < 0.02


@pytest.mark.parametrize(("P", "U"), [([1.0], [0.0]), ([1.0], [0.0, 1.0]), ([0.0] * 99, [0.0] * 99 + [1.0])])
def test_ties_and_single_points_have_an_answer(P, U):
    assert 0 <= pen_l1(np.array(P), np.array(U)) <= 1


def test_saturated_scores():
    P, U = np.ones(500), np.r_[np.ones(300), np.zeros(700)]
    assert pen_l1(P, U) == pytest.approx(0.3, abs=0.02)
    assert pen_l1(P * 1e307, U * 1e307) == pytest.approx(0.3, abs=0.02)


def test_constant_input_is_refused():
    with pytest.raises(DataError, match="are the same"):
        pen_l1(np.ones(5), np.ones(9))
