"""The diagnosis sees P and U only, and says the right thing where the truth is simulated."""

import numpy as np
import pytest

from halflabel.crossfit import CrossFit
from halflabel.diagnose import diagnose_prior


def mixture(gap: float, n_known: int = 500, n_unlabelled: int = 4000) -> CrossFit:
    """Scores of Gaussian classes `gap` standard deviations apart; a fifth of U is positive."""
    rng = np.random.default_rng(0)
    positive = np.r_[np.ones(n_known, bool), np.arange(n_unlabelled) < n_unlabelled // 5]
    scores = rng.normal(size=len(positive)) + gap * positive
    known = np.arange(len(positive)) < n_known
    return CrossFit(scores, known, rng.integers(5, size=len(positive)))


def test_separated_classes_are_trusted():
    diagnosis = diagnose_prior(mixture(gap=5))
    assert diagnosis.trustworthy
    assert diagnosis.prior == pytest.approx(0.2, abs=0.02)
    assert diagnosis.separation > 0.99
    assert diagnosis.words()[0].startswith("Nothing in the scores speaks against")


@pytest.mark.parametrize("gap", [0.3, 1.0])
def test_overlapping_classes_give_an_upper_bound(gap):
    diagnosis = diagnose_prior(mixture(gap))
    assert diagnosis.overlapping
    assert not diagnosis.trustworthy
    assert diagnosis.prior > 0.3  # too high indeed
    assert diagnosis.words()[0] == "Take the prior for an upper bound."


def test_a_curve_that_falls_to_the_top_is_noticed():
    """A fifth of the negatives is as high as the positives, but for the very highest."""
    rng = np.random.default_rng(0)
    positive = rng.normal(3, 1, 4000)
    negative = np.r_[rng.normal(2.2, 0.5, 2000), rng.normal(-3, 1, 8000)]
    scores = np.r_[positive, negative]
    known = np.arange(len(scores)) < 2000
    diagnosis = diagnose_prior(CrossFit(scores, known, rng.integers(5, size=len(scores))))
    assert diagnosis.falling
    assert any("still falls" in sentence for sentence in diagnosis.words())


def test_few_positives_are_rough():
    diagnosis = diagnose_prior(mixture(gap=5, n_known=20))
    assert diagnosis.positives_above <= 20
    assert diagnosis.words()[0] == "Take the prior as rough."


def test_the_separation_is_the_auc_of_positives_against_negatives():
    fitted = mixture(gap=1.5, n_known=2000, n_unlabelled=20_000)
    positive = np.arange(len(fitted.scores)) < 2000 + 4000
    truth = (fitted.scores[positive][:, None][:2000] > fitted.scores[~positive][None, :2000]).mean()
    diagnosis = diagnose_prior(fitted)
    implied = (0.2 / 2 + 0.8 * truth - diagnosis.prior / 2) / (1 - diagnosis.prior)
    assert diagnosis.separation == pytest.approx(implied, abs=0.02)


def test_equal_scores_do_not_break_it():
    fitted = CrossFit(np.zeros(100), np.arange(100) < 10, np.arange(100) % 5)
    assert not diagnose_prior(fitted).trustworthy


def test_a_single_network_is_not_said_to_disagree():
    several = mixture(gap=5)
    diagnosis = diagnose_prior(CrossFit(several.scores, several.known, np.zeros_like(several.fold)))
    assert diagnosis.fold_spread == 0.0
    assert diagnosis.trustworthy
