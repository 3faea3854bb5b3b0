"""The warm-up ends where held-out positives ranked best, and leaves that judgement behind."""

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.auc import pu_auc
from halflabel.datasets import payments
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.warmup import warm_up

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)


@pytest.fixture
def nets():
    torch.manual_seed(0)
    model = hl.PUGNN(folds=2)
    return Ensemble(model, model.pose(GRAPH, KNOWN))


def test_the_best_state_is_kept_and_then_forgotten(nets):
    scores = warm_up(nets, 12, early_stopping=True)
    aucs = [record["auc"] for record in nets.history if "auc" in record]
    assert len(aucs) == 3
    assert pu_auc(scores[KNOWN], scores[~KNOWN]) == pytest.approx(max(aucs))
    assert nets.best_weights is None
    assert nets.best_auc == -np.inf


def test_without_judging_the_last_state_counts(nets):
    scores = warm_up(nets, 3)
    assert len(nets.history) == 3
    assert not any("auc" in record for record in nets.history)
    np.testing.assert_array_equal(scores, nets.out_of_fold(nets.logits()))


def test_no_epochs_are_no_training(nets):
    before = nets.out_of_fold(nets.logits())
    np.testing.assert_array_equal(warm_up(nets, 0, early_stopping=True), before)
