"""Ranks in place of scores."""

import numpy as np
from scipy.stats import rankdata

from halflabel.priors.ranks import mid_ranks, normal_scores


def test_ranks_are_those_of_scipy():
    values = np.random.default_rng(0).integers(0, 20, 50).astype(float)
    assert np.array_equal(mid_ranks(values), rankdata(values))


def test_any_monotone_change_leaves_normal_scores_as_they_are():
    P, U = np.random.default_rng(0).normal(size=(2, 30))
    for changed, was in zip(normal_scores(np.exp(P), np.exp(U)), normal_scores(P, U), strict=True):
        assert np.array_equal(changed, was)
