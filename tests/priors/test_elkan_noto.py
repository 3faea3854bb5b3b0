"""Elkan-Noto: ratio of mean probabilities, compared with pulearn's."""

import numpy as np
import pytest
from scipy.special import expit

from halflabel.priors import share_among_unlabelled
from halflabel.priors.elkan_noto import elkan_noto, elkan_noto_interval


def test_equals_the_plain_ratio():
    rng = np.random.default_rng(0)
    P, U = rng.normal(1, 2, 50), rng.normal(-1, 2, 200)
    assert elkan_noto(P, U) == pytest.approx(expit(U).mean() / expit(P).mean())


def test_logits_whose_probabilities_vanish_still_have_a_ratio():
    P, U = np.array([-800.0, -800.0]), np.array([-800.0, -900.0])
    assert elkan_noto(P, U) == pytest.approx(0.5)
    low, high = elkan_noto_interval(P, U, replicates=50)
    assert 0 <= low <= 0.5 <= high <= 1


@pytest.mark.parametrize(("prior", "n_p", "n_u", "gap"), [
    (0.1, 200, 800, 4.0), (0.1, 1000, 4000, 4.0), (0.3, 1000, 4000, 4.0), (0.6, 1000, 4000, 6.0),
])
def test_the_interval_covers_in_spite_of_the_bias(prior, n_p, n_u, gap):
    """Of nominally 90 %, at least 85 %; the bootstrap alone covers 0 to 10 % where classes are 4 apart."""
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

    The two forms are one if p is calibrated, for then the mean of p over all nodes is P(labelled); a logistic
    regression is so on its training data. What remains is the accident of pulearn's hold-out.
    """
    pulearn = pytest.importorskip("pulearn")
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(3, 1, (1000, 2)), rng.normal(3, 1, (600, 2)), rng.normal(-3, 1, (1400, 2))]
    y = np.r_[np.ones(1000), -np.ones(2000)].astype(int)
    theirs = pulearn.ElkanotoPuClassifier(LogisticRegression(), hold_out_ratio=0.2, random_state=0).fit(X, y)
    # Its hold-out takes from both kinds alike, so that the share of labelled nodes stays a third.
    over_all = (1000 / 3000) / theirs.c
    logits = LogisticRegression().fit(X, y).decision_function(X)
    ours = elkan_noto(logits[:1000], logits[1000:])
    assert ours == pytest.approx(share_among_unlabelled(over_all, 1000, 2000), abs=0.03)
    assert ours == pytest.approx(0.3, abs=0.03)
