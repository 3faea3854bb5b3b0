"""Scores count the unlabelled nodes only."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from halflabel.datasets import payments, payments_positives
from halflabel.methods.gpl import GPL
from halflabel.metrics import all_positive_f1, score_unlabelled


@pytest.fixture(scope="module")
def fitted():
    graph, y = payments()
    known = payments_positives(y)
    return GPL(epochs=5, warmup=20).fit(graph, known), y, known


def test_the_scorecard_agrees_with_scikit_learn_on_the_unlabelled(fitted):
    model, y, known = fitted
    card = score_unlabelled(model, y, known)
    truth, scores = y[~known], model.scores_[~known]
    assert card.f1 == f1_score(truth, model.predict()[~known])
    assert card.average_precision == average_precision_score(truth, scores)
    assert card.auc == roc_auc_score(truth, scores)
    assert (card.prior, card.true_prior) == (model.prior_, 100 / 1940)
    assert card.prior_error == abs(model.prior_ - 100 / 1940)


def test_labels_of_known_nodes_do_not_matter(fitted):
    model, y, known = fitted
    assert score_unlabelled(model, np.where(known, 1 - y, y), known) == score_unlabelled(model, y, known)


@pytest.mark.parametrize("prior", [0.05, 0.3, 0.9])
def test_the_line_that_needs_no_method(prior):
    y = np.arange(1000) < 1000 * prior
    assert all_positive_f1(prior) == pytest.approx(f1_score(y, np.ones(1000)))
