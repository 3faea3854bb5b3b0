"""Weights of views: never negative, nothing for noise, and the optimum of what they are said to minimise."""

import numpy as np
import pytest

from halflabel.stacking import learn_blend
from halflabel.stacking.weights import logistic_blend

RNG = np.random.default_rng(0)
KNOWN = np.arange(600) < 150


def test_a_view_that_ranks_backwards_counts_nothing():
    signal = RNG.normal(size=600) + KNOWN
    blend = learn_blend(np.column_stack([signal, -signal]), KNOWN)
    assert blend.weights[0] > 0.1
    assert blend.weights[1] == 0


def test_two_good_views_share_and_beat_each():
    inputs = RNG.normal(size=(600, 2)) + KNOWN[:, None]
    scores = learn_blend(inputs, KNOWN)(inputs)
    gaps = [view[KNOWN].mean() - view[~KNOWN].mean() for view in ((scores / scores.std()), *inputs.T)]
    assert gaps[0] > 1.02 * max(gaps[1:]) / inputs.std()


def test_half_of_the_score_is_the_best_view():
    inputs = RNG.normal(size=(600, 2)) + np.outer(KNOWN, [1.2, 0.8])
    blend = learn_blend(inputs, KNOWN)
    mixed = logistic_blend(inputs, KNOWN, np.zeros(2))
    assert blend.weights[0] - 0.5 == pytest.approx(0.5 * mixed.weights[0] / mixed(inputs).std(), rel=0.1)
    assert blend.weights[1] == pytest.approx(0.5 * mixed.weights[1] / mixed(inputs).std(), rel=0.1)


def test_noise_alone_is_taken_as_it_is():
    noise = RNG.normal(size=(600, 3))
    noise -= KNOWN[:, None]
    assert np.isfinite(learn_blend(noise, KNOWN).weights).all()


def test_constant_views_do_no_harm():
    inputs = np.column_stack([np.zeros(600), RNG.normal(size=600) + KNOWN])
    assert np.isfinite(learn_blend(inputs, KNOWN)(inputs)).all()
