"""Intervals of means over folds and of paired differences."""

import numpy as np
import pytest

from halflabel.comparison.noise import mean_difference, mean_over_folds


def test_intervals_by_hand():
    """Student's quantiles at 95 % with 2 and 5 degrees of freedom are 2.920 and 2.015."""
    assert mean_over_folds([1.0, 2.0, 3.0]) == pytest.approx((2, 2.920 * np.sqrt(1 / 3 + 1 / 2)), abs=1e-3)
    gap = mean_difference([1.0] * 6, [0.0, 1.0] * 3, folds=2, comparisons=1)
    assert gap == pytest.approx((0.5, 2.015 * np.sqrt(0.3 * 2 / 6 * (1 / 2 + 1))), abs=1e-3)
    assert mean_difference([1.0] * 6, [0.0, 1.0] * 3, folds=2, comparisons=3).margin > gap.margin


def test_intervals_of_means_of_independent_folds_hold_at_least_as_often_as_they_say():
    draws = np.random.default_rng(0).normal(size=(2000, 5))
    means = [mean_over_folds(draw) for draw in draws]
    assert np.mean([abs(mean.value) <= mean.margin for mean in means]) > 0.9
