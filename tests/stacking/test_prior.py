"""The prior of blended scores: right where its assumption holds, and an interval that admits disagreement."""

import numpy as np
import pytest

from halflabel.priors import estimate_prior
from halflabel.stacking.prior import normal_scores, sigmoid_prior, stacked_prior

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("prior", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("apart", [1.5, 3.0])
def test_the_sigmoid_prior_of_two_equal_gaussians_is_right(prior, apart):
    # Equal variances are the case in which the probability is a sigmoid of the score.
    n = 20_000
    positive = RNG.random(n) < prior
    U = RNG.normal(size=n) + apart * positive
    assert sigmoid_prior(RNG.normal(size=5_000) + apart, U) == pytest.approx(prior, abs=0.06)


def test_the_interval_holds_every_estimate():
    P, U = RNG.normal(1, 1, 200), np.r_[RNG.normal(1, 1, 300), RNG.normal(-1, 1, 700)]
    prior = stacked_prior(P, U)
    P, U = normal_scores(P, U)
    for estimate in (estimate_prior(P, U).value, estimate_prior(P, U, "dedpul").value, sigmoid_prior(P, U)):
        assert prior.low <= estimate <= prior.high
    assert prior.low <= prior.value <= prior.high


def test_a_sigmoid_estimate_of_next_to_nothing_is_not_believed(monkeypatch):
    P, U = RNG.normal(1, 1, 200), np.r_[RNG.normal(1, 1, 300), RNG.normal(-1, 1, 700)]
    monkeypatch.setattr("halflabel.stacking.prior.sigmoid_prior", lambda scores_p, scores_u: 0.002)
    assert stacked_prior(P, U).value > 0.8 * estimate_prior(P, U, "dedpul").value


def test_only_the_ranking_counts():
    P, U = RNG.normal(1, 1, 200), np.r_[RNG.normal(1, 1, 300), RNG.normal(-1, 1, 700)]
    assert stacked_prior(np.exp(P), np.exp(U)) == stacked_prior(P, U)


def test_constant_scores_have_a_prior_all_the_same():
    prior = stacked_prior(np.zeros(10), np.zeros(30))
    assert 0 <= prior.low <= prior.value <= prior.high <= 1
