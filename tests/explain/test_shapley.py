"""Contributions add up, and sampled ones are within their errors of the exact ones."""

import numpy as np
import pytest

from halflabel.explain.shapley import shapley

RNG = np.random.default_rng(3)
WEIGHT, PAIRS, TRIPLE = RNG.normal(size=12), RNG.normal(size=(12, 12)), RNG.normal(size=(12, 12, 12))


def additive(sets):
    return np.array([sum(WEIGHT[i] for i in range(12) if i not in s) for s in sets])


def tangled(sets):
    present = np.array([[i not in s for i in range(12)] for s in sets], dtype=float)
    return np.tanh(present @ WEIGHT + np.einsum("ni,nj,nk,ijk->n", present, present, present, TRIPLE) / 30)


def paired(sets):
    present = np.array([[i not in s for i in range(12)] for s in sets], dtype=float)
    return present @ WEIGHT + np.einsum("ni,ij,nj->n", present, PAIRS, present)


def test_what_features_add_alone_is_found_exactly_and_has_no_error():
    found = shapley(additive, range(12), evaluations=60)
    assert found.value == pytest.approx(WEIGHT)
    assert not found.error.any()


def test_orders_and_their_reverses_are_exact_for_pairs():
    found = shapley(paired, range(12), evaluations=60)
    sides = PAIRS - np.diag(np.diag(PAIRS))
    exact = WEIGHT + np.diag(PAIRS) + (sides.sum(axis=0) + sides.sum(axis=1)) / 2
    assert found.value == pytest.approx(exact)
    assert not found.error.any()


def test_sampled_values_are_as_near_the_exact_ones_as_their_errors_say():
    exact = shapley(tangled, range(12), evaluations=5000)
    sampled = shapley(tangled, range(12), evaluations=800)
    assert not exact.error.any()
    assert sampled.error.all()
    off = np.abs(sampled.value - exact.value) / sampled.error
    assert np.median(off) < 1.5
    assert off.max() < 5
    assert sampled.value.sum() == pytest.approx(exact.value.sum())
