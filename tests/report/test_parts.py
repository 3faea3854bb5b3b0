"""The numbers behind the report's parts: the list, the budget, the prior, the calibration."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halflabel.crossfit import CrossFit
from halflabel.report.budget import Budget
from halflabel.report.calibration import Calibration
from halflabel.report.gains import gains_svg
from halflabel.report.heldout import MOST, held_out
from halflabel.report.prior import Agreement
from halflabel.report.ranked import BYTES, SEARCHED, Ranked, inside_script


def many(n, id_of=str):
    return pa.table({
        "id": [id_of(i) for i in range(n)], "score": np.linspace(3, -3, n),
        "probability": np.linspace(0.9, 0.01, n), "rank": np.arange(1, n + 1),
        "known_positive": np.zeros(n, dtype=bool), "flagged": np.arange(n) < 5})


@settings(max_examples=30)
@given(st.text())
def test_any_text_comes_back_from_inside_a_script(text):
    inside = inside_script([text])
    assert json.loads(inside) == [text]
    assert "<" not in inside
    assert "&" not in inside


def test_a_list_of_many_nodes_is_cut():
    assert len(Ranked.of(many(SEARCHED + 7)).rows) == SEARCHED
    long = Ranked.of(many(SEARCHED, lambda i: f"{i:0110d}<&"))
    assert len(long.rows) < SEARCHED
    assert len(inside_script(long.data()).encode()) < 1.2 * BYTES
    assert len(Ranked.of(many(3, lambda i: str(i) * 10_000)).rows[0].id) == 120


def test_a_review_finds_the_sum_of_the_probabilities():
    scores = many(1000)
    budget = Budget.of(scores)
    p = scores["probability"].to_numpy()
    for review in budget.reviews:
        assert review.hits == pytest.approx(p[: review.count].sum())
        assert review.precision == pytest.approx(review.hits / review.count)
        assert review.recall == pytest.approx(review.hits / p.sum())
    assert budget.reviews[0].count == 1
    assert budget.reviews[-1].count == 1000
    assert budget.reviews[budget.start].count == 5
    assert [review.count for review in budget.listed] == [5, 10, 25, 50, 100, 200, 500, 1000]


def test_a_budget_without_nodes_has_no_curve():
    assert gains_svg(Budget.of(many(0))) == ""
    assert Budget.of(many(1)).reviews[0].count == 1


def drawn(rng, n=20_000):
    """Scores that are logits of a true probability, and a tenth of the positives known."""
    scores = rng.normal(-1, 2, n)
    positive = rng.random(n) < 1 / (1 + np.exp(-scores))
    known = positive & (rng.random(n) < 0.1)
    return CrossFit(scores, known, rng.integers(5, size=n)), positive[~known].mean()


def test_true_probabilities_are_believed_and_false_ones_are_not():
    fitted, prior = drawn(np.random.default_rng(1))
    right = Calibration.of(fitted, prior)
    assert right.expected.sum() == pytest.approx(1)
    assert right.found.sum() == pytest.approx(1)
    assert "nothing speaks against them" in right.words()
    wrong = Calibration.of(fitted, min(0.95, 2.5 * prior))
    assert wrong.agreeing < right.agreeing
    assert "Only" in wrong.words()


def test_calibration_of_scores_that_are_all_equal():
    flat = CrossFit(np.zeros(100), np.arange(100) < 20, np.arange(100) % 5)
    assert Calibration.of(flat, 0.2).found.sum() == pytest.approx(1)


def test_estimators_are_compared_with_the_run(record):
    rng = np.random.default_rng(0)
    known = np.arange(3000) < 500
    scores = np.where(np.arange(3000) < 700, rng.normal(4, 1, 3000), rng.normal(0, 1, 3000))
    agreement = Agreement.of(CrossFit(scores, known, rng.integers(5, size=3000)), record)
    assert [prior.method for prior in agreement.priors] == ["this run", "bbe", "dedpul", "roc", "elkan_noto"]
    assert all(abs(prior.value - 0.08) < 0.04 for prior in agreement.priors[1:])
    assert "within the interval" in agreement.words()
    assert agreement.diagnosis


def test_of_many_nodes_a_sample_is_judged():
    n = 3 * MOST
    table = pa.table({"out_of_fold": np.arange(n) / n, "fold": np.zeros(n, dtype=np.int16),
                      "known_positive": np.arange(n) < n // 2})
    fitted = held_out(table)
    assert len(fitted.scores_p) == len(fitted.scores_u) == MOST
    assert fitted.scores_p.mean() == pytest.approx(0.25, abs=0.01)
