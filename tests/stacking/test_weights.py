"""Weights of views: never negative, nothing for noise, and the optimum of what they are said to minimise."""

import numpy as np
import pytest

from halflabel.auc import prominence, pu_auc
from halflabel.stacking import learn_weights
from halflabel.stacking.weights import logistic_weights

KNOWN = np.arange(600) < 150


def test_a_view_that_ranks_backwards_counts_nothing(rng):
    signal = rng.normal(size=600) + KNOWN
    weights = learn_weights(np.column_stack([signal, -signal]), KNOWN)
    assert weights[0] > 0.1
    assert weights[1] == pytest.approx(0, abs=1e-6)


def test_two_good_views_share_and_beat_each(rng):
    inputs = rng.normal(size=(600, 2)) + KNOWN[:, None]
    scores = inputs @ learn_weights(inputs, KNOWN)
    gaps = [view[KNOWN].mean() - view[~KNOWN].mean() for view in ((scores / scores.std()), *inputs.T)]
    assert gaps[0] > 1.02 * max(gaps[1:]) / inputs.std()


def test_half_of_the_score_is_the_best_view(rng):
    inputs = rng.normal(size=(600, 2)) + np.outer(KNOWN, [1.6, 0.8])
    weights, mixed = learn_weights(inputs, KNOWN), logistic_weights(inputs, KNOWN, np.zeros(2))
    half = 0.5 * mixed / (inputs @ mixed).std()
    assert weights[0] - 0.5 / inputs[:, 0].std() == pytest.approx(half[0], rel=0.1)
    assert weights[1] == pytest.approx(half[1], rel=0.1)


def test_a_view_that_is_as_good_as_the_best_has_as_much_to_say(rng):
    signal = rng.normal(size=600) + KNOWN
    alike = learn_weights(np.column_stack([signal, signal]), KNOWN)
    assert alike[0] == pytest.approx(alike[1])


def test_the_best_view_is_the_one_with_the_best_top(rng):
    # Of the positives the first lifts a third to the very top, the second all of them above the middle.
    noise = rng.normal(size=600)
    top, middle = noise + 8 * (np.arange(600) < 50), noise + 1.0 * KNOWN
    weights = learn_weights(np.column_stack([top, middle]), KNOWN)
    assert prominence(top[KNOWN], top[~KNOWN]) > prominence(middle[KNOWN], middle[~KNOWN]) + 0.2
    assert pu_auc(top[KNOWN], top[~KNOWN]) < pu_auc(middle[KNOWN], middle[~KNOWN])
    assert weights[0] * top.std() > 2 * weights[1] * middle.std()


def test_noise_alone_is_taken_as_it_is(rng):
    noise = rng.normal(size=(600, 3))
    noise -= KNOWN[:, None]
    assert np.isfinite(learn_weights(noise, KNOWN)).all()


def test_constant_views_do_no_harm(rng):
    inputs = np.column_stack([np.zeros(600), rng.normal(size=600) + KNOWN])
    assert np.isfinite(inputs @ learn_weights(inputs, KNOWN)).all()


def test_nothing_but_constants_counts_nothing():
    assert not learn_weights(np.zeros((600, 2)), KNOWN).any()
