"""Shapley values: what each feature contributes, averaged over all orders in which features could be told.

With f(S) the value when the features in S are at their usual values, feature i contributes f(S) - f(S + i),
averaged over the sets S of features that come before i in a random order. The sum over all features is
f(none) - f(all). Few features are enumerated, many are sampled: orders and their reverses, in pairs, which
is exact where features act alone or two at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial
from typing import NamedTuple

import numpy as np

Features = frozenset[int]
SEED = 0
ROUNDING = 1e-6


class Attribution(NamedTuple):
    """Contributions, and their standard errors: zero where all orders agree or were gone through."""

    value: np.ndarray
    error: np.ndarray


def shapley(
    f: Callable[[Sequence[Features]], np.ndarray], features: Sequence[int], evaluations: int
) -> Attribution:
    """Attribute f(none usual) - f(all usual) to the features, with at most about so many evaluations of f.

    >>> def f(sets):
    ...     return np.array([2.0 * (0 not in s) + 1.0 * (1 not in s) * (2 not in s) for s in sets])
    >>> shapley(f, [0, 1, 2], evaluations=100)
    Attribution(value=array([2. , 0.5, 0.5]), error=array([0., 0., 0.]))
    """
    if not features:
        return Attribution(np.zeros(0), np.zeros(0))
    if 2 ** len(features) <= max(evaluations, 4):
        return _enumerated(f, features)
    pairs = max(2, evaluations // (2 * max(1, len(features) - 1)))
    return _sampled(f, np.array(features), pairs)


def _enumerated(f: Callable[[Sequence[Features]], np.ndarray], features: Sequence[int]) -> Attribution:
    n = len(features)
    subsets = [frozenset(s) for size in range(n + 1) for s in combinations(features, size)]
    value = dict(zip(subsets, f(subsets), strict=True))
    total = np.zeros(n)
    for i, feature in enumerate(features):
        for before in subsets:
            if feature not in before:
                weight = factorial(len(before)) * factorial(n - len(before) - 1) / factorial(n)
                total[i] += weight * (value[before] - value[before | {feature}])
    return Attribution(total, np.zeros(n))


def _sampled(f: Callable[[Sequence[Features]], np.ndarray], features: np.ndarray, pairs: int) -> Attribution:
    rng = np.random.default_rng(SEED)
    orders = [way for _ in range(pairs) for order in [rng.permutation(len(features))]
              for way in (order, order[::-1])]
    chains = [[frozenset(features[order[:k]].tolist()) for k in range(len(order) + 1)] for order in orders]
    wanted = list(dict.fromkeys(s for chain in chains for s in chain))
    value = dict(zip(wanted, f(wanted), strict=True))
    gains = np.empty((len(orders), len(features)))
    for row, order, chain in zip(gains, orders, chains, strict=True):
        row[order] = -np.diff([value[s] for s in chain])
    means = gains.reshape(pairs, 2, -1).mean(axis=1)
    error = means.std(axis=0, ddof=1) / np.sqrt(pairs)
    return Attribution(means.mean(axis=0), np.where(error < ROUNDING, 0.0, error))
