"""Elkan-Noto: ratio of mean probabilities, compared with pulearn's."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

from halflabel.priors import share_among_unlabelled
from halflabel.priors.elkan_noto import elkan_noto, elkan_noto_interval


def test_equals_the_plain_ratio_of_probabilities_calibrated_by_scikit_learn():
    rng = np.random.default_rng(0)
    P, U = rng.normal(1, 2, 50).round(1), rng.normal(-1, 2, 200).round(1)  # with ties
    labelled = np.r_[np.ones(50), np.zeros(200)]
    p = IsotonicRegression().fit(np.r_[P, U], labelled).predict(np.r_[P, U])
    assert elkan_noto(P, U) == pytest.approx(p[50:].mean() / p[:50].mean())


def test_only_the_order_of_scores_matters():
    """Logits of any loss, or their probabilities, have the same answer."""
    rng = np.random.default_rng(1)
    P, U = rng.normal(1, 1, 50), rng.normal(-1, 1, 200)
    assert elkan_noto(P, U) == elkan_noto(expit(P - 3), expit(U - 3))


def test_ends_of_the_range():
    assert elkan_noto(np.ones(5), np.ones(9)) == 1
    assert elkan_noto(np.ones(5), np.zeros(9)) == 0
    assert elkan_noto(np.zeros(5), np.ones(9)) == 1  # the wrong way round


@pytest.mark.parametrize("prior", [0.05, 0.2, 0.5, 0.8])
def test_separated_classes_are_estimated_within_three_points(prior):
    rng = np.random.default_rng(2)
    positive = round(prior * 4000)
    U = np.r_[rng.normal(4, 1, positive), rng.normal(0, 1, 4000 - positive)]
    assert elkan_noto(rng.normal(4, 1, 1000), U) == pytest.approx(prior, abs=0.03)


@pytest.mark.parametrize(("prior", "n_p", "n_u", "gap"), [
    (0.1, 200, 800, 4.0), (0.3, 1000, 4000, 4.0),
    pytest.param(0.1, 1000, 4000, 4.0, marks=pytest.mark.slow),
    pytest.param(0.6, 1000, 4000, 6.0, marks=pytest.mark.slow),
])
def test_the_interval_covers_in_spite_of_the_bias(prior, n_p, n_u, gap):
    """Of nominally 90 %, at least 85 %; the bootstrap alone covers down to 2 % where classes are 4 apart."""
    covered, seeds = 0, 100
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        positive = rng.binomial(n_u, prior)
        U = np.r_[rng.normal(gap, 1, positive), rng.normal(0, 1, n_u - positive)]
        logits_p, logits_u = (gap * (X - gap / 2) for X in (rng.normal(gap, 1, n_p), U))
        low, high = elkan_noto_interval(logits_p, logits_u, replicates=100, random_state=seed)
        assert low <= elkan_noto(logits_p, logits_u) <= high
        covered += low <= prior <= high
    assert covered / seeds >= 0.85


def test_agrees_with_pulearn():
    """pulearn has c = mean_P p on held-out positives; P(labelled)/c is the share among ALL, converted here.

    The two forms are one if p is calibrated, for then the mean of p over all nodes is P(labelled): pulearn is
    given a calibrated classifier. With a plain logistic regression it says .35.
    """
    pulearn = pytest.importorskip("pulearn")
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(3, 1, (1000, 2)), rng.normal(3, 1, (600, 2)), rng.normal(-3, 1, (1400, 2))]
    y = np.r_[np.ones(1000), -np.ones(2000)].astype(int)
    shuffled = rng.permutation(3000)  # the folds of the calibration are not
    X, y = X[shuffled], y[shuffled]
    calibrated = CalibratedClassifierCV(LogisticRegression(), method="isotonic")
    theirs = pulearn.ElkanotoPuClassifier(calibrated, hold_out_ratio=0.2, random_state=0).fit(X, y)
    # Its hold-out takes from both kinds alike, so that the share of labelled nodes stays a third.
    over_all = (1000 / 3000) / theirs.c
    logits = LogisticRegression().fit(X, y).decision_function(X)
    ours = elkan_noto(logits[y == 1], logits[y == -1])
    assert ours == pytest.approx(share_among_unlabelled(over_all, 1000, 2000), abs=0.03)
    assert ours == pytest.approx(0.3, abs=0.03)
