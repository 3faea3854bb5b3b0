"""BLP: the larger loss counts, negatives are the least similar, and who is held out is left alone."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from torch.nn.functional import normalize

import halflabel as hl
from halflabel.datasets import payments
from halflabel.methods import blp
from halflabel.methods.blp import BLP, LatentPrototypes
from halflabel.nets.bootstrap import View

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)


def start(**parameters):
    torch.manual_seed(0)
    model = BLP(**parameters)
    return LatentPrototypes(model, model.pose(GRAPH, KNOWN))


@pytest.mark.parametrize(("agreement", "apart", "followed"), [(0.3, 0.2, "agreement"), (0.2, 0.3, "apart")])
def test_only_the_larger_loss_is_followed(monkeypatch, agreement, apart, followed):
    run = start(folds=1)
    values = {"agreement": torch.tensor([agreement], requires_grad=True),
              "apart": torch.tensor([apart], requires_grad=True)}
    monkeypatch.setattr(run, "agreement_loss", lambda *_: values["agreement"] * 1)
    monkeypatch.setattr(blp, "spread", lambda *_: values["apart"] * 1)
    assert run.step() == pytest.approx(0.3)
    for name, value in values.items():
        assert value.grad.item() == (name == followed)


def test_negatives_are_the_least_similar_of_u_until_there_are_enough(monkeypatch):
    run = start(folds=1)
    similarity = torch.linspace(0.1, 1.0, GRAPH.n_nodes)[None]
    monkeypatch.setattr(blp, "similarity_to_centre", lambda *_: similarity)
    known = KNOWN.sum()
    assert run.search() == known
    assert run.N[0].nonzero()[:, 0].tolist() == np.flatnonzero(~KNOWN)[:known].tolist()
    for _ in range(9):  # another round, other nodes
        similarity = similarity.roll(-known, dims=1)
        run.search()
    enough = 5 * int(run.P.sum())
    assert enough <= int((run.P | run.N).sum()) < enough + known


def test_who_is_held_out_takes_part_in_nothing_that_knows_labels(monkeypatch):
    run = start(folds=3)
    held = torch.as_tensor(run.folds.held)
    seen = []
    real = blp.spread
    monkeypatch.setattr(blp, "spread", lambda p, positive: seen.append(positive) or real(p, positive))
    for _ in range(3):
        run.step()
        run.search()
    assert all(not positive[held].any() for positive in seen)
    assert not run.N[held].any()
    assert not (run.N & torch.as_tensor(KNOWN)).any()
    torch.testing.assert_close(run.everybody, torch.full_like(run.everybody, 1 / GRAPH.n_nodes))


def test_a_member_learns_nothing_from_the_labels_of_others():
    """What one member holds out, others train on: through the views and products that they share, it must not
    come back."""
    fitted = []
    for shift in (0, 1):
        run = start(folds=3)
        run.P[1:] = run.P[1:].roll(shift, dims=1)
        for _ in range(3):
            run.step()
            run.search()
        run.fit_classifier()
        fitted.append(run.logits())
    torch.testing.assert_close(fitted[0][0], fitted[1][0])
    assert not torch.allclose(fitted[0][1], fitted[1][1])


def test_the_classifier_is_scikit_learns():
    run = start(folds=2)
    run.step()
    run.search()
    run.fit_classifier()
    with torch.no_grad():
        h = normalize(run.network.encoder(run.X, View.of(run.graph.csr)), dim=-1).numpy()
    for m, logits in enumerate(run.logits().numpy()):
        chosen = (run.P | run.N)[m].numpy()
        expected = LogisticRegression().fit(h[m, chosen], KNOWN[chosen]).decision_function(h[m])
        np.testing.assert_allclose(logits, expected, rtol=1e-3, atol=1e-3)


def test_it_finds_fraud():
    model = BLP().fit(GRAPH, KNOWN)
    assert hl.score_unlabelled(model, Y, KNOWN).auc > 0.9
    assert np.isfinite(model.out_of_fold_).all()
    assert sum("negatives" in record for record in model.history_) == 80 // 5
    assert hl.methods()["blp"] is BLP


def test_published_settings_are_parameters():
    settings = BLP.paper_settings()
    assert settings["warmup"] + settings["epochs"] == 5000
    model = BLP(**settings).set_params(warmup=2, epochs=2).fit(GRAPH, KNOWN)
    assert np.isnan(model.out_of_fold_[KNOWN]).sum() == KNOWN.sum() - int(0.2 * KNOWN.sum())


def test_without_anybody_held_out_the_prior_must_be_given():
    with pytest.raises(hl.DataError, match="folds=0"):
        BLP(folds=0).fit(GRAPH, KNOWN)
    assert BLP(folds=0, prior=0.1, warmup=1, epochs=1).fit(GRAPH, KNOWN).prior_ == 0.1


@pytest.mark.parametrize("shares", [(0.2,), (0.2, 1.0), (-0.1, 0.2), ("a", 0.1)])
def test_wrong_probabilities_are_named(shares):
    with pytest.raises(ValueError, match="drop_edges="):
        BLP(drop_edges=shares).fit(GRAPH, KNOWN)
