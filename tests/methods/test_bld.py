"""BLD: soft labels that move, a classifier that does not bend the encoder, and trusted nodes."""

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.datasets import payments
from halflabel.methods import bld
from halflabel.methods.bld import BLD, Disambiguation

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)


def start(**parameters):
    torch.manual_seed(0)
    model = BLD(**parameters)
    return Disambiguation(model, model.pose(GRAPH, KNOWN))


def test_the_classifier_starts_from_p_and_three_times_as_many_undecided_nodes():
    run = start(folds=3)
    assert torch.equal(run.sample.sum(dim=1), 3 * run.P.sum(dim=1))
    assert not (run.sample & ~run.U).any()
    assert (run.soft[run.P] == 1).all()
    assert (run.soft[run.sample] == 0.5).all()
    held = torch.as_tensor(run.folds.held)
    assert not run.learned[held].any()


def test_soft_labels_move_towards_the_region_and_towards_the_classifier(monkeypatch):
    run = start(folds=1, label_step=0.5)
    near = torch.zeros_like(run.U)
    near[:, :1000] = True
    monkeypatch.setattr(bld, "near_centre", lambda *_: near)
    run._move_labels(torch.zeros(1, GRAPH.n_nodes, 16), torch.where(near, -1.0, 1.0))
    # (.5 + .5) / 1.5 / 1.5 where only the first says positive; (.5 / 1.5 + .5) / 1.5 where only the second.
    expected = torch.where(run.P, 1.0, torch.where(near, 4 / 9, 5 / 9))
    torch.testing.assert_close(run.soft, expected)


def test_the_classifier_does_not_bend_the_encoder(monkeypatch):
    run = start(folds=1)
    monkeypatch.setattr(run, "agreement_loss", lambda *_: torch.zeros(1))
    monkeypatch.setattr(bld, "spread", lambda p, _: 0 * p.sum(dim=(1, 2)))
    run.step(trusting=False)
    assert not run.network.encoder.first.grad.any()
    assert run.network.head.last.grad.any()


@pytest.mark.parametrize("trusting", [False, True])
def test_trusted_nodes_join_the_positives_in_the_loss_of_their_spread_only(monkeypatch, trusting):
    run = start(folds=2, trusted=7)
    held, seen = torch.as_tensor(run.folds.held), []
    real = bld.spread
    monkeypatch.setattr(bld, "spread", lambda p, close: seen.append(close) or real(p, close))
    run.step(trusting)
    for close in seen:
        assert torch.equal((close > 0).sum(dim=1), run.P.sum(dim=1) + 7 * trusting)
        assert not close[held].any()
    assert (run.soft[run.P] == 1).all()


def test_it_finds_fraud():
    model = BLD().fit(GRAPH, KNOWN)
    assert hl.score_unlabelled(model, Y, KNOWN).auc > 0.9
    assert np.isfinite(model.out_of_fold_).all()
    assert {"epoch", "loss"} <= model.history_[0].keys()
    assert hl.methods()["bld"] is BLD


def test_published_settings_are_parameters():
    settings = BLD.paper_settings()
    assert settings["warmup"] + settings["epochs"] == 1500
    model = BLD(**settings).set_params(warmup=2, epochs=2).fit(GRAPH, KNOWN)
    assert np.isnan(model.out_of_fold_[KNOWN]).any()
    assert len(model.history_) == 4
