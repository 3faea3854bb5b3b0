"""DEDPUL against its definition written out plainly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import gaussian_kde

from halflabel.priors.dedpul import dedpul, density_ratio, rolling_median
from halflabel.priors.density import density_at


@pytest.mark.parametrize("factor", [0.05, 0.1, 0.5])
def test_binned_densities_are_those_of_scipy(factor):
    rng = np.random.default_rng(0)
    sample, points = rng.standard_t(3, 500), rng.normal(0, 2, 300)
    width = max(sample.max(), points.max()) - min(sample.min(), points.min())
    ours = density_at(points, sample, factor, points) / width
    exact = gaussian_kde(sample, factor)(points)
    assert np.abs(ours - exact).max() < 2e-3 * exact.max()


@given(hnp.arrays(float, st.integers(1, 60), elements=st.floats(-9, 9)), st.integers(0, 12))
def test_rolling_medians_shrink_symmetrically_at_the_ends(values, half):
    half = min(half, (len(values) - 1) // 2)
    reach = [min(half, i, len(values) - 1 - i) for i in range(len(values))]
    plain = [np.median(values[i - r : i + r + 1]) for i, r in enumerate(reach)]
    assert np.array_equal(rolling_median(values, half), plain)


def plain_share(ratio):
    """Steps 4 and 5 of the published algorithm, loop by loop; ratio of P to U."""
    def posterior(alpha):
        return np.maximum(0, 1 - ratio * (1 - alpha))

    by_em = 0.0
    for _ in range(1000):
        now = posterior(by_em)
        previous, by_em = by_em, now.mean()
        if abs(by_em - previous) < 1e-5 or now.min() > 0:
            break
    grid = np.arange(1000) / 1000
    error = np.array([posterior(alpha).mean() - alpha for alpha in grid])
    second = error[2:] - 2 * error[1:-1] + error[:-2]
    near = error[1:-1] < 0.05
    kink = grid[1:-1][near][np.argmax(second[near])]
    return by_em if kink >= by_em or (np.sum(error < 0) > 1 and by_em < 0.999) else kink


@pytest.mark.parametrize("gap", [1, 2, 4])
@pytest.mark.parametrize("prior", [0.05, 0.4, 0.8])
def test_equals_the_plain_algorithm(gap, prior):
    rng = np.random.default_rng(gap)
    k = round(1000 * prior)
    P, U = rng.normal(gap, 1, 400), np.r_[rng.normal(gap, 1, k), rng.normal(0, 1, 1000 - k)]
    assert dedpul(P, U) == pytest.approx(1 - plain_share(density_ratio(P, U)), abs=2e-3)


def test_it_is_the_share_of_positives_not_of_negatives():
    rng = np.random.default_rng(0)
    U = np.r_[rng.normal(10, 2, 100), rng.normal(-10, 2, 900)]
    assert dedpul(rng.normal(10, 2, 300), U) == pytest.approx(0.1, abs=0.03)


def test_no_positive_among_the_unlabelled_and_nothing_else():
    rng = np.random.default_rng(0)
    assert dedpul(rng.normal(20, 1, 200), rng.normal(-20, 1, 500)) < 0.01
    assert dedpul(rng.normal(0, 1, 2000), rng.normal(0, 1, 2000)) > 0.8


@pytest.mark.parametrize("spacing", [0.0, 1e-16, 1e-15, 1e-14])
def test_scores_that_differ_by_rounding_only_are_one_value(spacing):
    """The mean of equal numbers may be off by a bit, which made a bandwidth of 21 of them, and no grid."""
    scores_p, scores_u = spacing * np.arange(21.0), np.array([1.0, -0.984375])
    assert dedpul(scores_p, scores_u) == pytest.approx(dedpul(np.zeros(21), scores_u))
