"""What all estimators have in common: one contract, whatever scores come in."""

import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from halflabel.errors import DataError
from halflabel.priors import Prior, estimate_prior, prior_methods
from halflabel.priors.estimators import find_estimator
from halflabel.priors.regroup import regroup_if_overlapping

ON_ONE_SCORE = [*(name for name in prior_methods() if name != "two_view"), "regroup:bbe", "regroup:dedpul"]
IN_FEATURE_SPACE = ["km1", "km2", "tice", "pen_l1"]
# Few values, so that ties, constants and single scores come up, and some that overflow when squared.
SCORES = hnp.arrays(float, st.integers(1, 25), elements=st.one_of(
    st.sampled_from([0.0, 1.0, -1.0]), st.floats(-1e3, 1e3), st.sampled_from([1e90, -1e90, 1e-300])))


def mixture(seed, prior=0.3, n_p=400, n_u=1600, gap=6.0):
    """Log-likelihood ratios of two Gaussian classes: what an ideal classifier reports."""
    rng = np.random.default_rng(seed)
    positive = round(prior * n_u)
    scores_p = rng.normal(gap, 1, n_p)
    scores_u = np.r_[rng.normal(gap, 1, positive), rng.normal(0, 1, n_u - positive)]
    return gap * (scores_p - gap / 2), gap * (scores_u - gap / 2)


@pytest.mark.parametrize("method", ON_ONE_SCORE)
@given(scores_p=SCORES, scores_u=SCORES)
@settings(deadline=None, max_examples=25)
def test_any_finite_scores_give_a_value_in_its_interval_or_a_clear_refusal(method, scores_p, scores_u):
    constant = np.ptp(np.r_[scores_p, scores_u]) == 0
    if constant and method in IN_FEATURE_SPACE:
        with pytest.raises(DataError, match="the same"):
            estimate_prior(scores_p, scores_u, method, replicates=2)
        return
    prior = estimate_prior(scores_p, scores_u, method, replicates=2)
    assert isinstance(prior, Prior)
    assert prior.method == method
    assert 0 <= prior.low <= prior.value <= prior.high <= 1
    if constant:
        assert (prior.low, prior.high) == (0, 1)


@pytest.mark.parametrize("method", ON_ONE_SCORE)
def test_separated_classes_are_estimated_and_the_same_seed_gives_the_same_bits(method):
    scores_p, scores_u = mixture(0, n_p=200, n_u=400) if method.startswith("km") else mixture(0)
    before = scores_p.copy(), scores_u.copy()
    first, again = (estimate_prior(scores_p, scores_u, method, replicates=2) for _ in range(2))
    assert first == again
    assert np.array_equal(before[0], scores_p)
    assert np.array_equal(before[1], scores_u)
    assert abs(first.value - 0.3) < 0.05


@pytest.mark.parametrize("method", ON_ONE_SCORE)
def test_at_a_thousand_and_four_thousand_points_separated_classes_are_within_three_hundredths(method):
    """The mean over samples at every prior; KM where it is hardest for it (in simulated.py, everywhere)."""
    estimator, regrouped = find_estimator(method)
    everywhere = product((4.0, 6.0), (0.05, 0.2, 0.5, 0.8))
    for gap, prior in [(6.0, 0.8)] if method.startswith("km") else everywhere:
        errors = []
        for seed in range({"km1": 4, "km2": 4, "pen_l1": 6}.get(method, 20)):
            P, U = mixture(seed, prior, 1000, 4000, gap)
            value = estimator.load(estimator.point)(regroup_if_overlapping(P, U) if regrouped else P, U)
            errors.append(abs(value - prior))
        assert np.mean(errors) <= 0.03, (gap, prior)


@pytest.mark.parametrize("method", ["bbe", "dedpul", "roc", "elkan_noto", "alphamax"])
def test_the_order_of_the_nodes_does_not_matter(method):
    scores_p, scores_u = mixture(1, gap=2.0)
    rng = np.random.default_rng(0)
    shuffled = estimate_prior(rng.permutation(scores_p), rng.permutation(scores_u), method, replicates=2)
    assert shuffled.value == pytest.approx(estimate_prior(scores_p, scores_u, method, replicates=2).value)


@pytest.mark.parametrize("method", ["bbe", "roc"])
def test_estimators_by_counts_see_only_the_order_of_scores(method):
    scores_p, scores_u = mixture(2, gap=2.0)
    squeezed = estimate_prior(np.tanh(scores_p / 9), np.tanh(scores_u / 9), method)
    assert squeezed == estimate_prior(scores_p, scores_u, method)


@pytest.mark.parametrize("method", ["dedpul", "elkan_noto", "alphamax", "pen_l1"])
def test_ties_between_half_of_the_scores_are_no_obstacle(method):
    scores_p, scores_u = (np.clip(scores, -15, 15) for scores in mixture(3))
    assert abs(estimate_prior(scores_p, scores_u, method, replicates=2).value - 0.3) < 0.08


@pytest.mark.parametrize("method", prior_methods())
@pytest.mark.parametrize("bad", [[], 3.0, [[[1.0]]], [1.0, np.nan], [1.0, -np.inf], [1.0, 1e200]],
                         ids=["empty", "number", "cube", "nan", "infinity", "huge"])
def test_bad_scores_are_named(method, bad):
    with pytest.raises(DataError, match=r"^scores_u must be a non-empty .* for '" + method):
        estimate_prior([[1.0, 2.0]] if method == "two_view" else [1.0, 2.0], bad, method)


@pytest.mark.parametrize("method", sorted(set(ON_ONE_SCORE) - set(IN_FEATURE_SPACE)))
def test_embeddings_are_refused_by_estimators_on_scores(method):
    with pytest.raises(DataError, match=r"^scores_p must be a non-empty list .* got shape \(3, 2\)"):
        estimate_prior(np.ones((3, 2)), np.ones((4, 2)), method)


@pytest.mark.parametrize("method", IN_FEATURE_SPACE)
def test_embeddings_are_taken_in_feature_space(method):
    rng = np.random.default_rng(0)
    U = np.r_[rng.normal(5, 1, (60, 2)), rng.normal(0, 1, (140, 2))]
    assert 0 <= estimate_prior(rng.normal(5, 1, (100, 2)), U, method, replicates=2).value <= 1
    with pytest.raises(DataError, match="the same embedding"):
        estimate_prior(np.ones((3, 2)), np.ones((4, 5)), method)


def test_regrouping_alone_means_over_the_roc_bound():
    scores = mixture(4)
    assert estimate_prior(*scores, "regroup")[:3] == estimate_prior(*scores, "regroup:roc")[:3]


@pytest.mark.parametrize(("method", "message"), [
    ("dedpull", "Did you mean 'dedpul'"), ("regroup:bbee", "Did you mean 'bbe'"),
    ("regroup:two_view", "takes two views"), ("", "no prior estimator ''")])
def test_unknown_names_are_named(method, message):
    with pytest.raises(DataError, match=message):
        estimate_prior([1.0], [0.0], method)


def test_the_room_is_light():
    code = ("import sys, halflabel.priors as p; p.estimate_prior([1., 2.], [0., 1.]); "
            "print(*({'torch', 'sklearn', 'pandas'} & sys.modules.keys()))")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
