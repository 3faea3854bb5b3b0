"""GPL: every switch does something, and nothing held out enters a loss."""

import hashlib
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.auc import pu_auc
from halflabel.datasets import payments
from halflabel.edges.adjacency import Adjacency
from halflabel.edges.memory import edge_keys
from halflabel.errors import DataError
from halflabel.methods import ensemble, gpl, inductive
from halflabel.methods.gpl import GPL
from halflabel.methods.masked import FULL_MASK

QUICK = {"warmup": 5, "epochs": 4}
GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)


@pytest.fixture(scope="module")
def plain():
    return GPL(**QUICK).fit(GRAPH, KNOWN)


FINGERPRINT = """
import hashlib, halflabel as hl
graph, y = hl.load_dataset("payments")
m = hl.GPL(warmup=5, epochs=4).fit(graph, hl.payments_positives(y))
bits = m.scores_.tobytes() + m.edge_weight_.tobytes() + repr(m.prior_interval_).encode()
print(hashlib.sha256(bits).hexdigest())
"""


def test_the_same_seed_gives_the_same_bits_in_any_process(plain):
    for hash_seed, threads in (("1", "1"), ("2", "2")):
        env = os.environ | {"PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": threads}
        run = subprocess.run([sys.executable, "-W", "ignore", "-c", FINGERPRINT],
                             env=env, capture_output=True, text=True, check=True)
        bits = plain.scores_.tobytes() + plain.edge_weight_.tobytes() + repr(plain.prior_interval_).encode()
        assert run.stdout.strip() == hashlib.sha256(bits).hexdigest()


@pytest.mark.parametrize("change", [
    {"edge_learning": False}, {"bilevel": False}, {"use_selected": False}, {"feed_back": True},
    {"guide": False}, {"loss": "printed"}, {"K": 2}, {"K": 5}, {"alpha": 0.1}, {"inner_steps": 1},
    {"folds": 1}, {"folds": 3}, {"draws": 2}, {"hidden": 8}, {"dropout": 0.0}, {"learning_rate": 0.05},
    {"weight_decay": 0.0}, {"mask_learning_rate": 0.05},
    {"warmup": 0}, {"epochs": 5}, {"prior": 0.3}, {"random_state": 1},
    {"backbone": "mlp"}, {"backbone": "gat"}, {"backbone": "arma"}, {"backbone": "appnp"},
], ids=str)
def test_every_switch_runs_and_changes_the_result(plain, change):
    changed = GPL(**QUICK | change).fit(GRAPH, KNOWN)
    assert np.isfinite(changed.scores_).all()
    assert (changed.scores_ != plain.scores_).any()


def test_the_device_is_passed_on_and_verbose_changes_nothing(plain, capfd):
    same = GPL(**QUICK, device="cpu", verbose=True).fit(GRAPH, KNOWN)
    np.testing.assert_array_equal(same.scores_, plain.scores_)
    assert "fitting GPL: 9/9" in capfd.readouterr().err


@pytest.mark.parametrize(("parameter", "value"), [
    ("backbone", "gnc"), ("prior", 0), ("prior", 1.0), ("prior", "known"), ("K", 0), ("K", 1.5),
    ("alpha", 0.0), ("alpha", 1), ("inner_steps", 0), ("loss", "hinge"), ("edge_learning", "yes"),
    ("bilevel", None), ("use_selected", 2), ("feed_back", "no"), ("guide", "best"),
    ("folds", -1), ("draws", 0), ("hidden", 3), ("dropout", 1.0), ("dropout", -0.1),
    ("learning_rate", 0), ("weight_decay", -1), ("mask_learning_rate", 0), ("warmup", -1), ("epochs", 0),
    ("random_state", None), ("random_state", 2**32), ("device", 3), ("verbose", "loud"),
])
def test_a_wrong_value_names_its_parameter_and_stops_before_anything_is_fitted(parameter, value):
    model = GPL(**{parameter: value})
    with pytest.raises(ValueError, match=f"'{parameter}' parameter of GPL"):
        model.fit(GRAPH, KNOWN)
    assert not hasattr(model, "scores_")


def test_without_edge_learning_every_edge_keeps_its_weight():
    model = GPL(**QUICK, edge_learning=False).fit(GRAPH, KNOWN)
    assert model.edge_weight_.tolist() == [1.0] * GRAPH.n_edges
    assert {record["mean_mask"] for record in model.history_} == {1.0}


def test_edge_weights_are_listed_in_the_graphs_own_order(plain):
    """Each of a pair's directed edges has the weight that is remembered for the pair."""
    assert plain.edge_weight_.shape == (GRAPH.n_edges,)
    assert 0 < plain.edge_weight_.min() < plain.edge_weight_.max() < 1
    source = np.repeat(np.arange(GRAPH.n_nodes), np.diff(GRAPH.indptr))
    pairs = np.sort(np.column_stack([source, GRAPH.indices]), axis=1)
    adjacency = Adjacency.from_scipy(GRAPH.symmetric())
    recalled = plain.edge_memory_.recall(edge_keys(adjacency, GRAPH.ids)).mean(axis=0)
    of_pair = dict(zip(zip(*(e.tolist() for e in adjacency.ends), strict=True), recalled, strict=True))
    wanted = [of_pair[a, b] for a, b in pairs.tolist()]
    np.testing.assert_allclose(plain.edge_weight_, wanted, rtol=1e-6)


def test_a_given_prior_is_used_as_it_is():
    model = GPL(**QUICK, prior=0.1).fit(GRAPH, KNOWN)
    assert model.prior_ == 0.1
    assert model.prior_interval_ == (0.1, 0.1)
    assert model.history_[-1]["selected"] == int(0.1 * 1940)
    assert model.predict()[~KNOWN].sum() == 194


def test_history_has_a_record_per_epoch(plain):
    assert [record["epoch"] for record in plain.history_] == list(range(9))
    assert all(np.isnan(record["prior"]) and record["selected"] == 0 for record in plain.history_[:5])
    for record in plain.history_[5:]:
        assert 0 < record["prior"] < 1
        assert record["selected"] == int(record["prior"] * 1940)
        assert 0 < record["mean_mask"] < 1


def test_the_prior_never_drifts_upward(plain):
    priors = [record["prior"] for record in GPL(warmup=10, epochs=15).fit(GRAPH, KNOWN).history_[10:]]
    assert all(later <= earlier for earlier, later in pairwise(priors))


class Spy:
    """Every pair of weights (positive, negative) that a loss was called with, and the folds drawn."""

    def __init__(self, monkeypatch):
        self.classifier, self.edges, self.starts, self.sizes = [], [], [], []
        draw = ensemble.Folds.draw

        def keep_folds(*args, **kwargs):
            self.folds = draw(*args, **kwargs)
            return self.folds

        monkeypatch.setattr(ensemble.Folds, "draw", keep_folds)
        self._watch(monkeypatch, "balanced_loss", lambda logits, *sets: self.classifier.append(sets))
        self._watch(monkeypatch, "label_propagation_loss", lambda e, *sets, **_: self.edges.append(sets))
        self._watch(monkeypatch, "propagate", lambda adjacency, mask, start, **_: self.starts.append(start))
        self._watch(monkeypatch, "best_bin", lambda p, u: self.sizes.append((len(p), len(u))))

    def _watch(self, monkeypatch, name, look):
        original = getattr(gpl, name)

        def watched(*args, **kwargs):
            look(*args, **kwargs)
            return original(*args, **kwargs)

        monkeypatch.setattr(gpl, name, watched)

    def weights(self):
        """Of every call of either loss: positive and negative weights, one row per member."""
        for sets in (*self.classifier, *self.edges):
            yield [np.zeros(self.folds.held.shape) if s is None else s.view(self.folds.held.shape).numpy()
                   for s in sets]


@pytest.mark.parametrize("folds", [1, 5])
@pytest.mark.parametrize("switches", [
    {}, {"feed_back": True}, {"use_selected": False}, {"bilevel": False},
], ids=str)
def test_what_a_member_holds_out_enters_none_of_its_losses(monkeypatch, folds, switches):
    spy = Spy(monkeypatch)
    GPL(**QUICK, folds=folds, **switches).fit(GRAPH, KNOWN)
    held = spy.folds.held
    assert held.any(axis=1).all()
    assert len(spy.classifier) == 9
    assert len(spy.edges) == 12  # three steps an epoch
    for positive, negative in spy.weights():
        assert not positive[held].any()
        assert not negative[held].any()
        assert (positive[KNOWN[None] & ~held] > 0).all()
        assert not negative[:, KNOWN].any()
        np.testing.assert_allclose(positive.sum(axis=1), 1, rtol=1e-5)
    classified, judged = list(spy.weights())[:9], list(spy.weights())[9:]
    assert any(positive[:, ~KNOWN].any() for positive, _ in classified) == switches.get("feed_back", False)
    assert all(positive[:, ~KNOWN].any() for positive, _ in judged) == switches.get("use_selected", True)
    assert all(s[1] is not None for s in spy.edges) == switches.get("use_selected", True)
    for start in spy.starts:
        start = start.view(held.shape).numpy()
        assert (start[KNOWN[None] & ~held] == 1).all()
        assert (start[KNOWN[None] & held] < 1).all()


def test_selected_nodes_are_no_negatives(monkeypatch):
    spy = Spy(monkeypatch)
    model = GPL(**QUICK, prior=0.25).fit(GRAPH, KNOWN)
    assert model.history_[-1]["selected"] == 485
    trained = (~spy.folds.held & ~KNOWN).sum(axis=1)
    counts = [(negative > 0).sum(axis=1) for _, negative in list(spy.weights())[: len(spy.classifier)]]
    assert all((count == trained).all() for count in counts[:5])
    assert all((count < trained - 200).all() for count in counts[5:])


def test_nodes_out_of_focus_are_in_no_loss_and_in_no_prior(monkeypatch):
    focus = np.flatnonzero(np.arange(2000) % 3 > 0)
    outside = np.setdiff1d(np.arange(2000), focus)
    spy = Spy(monkeypatch)
    GPL(**QUICK).fit(GRAPH[focus], KNOWN[focus])
    for positive, negative in spy.weights():
        assert not positive[:, outside].any()
        assert not negative[:, outside].any()
    assert set(spy.sizes) == {(KNOWN[focus].sum(), (~KNOWN[focus]).sum())}
    for start in spy.starts:
        assert (start.view(5, -1)[:, outside[KNOWN[outside]]] < 1).all()


def test_draws_have_networks_of_their_own_and_the_first_draw_is_that_of_one():
    model = GPL(**QUICK, draws=3).fit(GRAPH, KNOWN)
    assert len(model.edge_memory_.masks) == 15
    np.testing.assert_array_equal(model.fold_, GPL(**QUICK).fit(GRAPH, KNOWN).fold_)
    with pytest.raises(DataError, match="draws=3 with folds=1: at least 2 folds are needed"):
        GPL(**QUICK, draws=3, folds=1).fit(GRAPH, KNOWN)


def test_more_copies_than_fit_in_memory_become_a_single_network(monkeypatch):
    monkeypatch.setattr(inductive, "MAX_STACKED_EDGES", 10)
    model = GPL(**QUICK).fit(GRAPH, KNOWN)
    assert len(model.edge_memory_.masks) == 1
    np.testing.assert_array_equal(model.scores_, GPL(**QUICK, folds=1).fit(GRAPH, KNOWN).scores_)


def test_the_mask_is_really_in_an_optimiser():
    """At a rate near zero no weight moves; one step moves the edges of P, and with K=1 no others."""
    still = GPL(**QUICK, mask_learning_rate=1e-12).fit(GRAPH, KNOWN).edge_weight_
    assert np.ptp(still) < 1e-6
    moved = GPL(warmup=5, epochs=1, use_selected=False, mask_learning_rate=0.1, folds=1).fit(GRAPH, KNOWN)
    source = np.repeat(np.arange(2000), np.diff(GRAPH.indptr))
    touched = KNOWN[source] | KNOWN[GRAPH.indices]
    start = torch.sigmoid(torch.tensor(FULL_MASK)).item()
    assert (np.abs(moved.edge_weight_[touched] - start) > 1e-3).mean() > 0.7
    np.testing.assert_allclose(moved.edge_weight_[~touched], start, rtol=1e-6)


@pytest.mark.parametrize("folds", [1, 5])
def test_the_prior_is_estimated_on_out_of_fold_scores(monkeypatch, folds):
    """Every member scores 1000 what it trained on, and between 0 and 1 what it held out."""

    def telling_logits(run):
        held = torch.as_tensor(run.folds.held)
        if folds == 1:  # a single network trains on all of U; only positives can be held out
            held = held | torch.as_tensor(~KNOWN)
        return torch.where(held, torch.rand(held.shape), 1000.0)

    seen = []
    monkeypatch.setattr(gpl.Run, "logits", telling_logits)
    monkeypatch.setattr(gpl, "best_bin", lambda p, u: seen.append((p, u)) or 0.1)
    GPL(**QUICK, folds=folds, edge_learning=False).fit(GRAPH, KNOWN)
    assert len(seen) == 5  # after the warm-up, and in every epoch of the loop
    for scores_p, scores_u in seen:
        assert len(scores_p) == (60 if folds > 1 else 12)
        assert len(scores_u) == 1940
        assert max(scores_p.max(), scores_u.max()) <= 1


def test_the_state_in_which_held_out_positives_ranked_best_is_returned():
    model = GPL(warmup=10, epochs=20, learning_rate=0.05).fit(GRAPH, KNOWN)
    best = max(record["auc"] for record in model.history_[10:])
    assert best > model.history_[-1]["auc"]
    assert pu_auc(model.out_of_fold_[KNOWN], model.out_of_fold_[~KNOWN]) == pytest.approx(best, abs=1e-6)
