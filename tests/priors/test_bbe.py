"""Best-bin estimation against its definition, on simulated mixtures, and its interval."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from halflabel.priors import best_bin, best_bin_interval
from halflabel.priors.bbe import _best_ratio, chosen_bin, counts_above

# Few distinct values: ties are the rule.
TIED = hnp.arrays(float, st.integers(1, 40), elements=st.integers(-4, 4))
FREE = hnp.arrays(float, st.integers(1, 40), elements=st.floats(-100, 100))


def literal_best_bin(scores_p, scores_u, delta=0.1, gamma=0.01):
    """Garg et al., word for word, one threshold at a time."""
    n_p, n_u = len(scores_p), len(scores_u)
    eps = (1 + gamma) * (np.sqrt(np.log(4 / delta) / (2 * n_p)) + np.sqrt(np.log(4 / delta) / (2 * n_u)))
    best, estimate = np.inf, 0.0
    for c in sorted(set(scores_u.tolist()), reverse=True):
        above_p, above_u = sum(scores_p >= c), sum(scores_u >= c)
        if above_p < 2 or above_u < 2:
            continue
        q_p, q_u = above_p / n_p, above_u / n_u
        if (q_u + eps) / q_p < best:
            best, estimate = (q_u + eps) / q_p, q_u / q_p
    return min(estimate, 1.0)


def mixture(seed, prior, n_p, n_u, gap):
    """Scores of positives and of a mixture, and the share of positives that the mixture happens to have."""
    rng = np.random.default_rng(seed)
    hidden = rng.binomial(n_u, prior)
    scores_u = np.r_[rng.normal(gap, 1, hidden), rng.normal(0, 1, n_u - hidden)]
    return rng.normal(gap, 1, n_p), scores_u, hidden / n_u


@given(st.one_of(TIED, FREE), st.one_of(TIED, FREE), st.sampled_from([0.01, 0.1, 0.5]))
@settings(deadline=None)
def test_equals_the_literal_definition(scores_p, scores_u, delta):
    got = best_bin(scores_p, scores_u, delta=delta)
    assert got == pytest.approx(literal_best_bin(scores_p, scores_u, delta), abs=1e-12)
    assert 0 <= got <= 1


def test_equals_the_literal_definition_on_a_mixture():
    scores_p, scores_u, _ = mixture(0, 0.3, 200, 600, gap=2)
    assert best_bin(scores_p, scores_u) == pytest.approx(literal_best_bin(scores_p, scores_u), abs=1e-12)


@pytest.mark.parametrize("prior", [0.05, 0.2, 0.5, 0.8])
def test_separable_mixtures_are_estimated_closely(prior):
    errors = []
    for seed in range(10):
        scores_p, scores_u, true = mixture(seed, prior, 500, 2000, gap=5)
        errors.append(abs(best_bin(scores_p, scores_u) - true))
    assert np.mean(errors) < 0.02


def test_overlap_biases_upward_never_to_zero():
    """The bare minimum of the paper's Eq. 7 collapses; the estimate with its confidence term does not."""
    for seed in range(10):
        scores_p, scores_u, true = mixture(seed, 0.2, 300, 1000, gap=1.5)
        assert true - 0.05 < best_bin(scores_p, scores_u) < 0.6


@pytest.mark.parametrize("transform", [np.exp, np.arctan, lambda s: s**3, lambda s: 1 / (1 + np.exp(-s))])
def test_only_the_order_of_scores_matters(transform):
    scores_p, scores_u, _ = mixture(0, 0.3, 100, 400, gap=2)
    there = transform(scores_p), transform(scores_u)
    assert best_bin(*there) == best_bin(scores_p, scores_u)
    assert best_bin_interval(*there) == best_bin_interval(scores_p, scores_u)


def test_the_order_of_the_nodes_does_not_matter():
    scores_p, scores_u, _ = mixture(0, 0.3, 100, 400, gap=2)
    shuffled = np.random.default_rng(1).permutation
    assert best_bin(shuffled(scores_p), shuffled(scores_u)) == best_bin(scores_p, scores_u)


@pytest.mark.parametrize(("scores_p", "scores_u", "wanted"), [
    ([1.0] * 5, [1.0] * 5, 1.0),  # nothing tells them apart
    ([2.0] * 5, [1.0] * 5, 1.0),  # the only threshold has all of U above it
    ([1.0] * 5, [2.0] * 5, 0.0),  # no threshold has positives above it
    ([3.0, 3.0, 3.0], [3.0, 3.0, 0.0, 0.0], 0.5),
    ([1.0], [1.0, 0.0], 0.0),  # too few to say anything
    ([1.0, 1.0], [1.0], 0.0),
])
def test_ties_and_very_few_scores(scores_p, scores_u, wanted):
    scores_p, scores_u = np.array(scores_p), np.array(scores_u)
    assert best_bin(scores_p, scores_u) == wanted
    low, high = best_bin_interval(scores_p, scores_u)
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize(("prior", "n_p", "n_u", "gap"), [
    (0.2, 200, 1000, 4), (0.5, 100, 300, 4), (0.5, 100, 300, 6), (0.3, 40, 150, 6),
])
def test_the_interval_covers_the_share_among_the_unlabelled(prior, n_p, n_u, gap):
    """Of nominally 90 %, at least 85 %, for the share in the very sample, which is what `prior_` estimates.

    For the share in the population that the sample comes from, which varies more, coverage is 89 to 93 % in
    these settings.
    """
    covered, seeds = 0, 200
    for seed in range(seeds):
        scores_p, scores_u, true = mixture(seed, prior, n_p, n_u, gap)
        low, high = best_bin_interval(scores_p, scores_u, replicates=200, random_state=seed)
        covered += low <= true <= high
    assert covered / seeds >= 0.85


def test_the_interval_is_an_interval_of_the_estimate():
    scores_p, scores_u, _ = mixture(0, 0.3, 300, 3000, gap=3)
    estimate = best_bin(scores_p, scores_u)
    narrow, wide = (best_bin_interval(scores_p, scores_u, level=level) for level in (0.5, 0.95))
    assert wide[0] < narrow[0] < estimate < narrow[1] < wide[1]


def test_more_data_narrow_the_interval():
    widths = [np.ptp(best_bin_interval(*mixture(0, 0.3, n, 4 * n, gap=4)[:2])) for n in (50, 500)]
    assert widths[1] < widths[0] / 2


def test_the_seed_decides_the_interval():
    scores_p, scores_u, _ = mixture(0, 0.3, 50, 200, gap=2)
    first, again, other = (best_bin_interval(scores_p, scores_u, random_state=s) for s in (0, 0, 1))
    assert first == again != other
    assert best_bin_interval(scores_p, scores_u) == first


@pytest.mark.parametrize(("in_the_middle", "wanted"), [(37, 0.47), (38, 0.2)])
def test_the_confidence_term_decides_between_two_thresholds(in_the_middle, wanted):
    """eps = 1.01 * 2 sqrt(log(4 / .1) / 200) = .2743: half of P above a tenth of U wins from .4743 on."""
    scores_p = np.repeat([2.0, 1.0], 50)
    scores_u = np.repeat([2.0, 1.0, 0.0], [10, in_the_middle, 90 - in_the_middle])
    assert best_bin(scores_p, scores_u) == pytest.approx(wanted)
    counts = counts_above(scores_p, scores_u)
    assert (chosen_bin(*counts, 100, 100) == 0) == (wanted == 0.2)


def test_a_sample_without_a_usable_threshold_says_zero_whatever_the_others_say():
    above_p, above_u = np.array([[1, 1], [2, 4]]), np.array([[2, 4], [2, 4]])
    assert _best_ratio(above_p, above_u, 4, 4, 0.1, 0.01).tolist() == [0, 1]
