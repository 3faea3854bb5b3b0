"""What one fold says of a method, by hand."""

import numpy as np
import pytest

from halflabel.comparison.fold import implied_f1, implied_precision, judge, recall_at_share


def test_a_fold_by_hand():
    """Hidden: 5 and 1. Unlabelled: 4, 2, 0, 0; flagged from 2 on."""
    scores = np.array([5.0, 1.0, 4.0, 2.0, 0.0, 0.0, 9.0])
    hidden = np.array([1, 1, 0, 0, 0, 0, 0], dtype=bool)
    unlabelled = np.array([0, 0, 1, 1, 1, 1, 0], dtype=bool)  # the last stays known, and counts nowhere
    fold = judge(scores, scores >= 2, hidden, unlabelled, prior=0.25)
    assert fold.hidden == 2
    assert fold.auc == (1 + 0.5) / 2
    assert fold.recall_at_prior == 0.5
    assert (fold.recall, fold.flagged) == (0.5, 0.5)
    assert fold.precision == 0.25 * 0.5 / 0.5
    assert fold.f1 == pytest.approx(2 * 0.25 * 0.5 / (0.25 + 0.5))


def test_implied_precision_and_f1_are_those_of_counted_positives():
    """With negatives at hand: 1000 nodes, 200 positive, 150 of them among 300 flagged."""
    recall, flagged, prior = 150 / 200, 300 / 1000, 200 / 1000
    assert implied_precision(recall, flagged, prior) == pytest.approx(150 / 300)
    assert implied_f1(recall, flagged, prior) == pytest.approx(2 * 150 / (200 + 300))


def test_too_high_a_prior_cannot_make_precision_exceed_one():
    assert implied_precision(0.5, 0.1, 0.9) == 1
    assert implied_f1(0.5, 0.1, 0.9) == pytest.approx(2 * 0.5 / 1.5)
    assert implied_precision(0.0, 0.0, 0.9) == implied_f1(0.0, 0.0, 0.9) == 0


def test_equal_scores_find_no_more_than_chance():
    assert recall_at_share(np.zeros(7), np.zeros(30), 0.2) == pytest.approx(0.2)
