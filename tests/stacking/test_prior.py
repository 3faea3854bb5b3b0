"""The prior of blended scores: right where its assumption holds, and an interval that admits disagreement."""

import numpy as np
import pytest
from scipy.special import logit

from halflabel.priors import estimate_prior
from halflabel.priors.dedpul import dedpul
from halflabel.priors.ranks import normal_scores
from halflabel.stacking.prior import sigmoid_prior, smoothed_dedpul, stacked_prior


@pytest.mark.parametrize("prior", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("apart", [1.5, 3.0])
def test_the_sigmoid_prior_of_two_equal_gaussians_is_right(prior, apart, rng):
    # Equal variances are the case in which the probability is a sigmoid of the score.
    n = 20_000
    positive = rng.random(n) < prior
    U = rng.normal(size=n) + apart * positive
    assert sigmoid_prior(rng.normal(size=5_000) + apart, U) == pytest.approx(prior, abs=0.06)


def test_the_interval_holds_every_estimate(rng):
    P, U = rng.normal(1, 1, 200), np.r_[rng.normal(1, 1, 300), rng.normal(-1, 1, 700)]
    prior = stacked_prior(P, U)
    P, U = normal_scores(P, U)
    for estimate in (estimate_prior(P, U).value, estimate_prior(P, U, "dedpul").value, sigmoid_prior(P, U)):
        assert prior.low <= estimate <= prior.high
    assert prior.low <= prior.value <= prior.high


@pytest.mark.parametrize("said", [0.002, 0.98])
@pytest.mark.parametrize("estimate", ["sigmoid_prior", "best_bin"])
def test_no_estimate_is_believed_that_is_far_from_dedpul(monkeypatch, estimate, said, rng):
    P, U = rng.normal(1, 1, 200), np.r_[rng.normal(1, 1, 300), rng.normal(-1, 1, 700)]
    middle = smoothed_dedpul(*normal_scores(P, U))
    monkeypatch.setattr(f"halflabel.stacking.prior.{estimate}", lambda scores_p, scores_u: said)
    prior = stacked_prior(P, U)
    assert abs(logit(prior.value) - logit(middle)) <= 2 / 3 * np.log(2) + 1e-9
    if estimate == "best_bin":  # believed or not, it bounds the prior from above
        assert prior.high >= said


@pytest.mark.parametrize("share", [0.01, 0.03, 0.3])
def test_the_prior_of_separated_classes_is_right_even_if_positives_are_rare(share, rng):
    n = 10_000
    positive = np.arange(n) < share * n
    prior = stacked_prior(rng.normal(8, 1, 200), rng.normal(size=n) + 8 * positive)
    assert prior.value == pytest.approx(share, rel=0.15)
    assert prior.low <= share <= prior.high


def test_few_known_positives_count_all_the_same(rng):
    """Twelve known, twelve hidden: as published, `dedpul` takes each bump of a density for a class."""
    smooth, published = [], []
    for _ in range(20):
        P, U = normal_scores(rng.normal(4, 1, 12), np.r_[rng.normal(4, 1, 12), rng.normal(0, 1, 180)])
        smooth.append(logit(smoothed_dedpul(P, U)) - logit(1 / 16))
        published.append(logit(np.clip(dedpul(P, U), 1e-3, 1)) - logit(1 / 16))
    assert np.mean(np.abs(smooth)) < 0.75 * np.mean(np.abs(published))
    assert abs(np.mean(smooth)) < 0.5 * abs(np.mean(published))


def test_scores_that_say_nothing_bound_the_prior_from_above_only(rng):
    assert stacked_prior(rng.normal(size=200), rng.normal(size=1000)).low == 0


def test_the_prior_is_bounded_from_below_where_nearly_all_are_positive_and_stand_out(rng):
    U = np.r_[rng.normal(8, 1, 8_500), rng.normal(size=1_500)]  # AUC of P against U .575, of P against N 1
    prior = stacked_prior(rng.normal(8, 1, 5_000), U)
    assert 0.5 < prior.low < 0.85 < prior.high


def test_only_the_ranking_counts(rng):
    P, U = rng.normal(1, 1, 200), np.r_[rng.normal(1, 1, 300), rng.normal(-1, 1, 700)]
    assert stacked_prior(np.exp(P), np.exp(U)) == stacked_prior(P, U)


def test_constant_scores_have_a_prior_all_the_same():
    prior = stacked_prior(np.zeros(10), np.zeros(30))
    assert 0 <= prior.low <= prior.value <= prior.high <= 1
