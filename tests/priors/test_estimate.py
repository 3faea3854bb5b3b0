"""estimate_prior hands each name its own functions, its seed and its number of resamples."""

import numpy as np
import pytest

from halflabel.errors import DataError
from halflabel.priors import best_bin, best_bin_interval, estimate_prior, prior_methods
from halflabel.priors.alphamax import alphamax, alphamax_interval
from halflabel.priors.bootstrap import bootstrap_interval
from halflabel.priors.dedpul import dedpul
from halflabel.priors.elkan_noto import elkan_noto, elkan_noto_interval
from halflabel.priors.km import km1, km1_interval, km2, km2_interval
from halflabel.priors.pen_l1 import pen_l1
from halflabel.priors.roc import roc_bound, roc_interval
from halflabel.priors.tice import tice, tice_interval
from halflabel.priors.two_view import two_view, two_view_interval

SEED, REPLICATES = 7, 3
RESAMPLED = {
    "bbe": 500, "dedpul": 60, "elkan_noto": 500, "alphamax": 40, "two_view": 500, "km1": 15, "km2": 15,
    "pen_l1": 20}


def by_bootstrap(point, most):
    def interval(P, U, **options):
        return bootstrap_interval(point, P, U, value=point(P, U), most=most, **options)

    return interval


def seeded_pen_l1(P, U):
    return pen_l1(P, U, random_state=SEED)


FUNCTIONS = {  # which of the two take a seed; those that do, and resample, take a number of replicates too
    "bbe": (best_bin, best_bin_interval), "dedpul": (dedpul, by_bootstrap(dedpul, 5000)),
    "roc": (roc_bound, roc_interval), "elkan_noto": (elkan_noto, elkan_noto_interval),
    "alphamax": (alphamax, alphamax_interval), "two_view": (two_view, two_view_interval),
    "km1": (km1, km1_interval), "km2": (km2, km2_interval), "tice": (tice, tice_interval),
    "pen_l1": (pen_l1, by_bootstrap(seeded_pen_l1, 1000)),
}
SEEDED = {"km1", "km2", "tice", "pen_l1"}


def scores(method):
    rng = np.random.default_rng(0)
    columns = (2,) if method == "two_view" else ()
    U = np.r_[rng.normal(3, 1, (40, *columns)), rng.normal(0, 1, (80, *columns))]
    return rng.normal(3, 1, (60, *columns)), U


def test_every_estimator_is_here():
    assert [*FUNCTIONS, "regroup"] == prior_methods()


@pytest.mark.parametrize("method", FUNCTIONS)
def test_a_name_means_its_functions(method):
    P, U = scores(method)
    point, interval = FUNCTIONS[method]
    seed = {"random_state": SEED} if method in SEEDED else {}
    value = point(P, U, **seed)
    options = {"replicates": REPLICATES, "random_state": SEED} if method in RESAMPLED else seed
    low, high = interval(P, U, **options)
    found = estimate_prior(P, U, method, replicates=REPLICATES, random_state=SEED)
    assert found[:3] == pytest.approx((value, min(low, value), max(high, value)))


@pytest.mark.parametrize("method", sorted(RESAMPLED))
def test_unless_told_otherwise_it_resamples_as_often_as_its_speed_allows(method):
    P, U = (sample[::3] for sample in scores(method))
    told, other = (estimate_prior(P, U, method, replicates=RESAMPLED[method] + more) for more in (0, 1))
    assert estimate_prior(P, U, method) == told != other


@pytest.mark.parametrize("method", ["bbe", "tice"])
def test_the_seed_is_zero_by_default(method):
    P, U = scores(method)
    default, zero, one = (estimate_prior(P, U, method, **seed)
                          for seed in ({}, {"random_state": 0}, {"random_state": 1}))
    assert default == zero != one


def test_nothing_is_known_only_if_all_scores_of_both_are_one():
    ones = np.ones(50)
    assert estimate_prior(ones, ones, "bbe")[1:3] == (0, 1)
    assert estimate_prior(ones, np.repeat([1.0, 0.0], 25), "bbe").high < 1
    assert estimate_prior(np.repeat([1.0, 2.0], 25), ones, "bbe").low > 0


def test_two_views_are_two():
    with pytest.raises(DataError, match=r"two-column table .* got shape \(4, 3\)"):
        estimate_prior(np.ones((4, 3)), np.ones((4, 3)), "two_view")
