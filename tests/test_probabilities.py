"""Probabilities average to the prior, and the threshold cuts off the top share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import expit

from halflabel.probabilities import calibration_slope, prior_shift
from halflabel.thresholds import least_flagged

SCORES = hnp.arrays(float, st.integers(1, 50), elements=st.floats(-40, 40))


@given(SCORES, st.floats(0.01, 0.99))
def test_shifted_scores_average_to_the_prior(scores, prior):
    assert expit(scores + prior_shift(scores, prior)).mean() == pytest.approx(prior, abs=1e-6)


@pytest.mark.parametrize("prior", [0.0, 1.0])
def test_a_prior_of_nothing_or_everything_is_approached(prior):
    scores = np.linspace(-5, 5, 11)
    assert expit(scores + prior_shift(scores, prior)).mean() == pytest.approx(prior, abs=2e-6)


def test_single_precision_scores_are_shifted_as_well():
    scores = np.random.default_rng(0).normal(0, 3, 10_000).astype(np.float32)
    assert expit(scores + prior_shift(scores, 0.1)).mean() == pytest.approx(0.1, abs=1e-5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50, unique=True), st.floats(0, 1))
def test_the_threshold_flags_exactly_the_rounded_share(probabilities, share):
    probabilities = np.array(probabilities)
    flagged = probabilities >= least_flagged(probabilities, "prior", share)
    assert flagged.sum() == round(share * len(probabilities))
    if 0 < flagged.sum() < len(flagged):
        assert probabilities[flagged].min() > probabilities[~flagged].max()


def test_tied_probabilities_share_their_fate():
    probabilities = np.array([0.7, 0.5, 0.5, 0.1])
    assert (probabilities >= least_flagged(probabilities, "prior", 0.5)).sum() == 3


@pytest.mark.parametrize("stretch", [0.3, 1.0, 4.0])
def test_the_slope_undoes_over_and_under_confidence(stretch):
    rng = np.random.default_rng(0)
    scores = rng.normal(0, 2, 20_000)
    positive = rng.random(len(scores)) < expit(scores)
    known = positive & (rng.random(len(scores)) < 0.3)
    prior = positive[~known].mean()
    slope = calibration_slope(stretch * scores[known], stretch * scores[~known], prior)
    assert slope * stretch == pytest.approx(1.0, rel=0.25)  # labelling thins out U, hence not exactly one


def test_probabilities_of_separated_classes_keep_the_order_of_the_scores():
    rng = np.random.default_rng(0)
    P, U = rng.normal(1, 0.05, 200), np.r_[rng.normal(1, 0.05, 200), rng.normal(0, 0.05, 800)]
    slope = calibration_slope(P, U, 0.2)
    probability = expit(slope * U + prior_shift(slope * U, 0.2))
    assert len(np.unique(probability)) == len(U)
