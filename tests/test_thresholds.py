"""Flagging: each goal against its definition, by trying every number of nodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import halflabel as hl
from halflabel.thresholds import Expected, least_flagged

PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


def tops(probability):
    order = np.argsort(-probability, kind="stable")
    return [probability[order[:k]] for k in range(len(order) + 1)]


@given(PROBABILITIES)
def test_expected_f1_is_the_largest(probability):
    def expected(top):
        return 2 * top.sum() / max(len(top) + probability.sum(), 1e-300)

    flagged = hl.flag(probability)
    assert expected(probability[flagged]) == pytest.approx(max(map(expected, tops(probability))))


@given(PROBABILITIES, st.floats(0.01, 1))
def test_a_precision_is_expected_and_no_more_could_be_flagged(probability, precision):
    count = hl.flag(probability, ("precision", precision)).sum()
    enough = [k for k, top in enumerate(tops(probability)) if k == 0 or top.mean() >= precision - 1e-9]
    assert count <= max(enough)
    assert count == 0 or tops(probability)[count].mean() >= precision - 1e-9
    assert count >= max([k for k in enough if k == 0 or tops(probability)[k].mean() >= precision + 1e-9])


@given(PROBABILITIES, st.floats(0.01, 100))
def test_costs_are_the_smallest(probability, ratio):
    def cost(flagged):
        return (1 - probability[flagged]).sum() + ratio * probability[~flagged].sum()

    best = cost(hl.flag(probability, ("cost", ratio)))
    for k in range(len(probability) + 1):
        assert best <= cost(hl.flag(probability, ("budget", k))) + 1e-9


@given(PROBABILITIES, st.integers(0, 40))
def test_a_budget_is_spent_on_the_most_likely(probability, budget):
    flagged = hl.flag(probability, ("budget", budget))
    assert flagged.sum() == min(budget, len(probability))
    if flagged.any() and not flagged.all():
        assert probability[flagged].min() >= probability[~flagged].max()


def test_nobody_to_flag():
    assert hl.flag(np.array([])).shape == (0,)
    assert not hl.flag(np.zeros(3)).any()


@pytest.mark.parametrize(("threshold", "message"), [
    (("budget", -1), "whole number"), (("budget", 2.5), "whole number"), (("precision", 0), "share above 0"),
    (("precision", 1.5), "share above 0"), (("cost", 0), "a number above 0"), (("cost", np.nan), "above 0"),
    (("budget", np.inf), "whole number"), (("cost", np.inf), "a number above 0"),
    (("budget", "many"), "whole number"), (("budget", True), "whole number"),
    (("budgets", 5), "Did you mean 'budget'"), ("f2", "no threshold"), ("budget", "comes with a number"),
    (("budget",), "a goal and its number"), (0.5, "a goal and its number"), (None, "a goal and its number"),
])
def test_a_goal_that_makes_no_sense_is_told(threshold, message):
    with pytest.raises(hl.DataError, match=message):
        hl.flag(np.array([0.5]), threshold)


@given(PROBABILITIES, st.integers(0, 40))
def test_a_threshold_never_exceeds_a_budget(probability, budget):
    flagged = probability >= least_flagged(probability, ("budget", budget), prior=0.5)
    assert flagged.sum() <= budget
    left = probability[~flagged]
    if len(left):  # one more value would have been too many
        assert flagged.sum() + (left == left.max()).sum() > budget


def test_a_threshold_misses_no_precision_for_the_sake_of_equals():
    """Two would do, but the second is as likely as the third."""
    assert hl.flag(np.array([0.9, 0.5, 0.5, 0.1]), ("precision", 0.7)).sum() == 2
    assert least_flagged(np.array([0.9, 0.5, 0.5, 0.1]), ("precision", 0.7), prior=0.5) == 0.9


def test_ties_go_to_who_is_listed_first():
    assert np.flatnonzero(hl.flag(np.full(100, 0.5), ("budget", 10))).tolist() == list(range(10))


@pytest.mark.parametrize("goal", [("precision", 0.1), ("cost", 9)])
def test_rounding_does_not_cost_a_node(goal):
    """Every one of these is exactly as likely as was asked for."""
    assert hl.flag(np.full(30, 0.1), goal).all()


def test_certainty_may_be_asked_for():
    assert hl.flag(np.array([0.5, 1.0, 1.0]), ("precision", 1)).tolist() == [False, True, True]


def test_where_nobody_is_flagged_nothing_is_expected():
    nothing = {"flagged": 0, "hits": 0.0, "precision": 0.0, "recall": 0.0}
    assert Expected.of(np.zeros(3), np.zeros(3, dtype=bool)).to_dict() == nothing


@given(PROBABILITIES)
def test_expectations_are_sums_of_probabilities(probability):
    flagged = hl.flag(probability)
    expected = Expected.of(probability, flagged)
    assert expected.hits == pytest.approx(probability[flagged].sum())
    assert expected.precision * expected.flagged == pytest.approx(expected.hits)
    assert expected.recall * probability.sum() == pytest.approx(expected.hits)


@pytest.mark.parametrize("wrong", [np.array([1.5]), np.array([np.nan]), np.array([[0.5]])])
def test_what_is_no_probability_is_told(wrong):
    with pytest.raises(hl.DataError, match="probabilities"):
        hl.flag(wrong)
