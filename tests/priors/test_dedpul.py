"""DEDPUL against its definition written out plainly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import expit
from scipy.stats import gaussian_kde, norm

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


@pytest.mark.parametrize("sample", [[2.0], [2.0, 2.0, 2.0]])
def test_one_value_is_spread_as_all_scores_are(sample):
    sample, other, points = np.array(sample), np.array([-1.0, 3.0, 9.0]), np.array([1.0, 2.0, 4.5])
    exact = norm(2.0, 0.5 * np.r_[sample, other].std()).pdf(points)
    np.testing.assert_allclose(density_at(points, sample, 0.5, other) / 10, exact, rtol=5e-3)


def test_far_from_the_sample_its_density_is_nothing():
    ends = np.array([-90.0, 90.0])
    assert density_at(ends, np.arange(5.0), 0.5, ends).tolist() == [0, 0]


@given(hnp.arrays(float, st.integers(1, 60), elements=st.floats(-9, 9)), st.integers(0, 12))
def test_rolling_medians_shrink_symmetrically_at_the_ends(values, half):
    assert np.array_equal(rolling_median(values, half), plain_median(values, half))


def plain_median(values, half):
    reach = [min(half, i, len(values) - 1 - i) for i in range(len(values))]
    return [np.median(values[i - r : i + r + 1]) for i, r in enumerate(reach)]


def plain_ratio(P, U):
    """Steps 1 to 3: densities of y = sigmoid(-score), a floor under that of U, a cap, medians, monotone."""
    points = np.sort(U)[::-1]
    f_p, f_u = (density_at(points, sample, factor, other) / np.ptp(np.r_[P, U])
                for sample, factor, other in ((P, 0.1, U), (U, 0.05, P)))
    y = expit(-points)
    ratio = plain_median(np.minimum(f_p / (f_u + 1e-5 * (y * (1 - y) + 1e-5)), 50), 5)
    middle = (expit(-U).mean() + expit(-P).mean()) / 2
    for i in reversed(range(len(y) - 1)):
        if y[i + 1] <= middle:  # in the half of the positives it may not rise with y
            ratio[i] = max(ratio[i], ratio[i + 1])
    return np.sort(plain_median(np.array(ratio), len(y) // 20))[::-1]


@pytest.mark.parametrize(("gap", "scale", "n"), [
    (2, 1, 300), (4, 1, 313), (3, 3, 47), (2, 200, 300), (9, 0.1, 90)])
def test_the_ratio_equals_the_plain_one(gap, scale, n):
    rng = np.random.default_rng(n)
    U = scale * (np.r_[rng.normal(gap, 1, n // 5), rng.normal(0, 1, n - n // 5)] - gap / 2)
    P = scale * (rng.normal(gap, 1, 60) - gap / 2)
    np.testing.assert_allclose(density_ratio(P, U), plain_ratio(P, U), rtol=1e-9, atol=1e-12)


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


def test_a_share_below_two_percent_can_be_told():
    rng = np.random.default_rng(0)
    U = np.r_[rng.normal(5, 1, 100), rng.normal(-5, 1, 9_900)]
    assert dedpul(rng.normal(5, 1, 400), U) == pytest.approx(0.01, rel=0.15)
