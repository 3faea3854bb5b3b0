"""How much of a result is chance: intervals of means over folds, and of differences between methods.

Models of two folds share most of their training positives, so their results are alike and scatter less than
independent ones would. Nadeau and Bengio (Machine Learning, 2003) therefore widen the variance of the mean of
k folds from s^2/k to s^2 (1/k + 1/(k - 1)), where the second term is the ratio of test to training positives.
Without it, intervals hold less often than they say (benchmarks/comparison/noise.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

LEVEL = 0.9  # of all intervals, as of those of the prior


class Mean(NamedTuple):
    """A mean with its 90 % interval, value - margin to value + margin.

    >>> f"{Mean(0.8, 0.05):.2f}"
    '0.80 ± 0.05'
    """

    value: float
    margin: float

    def __format__(self, form: str) -> str:
        return f"{self.value:{form}} ± {self.margin:{form}}"


def mean_over_folds(values: Sequence[float], sizes: Sequence[int] | None = None) -> Mean:
    """The mean over folds, weighted by their sizes, with Student's interval and the corrected variance.

    >>> f"{mean_over_folds([0.7, 0.8, 0.9]):.3f}"
    '0.800 ± 0.267'
    """
    k = len(values)
    variance = np.var(values, ddof=1) * (1 / k + 1 / (k - 1))
    return Mean(float(np.average(values, weights=sizes)), _quantile(k - 1) * float(np.sqrt(variance)))


def mean_difference(better: Sequence[float], worse: Sequence[float], folds: int, comparisons: int) -> Mean:
    """The mean of differences that are paired by hidden positive, one number a positive for each method.

    How fold means scatter is told better by n positives than by k folds: s^2 is k/n times the variance of
    the differences. With several comparisons, all their intervals hold together (Bonferroni).

    >>> better, worse = [0.9, 0.8, 0.9, 0.7, 0.9, 0.6], [0.5, 0.6, 0.6, 0.6, 0.4, 0.5]
    >>> f"{mean_difference(better, worse, folds=3, comparisons=1):.3f}"
    '0.267 ± 0.212'
    """
    differences = np.asarray(better) - np.asarray(worse)
    n, k = len(differences), folds
    variance = np.var(differences, ddof=1) * k / n * (1 / k + 1 / (k - 1))
    return Mean(float(differences.mean()), _quantile(n - 1, comparisons) * float(np.sqrt(variance)))


def _quantile(freedom: int, comparisons: int = 1) -> float:
    return float(student.ppf(1 - (1 - LEVEL) / 2 / comparisons, freedom))
