"""TIcE: the label frequency where its lower bound is largest, as the share of positives in U."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halflabel.errors import DataError
from halflabel.priors import tice as module
from halflabel.priors.tice import tice, tice_interval


def mixture(seed, n_p, n_u, share, d=1, gap=6.0):
    rng = np.random.default_rng(seed)
    shift = np.r_[gap, np.zeros(d - 1)]
    n_pos = round(share * n_u)
    P = rng.normal(size=(n_p, d)) + shift
    return P, np.r_[rng.normal(size=(n_pos, d)) + shift, rng.normal(size=(n_u - n_pos, d))]


@pytest.mark.parametrize("d", [1, 5])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_bounds_the_share_from_above_and_not_by_much(share, d):
    """The bound subtracts about sqrt(c (1-c) 15 / T) from c, hence the room, which grows with the share."""
    high = tice_interval(*mixture(0, 1000, 4000, share, d))[1]
    assert share - 0.02 < high < share + 0.03 + 0.3 * share


@pytest.mark.parametrize("gap", [4.0, 6.0])
@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.8])
def test_the_estimate_is_near_the_share_where_what_is_published_is_too_high(share, gap):
    samples = [mixture(seed, 1000, 4000, share, gap=gap) for seed in range(10)]
    errors = [tice(*sample) - share for sample in samples]
    published = [module._priors(*sample, 0).low - share for sample in samples]
    assert np.mean(np.abs(errors)) < 0.03
    assert np.mean(published) > 0.02 + 0.1 * share


def test_more_data_tighten_bound_and_estimate():
    small, large = (mixture(1, n, 4 * n, 0.3) for n in (1000, 25_000))
    assert abs(tice_interval(*large)[1] - 0.3) < abs(tice_interval(*small)[1] - 0.3)
    assert tice_interval(*large)[1] == pytest.approx(0.3, abs=0.04)
    assert tice(*large) == pytest.approx(0.3, abs=0.01)


def test_a_choice_among_many_regions_is_optimistic_but_less_wrong_than_the_bound():
    """Fifteen features of noise offer as many cuts of a pure region, and the best by chance is taken."""
    samples = [mixture(seed, 1000, 4000, 0.5, d=16) for seed in range(5)]
    bias = np.mean([tice(*sample) for sample in samples]) - 0.5
    bound = np.mean([tice_interval(*sample)[1] for sample in samples]) - 0.5
    assert -bound < bias < -0.02


def test_is_the_share_of_positives_not_of_negatives():
    """What copies of the authors' script return would be .9 here; a hard-coded s = .5 would fail as well."""
    assert tice(*mixture(2, 4000, 4000, 0.1)) < 0.2


def test_bound_of_one_pure_region_by_hand():
    """Two separated values: the best region is all positives, 400 labelled of 500, on four folds of it."""
    P, U = np.ones(400), np.r_[np.ones(100), np.zeros(500)]
    pieces = np.r_[np.full(500, 3), np.zeros(500, dtype=int)]
    codes = (2 * pieces + (np.arange(1000) < 400))[:, None]
    in_tree = np.arange(1000) % 5 == 0
    delta = max(0.025, 1 / (1 + 0.004 * 800))
    margin = np.sqrt(0.25 * (1 - delta) / delta / 400)
    low, up = 320 / 400 - margin, 320 / 400 + margin
    assert module._best_bounds(codes, in_tree, 0.5) == pytest.approx((low, 0.8, low, up))
    assert tice(P, U) == pytest.approx(1 / 6, abs=0.01)


@pytest.mark.parametrize(("share", "n_p", "n_u", "gap"), [
    (0.1, 200, 800, 6.0), (0.6, 200, 800, 4.0), (0.3, 500, 1000, 4.0), (0.3, 40, 150, 6.0),
    (0.1, 20, 80, 4.0),
])
def test_the_interval_covers_the_share(share, n_p, n_u, gap):
    """Of nominally 90 %, at least 85 %; with the margin of c_low alone, 60 to 80 % on few points."""
    covered, seeds = 0, 100
    for seed in range(seeds):
        P, U = mixture(seed, n_p, n_u, share, gap=gap)
        low, high = tice_interval(P, U, random_state=seed)
        assert 0 <= low <= tice(P, U, random_state=seed) <= high <= 1
        covered += low <= share <= high
    assert covered / seeds >= 0.85


def test_what_is_published_is_the_upper_end_unless_points_are_few():
    many, few = mixture(0, 200, 800, 0.3), mixture(0, 40, 160, 0.3)
    assert tice_interval(*many)[1] == module._priors(*many, 0).low
    assert tice_interval(*few)[1] > module._priors(*few, 0).low


def test_more_data_narrow_the_interval_once_delta_has_reached_its_floor():
    widths = [np.ptp(tice_interval(*mixture(1, n, 4 * n, 0.3))) for n in (2500, 25_000)]
    assert widths[1] < widths[0] / 2


def test_without_a_pure_region_nothing_bounds_the_share_from_below():
    """P spreads like U: no region beats the share of labelled points in all."""
    rng = np.random.default_rng(0)
    low, high = tice_interval(rng.normal(size=100), rng.normal(size=400))
    assert low < 0.2
    assert high > 0.9


def test_no_positive_in_u_gives_almost_nothing():
    assert tice(*mixture(3, 2000, 4000, 0.0)) < 0.05


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(0.01, 100), st.floats(-50, 50))
def test_affine_maps_of_a_feature_do_not_matter(seed, scale, shift):
    # Values on an uneven lattice, away from the borders between quarters, which rounding could move.
    rng = np.random.default_rng(seed)
    values = np.r_[0, rng.uniform([0.05, 0.3, 0.55, 0.8], [0.2, 0.45, 0.7, 0.95]), 1]
    P, U = values[rng.integers(3, 6, 100)], values[np.r_[rng.integers(0, 6, 198), 0, 5]]
    assert tice(P, U) == tice(P * scale + shift, U * scale + shift)


def test_constant_and_repeated_features_change_nothing():
    P, U = mixture(4, 300, 600, 0.3, d=2)
    with_constant = [np.c_[X, np.full(len(X), 7.0)] for X in (P, U)]
    assert tice(*with_constant) == tice(P, U)


def test_order_of_rows_matters_only_through_the_folds():
    P, U = mixture(5, 1000, 2000, 0.3)
    shuffled = np.random.default_rng(0).permutation(len(U))
    assert tice(P, U[shuffled]) == pytest.approx(tice(P, U), abs=0.03)


def test_seeded():
    P, U = mixture(6, 300, 600, 0.3)
    assert tice(P, U, random_state=3) == tice(P, U, random_state=3)
    assert len({tice(P, U, random_state=seed) for seed in range(5)}) > 1


@pytest.mark.parametrize(("n_p", "n_u"), [(1, 1), (1, 3), (3, 5)])
def test_too_few_points_exclude_almost_nothing(n_p, n_u):
    assert tice(np.ones(n_p), np.zeros(n_u)) > 0.9
    assert tice_interval(np.ones(n_p), np.zeros(n_u))[0] == 0


@pytest.mark.parametrize("estimate", [0.0, 1.0])
def test_extreme_current_estimates_do_no_harm(estimate):
    codes = (2 * np.r_[np.full(50, 3), np.zeros(50, dtype=int)] + (np.arange(100) < 50))[:, None]
    assert module._best_bounds(codes, np.arange(100) % 5 == 0, estimate) == (1.0, 1.0, 1.0, 1.0)


def test_ties_saturated_scores_and_huge_values():
    P, U = np.r_[np.ones(90), np.full(10, 0.5)], np.r_[np.ones(60), np.zeros(240)]
    assert 0.15 < tice(P, U) < 0.5
    assert tice(P * 1e307, U * 1e307) == tice(P, U)


def test_constant_input_is_refused():
    with pytest.raises(DataError, match="are the same"):
        tice(np.ones(5), np.ones(9))


@pytest.mark.parametrize("d", [2, 3])
def test_a_region_that_takes_a_cut_of_every_feature_is_found(d):
    """Negatives differ from positives in one feature each, so that one cut fewer leaves many of them."""
    rng = np.random.default_rng(d)
    pieces = np.tile(np.array([3, 1, 2])[:d], (7000, 1))
    negative, changed = np.arange(3000, 7000), rng.integers(d, size=4000)
    pieces[negative, changed] = (pieces[negative, changed] + rng.integers(1, 4, size=4000)) % 4
    X = (pieces + rng.random(pieces.shape)) / 4
    assert 0.19 < tice(X[:2000], X[2000:]) < 0.28  # .2; with a cut fewer .4 and more


@pytest.mark.parametrize("apart", [9, 10])
def test_regions_of_fewer_than_ten_points_say_nothing(apart):
    """A few labelled points apart from a hundred of either kind, once to grow the tree, once to estimate."""
    labelled = np.r_[np.ones(apart), np.arange(200) % 2].astype(int)
    pieces = np.r_[np.full(apart, 3), np.zeros(200, dtype=int)]
    codes = np.tile(2 * pieces + labelled, 2)[:, None]
    delta = 1 / (1 + 0.004 * len(pieces))
    of_all, of_those = labelled.mean(), 1 - np.sqrt(0.25 * (1 - delta) / delta / apart)
    found = module._best_bounds(codes, np.arange(len(codes)) < len(pieces), 0.5)
    assert found.low == pytest.approx(of_those if apart == 10 else of_all)


def test_without_rows_to_estimate_on_nothing_is_known():
    codes = np.array([[7], [7], [0]])
    assert module._best_bounds(codes, np.ones(3, dtype=bool), 0.5) == (0, 0, 0, 1)
