"""GRAB: what an iteration may see, when it counts, and what the method reaches on Cora."""

import numpy as np
import pytest
import torch
from sklearn.metrics import f1_score

import halflabel as hl
from halflabel.datasets import payments
from halflabel.losses import belief_risk, mean_over
from halflabel.methods import grab
from halflabel.methods.grab import GRAB, Run, clearly_lower, share_called

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)
QUICK = {"epochs": 20, "iterations": 2}


def a_run(**settings):
    torch.manual_seed(0)
    model = GRAB(**QUICK | settings)
    return Run(model, model.pose(GRAPH, KNOWN))


def test_the_prior_is_the_share_that_the_method_itself_calls_positive():
    model = GRAB(**QUICK).fit(GRAPH, KNOWN)
    called = model.scores_[~KNOWN] > 0
    assert model.prior_ == called.mean()
    np.testing.assert_array_equal(model.predict()[~KNOWN], called)
    low, high = model.prior_interval_
    assert low < model.prior_ < high


def test_a_prior_that_is_given_is_used_in_the_potentials_and_kept():
    model = GRAB(prior=0.07, **QUICK).fit(GRAPH, KNOWN)
    assert (model.prior_, model.prior_interval_) == (0.07, (0.07, 0.07))
    used = [record["prior"] for record in model.history_ if record["iteration"]]
    assert used == pytest.approx([0.07] * len(used))


def test_an_estimator_by_name_sees_out_of_fold_scores_of_step_0():
    model = GRAB(prior="bbe", **QUICK).fit(GRAPH, KNOWN)
    scores = GRAB(**QUICK | {"iterations": 0}).fit(GRAPH, KNOWN).out_of_fold_
    assert model.prior_ == hl.estimate_prior(scores[KNOWN], scores[~KNOWN]).value


def test_one_network_on_all_positives():
    model = GRAB(folds=0, **QUICK).fit(GRAPH, KNOWN)
    assert np.isnan(model.out_of_fold_[KNOWN]).all()
    assert 0 < model.prior_ < 1
    with pytest.raises(hl.DataError, match="no positive is held out"):
        GRAB(folds=0, prior="bbe", **QUICK).fit(GRAPH, KNOWN)


def test_published_settings_are_accepted():
    assert GRAB(**GRAB.paper_settings() | QUICK).fit(GRAPH, KNOWN).n_iter_ <= 2


def test_all_iterations_cost_less_than_twenty_trainings_of_a_thousand_epochs():
    model = GRAB()
    assert (1 + model.iterations) * model.epochs * model.folds < 20 * GRAB.paper_settings()["epochs"]


@pytest.mark.parametrize("folds", [1, 5])
def test_held_out_positives_are_like_any_other_node_to_a_member(monkeypatch, folds):
    run, seen = a_run(folds=folds), []

    def spy(adjacency, log_odds, **options):
        seen.append(log_odds)
        return original(adjacency, log_odds, **options)

    original = grab.propagate_beliefs
    monkeypatch.setattr(grab, "propagate_beliefs", spy)
    run.beliefs(None)
    known = torch.isposinf(seen[0])
    assert torch.equal(known, run.P)
    assert not (known & torch.as_tensor(run.folds.held)).any()


def test_a_member_counts_the_unlabelled_only_in_its_prior():
    run = a_run()
    run.train(torch.zeros(run.P.shape))
    shares = (run.logits() > 0)[:, torch.as_tensor(~KNOWN)].double().mean(dim=1)
    run.beliefs(None)
    assert run.step["prior"] == pytest.approx(shares.mean().item())


@pytest.mark.parametrize("reason", ["loss", "ranks"])
def test_what_got_worse_is_taken_back(monkeypatch, reason):
    first = GRAB(**QUICK | {"iterations": 0}).fit(GRAPH, KNOWN)
    train = Run.train
    worse = {"loss": lambda run, belief: train(run, belief) + run.step["iteration"], "ranks": train}
    monkeypatch.setattr(Run, "train", worse[reason])
    if reason == "ranks":
        monkeypatch.setattr(grab, "clearly_lower", lambda ranks, before: True)
    model = GRAB(**QUICK).fit(GRAPH, KNOWN)
    assert model.n_iter_ == 0
    assert model.history_[-1]["iteration"] == 1
    np.testing.assert_array_equal(model.scores_, first.scores_)


def test_an_iteration_starts_from_fresh_networks():
    run = a_run()
    run.train(torch.zeros(run.P.shape))
    before = run.network
    run.restart()
    assert run.network is not before
    assert run.train(torch.zeros(run.P.shape)) == min(r["loss"] for r in run.history[20:])


def test_the_weights_with_the_lowest_loss_are_kept():
    """With steps so large that the loss jumps about."""
    run = a_run(learning_rate=1.0)
    nobody = torch.zeros(run.P.shape)
    lowest = run.train(nobody)
    losses = [record["loss"] for record in run.history]
    assert np.argmin(losses) < len(losses) - 1
    kept = belief_risk(run.logits(), mean_over(run.P), mean_over(run.U), nobody).mean().item()
    assert kept == pytest.approx(lowest) == pytest.approx(min(losses))


def test_patience_ends_a_training_whose_loss_has_stopped_falling():
    run = a_run(learning_rate=1.0, epochs=200, patience=3)
    lowest = run.train(torch.zeros(run.P.shape))
    losses = [record["loss"] for record in run.history]
    assert len(losses) < 199
    assert min(losses[:-2]) == lowest


@pytest.mark.parametrize(("prior", "agrees"), [(0.3, True), (0.7, True), (None, False)])
def test_only_an_estimate_above_one_half_turns_nodes_against_their_networks(monkeypatch, prior, agrees):
    run = a_run(agreement=0.5)
    most = torch.ones(run.P.shape)
    most[:, ::5] = -1
    monkeypatch.setattr(run, "logits", lambda: most)
    believed = run.beliefs(prior)
    assert ((believed > 0.5) == (most > 0))[~run.P].all() == agrees
    assert ((believed > 0.5) == (most < 0))[~run.P].all() != agrees
    assert run.step["prior"] == pytest.approx(prior or 0.8, abs=0.01)


@pytest.mark.parametrize("called", [-1.0, 1.0])
def test_nothing_but_a_label_is_certain(monkeypatch, called):
    run = a_run(agreement=0.5)
    monkeypatch.setattr(run, "logits", lambda: torch.full(run.P.shape, called))
    believed = run.beliefs(None)
    assert (believed[run.P] == 1).all()
    assert (believed[~run.P] > 0).all()
    assert (believed[~run.P] < 1e-3).all()


def test_history_says_how_belief_propagation_ended():
    history = GRAB(**QUICK).fit(GRAPH, KNOWN).history_
    later = [record for record in history if record["iteration"]]
    assert later
    assert all(record["converged"] in (0, 1) and 1 <= record["sweeps"] <= 100 for record in later)


def test_clearly_lower_needs_more_than_noise():
    rng = np.random.default_rng(0)
    before = rng.random(200)
    noise = rng.normal(0, 0.05, 200)
    assert not clearly_lower(before + noise, before)
    assert clearly_lower(before + noise - 0.02, before)
    assert not clearly_lower(np.array([]), np.array([]))


def test_members_that_disagree_widen_the_interval():
    agreeing, differing = torch.full((2, 50), -1.0), torch.full((2, 50), -1.0)
    agreeing[:, :10] = 5
    differing[0, :20] = differing[1, :10] = 5
    differing[1, 10:20] = -9
    assert share_called(agreeing).value == share_called(differing).value == 0.2
    assert share_called(differing).high > share_called(agreeing).high


def on_cora(real_graph, seed):
    """F1 at the method's own decision, and the error of its prior."""
    graph, y = real_graph("cora")
    truth, known = y == np.bincount(y).argmax(), hl.hide_positives(y, ratio=0.5, random_state=seed)
    model = GRAB(random_state=seed).fit(graph, known)
    card = hl.score_unlabelled(model, truth, known)
    own = f1_score(truth[~known], model.scores_[~known] > 0)
    assert own == pytest.approx(card.f1)
    return own, card.prior_error


@pytest.mark.data
def test_one_split_of_cora(real_graph):
    f1, prior_error = on_cora(real_graph, 0)
    assert f1 > 0.80
    assert prior_error < 0.02


@pytest.mark.slow
@pytest.mark.data
def test_five_splits_of_cora(real_graph):
    f1, prior_error = np.mean([on_cora(real_graph, seed) for seed in range(5)], axis=0)
    assert f1 >= 0.81
    assert prior_error <= 0.02
