"""The prior from independent views: right where classes overlap, and less a matter of who is known."""

import numpy as np
import pytest

from halflabel.auc import pu_auc
from halflabel.priors.dedpul import dedpul
from halflabel.priors.products import share_of_products
from halflabel.priors.ranks import normal_scores


def views(seed, prior, known=1000, nodes=3000, apart=1.5):
    """Scores of P and of U by three views; the hidden positives come first."""
    rng = np.random.default_rng(seed)
    hidden = round(prior * nodes)
    P = rng.normal(apart, 1, (3, known))
    U = np.c_[rng.normal(apart, 1, (3, hidden)), rng.normal(0, 1, (3, nodes - hidden))]
    return P, U


@pytest.mark.parametrize("prior", [0.1, 0.3, 0.6])
def test_overlapping_classes(prior):
    assert share_of_products(*views(0, prior)) == pytest.approx(prior, abs=0.03)


def test_it_matters_less_who_is_known():
    """Known positives rank above or below hidden ones by chance; how much an estimate follows."""
    luck, by_views, by_scores = [], [], []
    for seed in range(20):
        P, U = views(seed, 1 / 3, known=50, nodes=150, apart=2)
        luck.append(pu_auc(P.sum(axis=0), U[:, :50].sum(axis=0)) - 0.5)
        by_views.append(share_of_products(P, U))
        by_scores.append(dedpul(*normal_scores(P.sum(axis=0), U.sum(axis=0))))
    slopes = [np.polyfit(luck, shares, 1)[0] for shares in (by_views, by_scores)]
    assert 0.8 * slopes[1] < slopes[0] < 0


def test_views_that_err_together_look_like_a_class():
    P, U = views(0, 0.1)
    together = U.copy()
    together[:, 300:] = U[0, 300:]
    assert share_of_products(P, together) > share_of_products(P, U) + 0.1


def test_only_the_order_within_a_view_matters():
    P, U = views(0, 0.3, known=50, nodes=200)
    assert share_of_products(np.exp(P), np.exp(U)) == share_of_products(P, U)


@pytest.mark.parametrize("known", [1, 5])
def test_hardly_anything_to_go_by(known):
    P, U = views(0, 0.5, known=known, nodes=4)
    assert 0 <= share_of_products(P, U) <= 1
    assert 0 <= share_of_products(np.zeros_like(P), np.zeros_like(U)) <= 1
