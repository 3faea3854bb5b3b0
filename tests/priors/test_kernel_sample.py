"""The kernel of KM: of the published bandwidths the one under which P and U lie furthest apart."""

import numpy as np
import pytest

from halflabel.priors.kernel_sample import draw_sample


def literal(P, U):
    """-2 s^2 and the MMD, every bandwidth tried with the whole matrix."""
    X, contrast = np.r_[U, P], np.r_[np.full(len(U), 1 / len(U)), np.full(len(P), -1 / len(P))]
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    median = np.median(squared) or np.median(squared[squared > 0])
    widths = [-2 * median * times**2 for times in (0.1, 10**-0.5, 1, 10**0.5, 10)]
    mmds = [np.sqrt(max(contrast @ np.exp(squared / width) @ contrast, 0)) for width in widths]
    best = int(np.argmax(mmds))
    return best, widths[best], mmds[best]


RNG = np.random.default_rng(0)
SAMPLES = {
    "interleaved": (np.arange(0.0, 200, 2)[:, None], np.arange(1.0, 200, 2)[:, None], 0),
    "a narrow peak": (RNG.normal(0, 0.05, (300, 1)), RNG.normal(0, 1, (300, 1)), 1),
    "apart": (RNG.normal(3, 1, (200, 1)), RNG.normal(0, 1, (150, 1)), 2),
    "with an outlier": (np.r_[np.zeros((40, 1)), [[30.0]]], np.r_[np.ones((30, 1)), np.zeros((30, 1))], None),
    "mostly ties": (np.zeros((20, 2)), np.r_[np.zeros((30, 2)), np.ones((3, 2))], None),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_best_of_the_published_bandwidths_is_taken(name):
    P, U, expected = SAMPLES[name]
    best, width, mmd = literal(P, U)
    assert expected in (None, best)
    sample = draw_sample(P, U, (1000, 1000), np.random.default_rng(0))
    assert (sample.width, sample.mmd) == pytest.approx((width, mmd))
    for weights, mean in ((sample.in_u, U.mean(axis=0)), (sample.in_p, P.mean(axis=0))):
        np.testing.assert_allclose(weights @ np.r_[U, P], mean)


def test_points_that_are_all_one_do_no_harm():
    sample = draw_sample(np.ones((5, 1)), np.ones((7, 1)), (1000, 1000), np.random.default_rng(0))
    assert sample.mmd == pytest.approx(0, abs=1e-7)
    assert np.isfinite(sample.dense().K).all()


def test_scores_have_a_thin_factor_and_embeddings_have_none():
    rng = np.random.default_rng(0)
    scores = draw_sample(rng.normal(4, 1, (100, 1)), rng.normal(0, 1, (100, 1)), (1000, 1000), rng)
    thin = scores.thin()
    assert thin is not None
    assert thin.G.shape[1] <= 50
    np.testing.assert_allclose(thin.G @ thin.G.T, scores.dense().K, atol=1e-12)
    embeddings = rng.normal(4, 1, (100, 9)), rng.normal(0, 1, (100, 9))
    assert draw_sample(*embeddings, (1000, 1000), rng).thin() is None
