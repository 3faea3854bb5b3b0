"""Training by mini-batches: every backbone, nobody held out in any loss, features in memory or on disk."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse
from sklearn.base import clone

import halflabel as hl
from halflabel.features import diskrows
from halflabel.features.scaling import Scaling
from halflabel.losses import balanced_loss, mean_over
from halflabel.methods import minibatch
from halflabel.methods.ensemble import Ensemble
from halflabel.nets import BACKBONES

GRAPH, Y = hl.synthetic(600, degree=6, prior=0.3, features=8, signal=2.0)
KNOWN = hl.hide_positives(Y, positive_class=1)
HIDDEN = (Y == 1) & ~KNOWN
SHORT = {hl.Naive: {"epochs": 6}, hl.GPL: {"warmup": 4, "epochs": 2}}
METHODS = pytest.mark.parametrize("method", list(SHORT))


def short(method, **parameters):
    return method(**{"batch_size": 100, **SHORT[method], **parameters})


def mapped(path, graph=GRAPH):
    np.save(path / "X.npy", graph.X)
    return replace(graph, X=np.load(path / "X.npy", mmap_mode="r"))


def ensemble(model, graph=GRAPH):
    torch.manual_seed(0)
    return Ensemble(model, model.pose(graph, KNOWN))


@METHODS
@pytest.mark.parametrize("backbone", sorted(BACKBONES))
def test_every_backbone_learns(method, backbone):
    model = short(method, backbone=backbone, folds=2, batch_size=200).fit(GRAPH, KNOWN)
    assert model.scores_[HIDDEN].mean() > model.scores_[Y == 0].mean()
    assert hl.score_unlabelled(model, Y, KNOWN).auc > 0.8


@METHODS
def test_the_seed_decides(method):
    first, again, other = (short(method, random_state=s).fit(GRAPH, KNOWN) for s in (0, 0, 1))
    np.testing.assert_array_equal(first.scores_, again.scores_)
    assert (first.scores_ != other.scores_).any()


@METHODS
@pytest.mark.parametrize("size", [0, -5, 2.5])
def test_a_wrong_size_is_named(method, size):
    with pytest.raises(ValueError, match="'batch_size' parameter"):
        short(method, batch_size=size).fit(GRAPH, KNOWN)


def test_methods_that_need_all_nodes_at_once_do_not_have_the_option():
    able = {name for name, cls in hl.methods().items() if "batch_size" in cls().get_params()}
    assert able == {"naive", "gpl"}
    with pytest.raises(TypeError, match="batch_size"):
        hl.GRAB(batch_size=10)


def test_one_batch_of_everything_is_a_step_on_the_whole_graph(monkeypatch):
    """Without dropout and without cuts, to rounding."""
    monkeypatch.setattr(minibatch, "FANOUTS", (None, None))
    states, losses = [], []
    for size in (None, 10_000):
        nets = ensemble(hl.Naive(batch_size=size, dropout=0.0))
        weights = mean_over(nets.P), mean_over(nets.U)
        losses.append([nets.descend_on(balanced_loss, *weights) for _ in range(3)])
        states.append(nets.network.state_dict())
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)
    torch.testing.assert_close(states[1], states[0], rtol=1e-3, atol=1e-4)


def test_without_a_size_a_step_is_that_of_the_full_batch_bit_for_bit():
    nets, again = ensemble(hl.Naive()), ensemble(hl.Naive())
    positive, negative = mean_over(nets.P), mean_over(nets.U)
    for n, descend in ((nets, lambda: nets.descend_on(balanced_loss, positive, negative)),
                       (again, lambda: again.descend(lambda f: balanced_loss(f, positive, negative)))):
        torch.manual_seed(1)
        losses = [descend() for _ in range(3)]
        n.history.append({"loss": losses[-1]})
    assert nets.history == again.history
    assert all(torch.equal(p, q) for p, q in
               zip(nets.network.parameters(), again.network.parameters(), strict=True))


def test_an_epoch_is_a_pass_of_many_steps():
    nets, seen = ensemble(hl.Naive(batch_size=100)), []
    def loss(logits, *weights):
        seen.append(weights)
        return logits.sum(dim=1)
    nets.descend_on(loss, nets.P.float(), nets.U.float())
    assert len(seen) == 6
    for kind, whole in enumerate((nets.P, nets.U)):
        total = sum(weights[kind].sum(dim=1) for weights in seen) / len(seen)
        torch.testing.assert_close(total, whole.sum(dim=1).float(), rtol=0.2, atol=0)


def test_held_out_nodes_are_in_no_loss():
    """Each member's gradient does not know of its own fold: weights there are zero in every batch."""
    nets = ensemble(hl.Naive(batch_size=100))
    held = torch.as_tensor(nets.folds.held)
    for part in nets.parts.one_pass(nets.X, nets.graph, nets.P, nets.U):
        for weights in (mean_over(nets.P), mean_over(nets.U)):
            assert (weights[:, part.seeds][held[:, part.seeds]] == 0).all()


def test_labels_of_held_out_nodes_change_nothing():
    model = short(hl.Naive, folds=2)
    nets = ensemble(model)
    swapped = nets.folds.held[0] & ~KNOWN  # unlabelled nodes that member 0 trains without
    states = []
    for positive in (KNOWN, KNOWN | (swapped & (np.cumsum(swapped) == 1))):
        torch.manual_seed(0)
        other = Ensemble(model, replace(nets.problem, positive=KNOWN, unlabelled=~KNOWN), folds=nets.folds)
        P, U = (torch.as_tensor(some & ~nets.folds.held) for some in (positive, ~positive))
        other.descend_on(balanced_loss, mean_over(P), mean_over(U))
        states.append(other.network.first.detach())
    assert torch.equal(states[0][0], states[1][0])
    assert not torch.equal(states[0][1], states[1][1])


def test_scores_are_those_of_whole_neighbourhoods():
    """Not of samples: another forward pass on the whole graph agrees."""
    model = short(hl.Naive).fit(GRAPH, KNOWN)
    again = clone(model).fit(GRAPH, KNOWN)
    again._graph = None
    np.testing.assert_allclose(again._raw_scores(GRAPH), model.scores_, rtol=1e-4, atol=1e-5)


@METHODS
@pytest.mark.parametrize("size", [None, 100])
def test_features_on_disk_give_the_same_result(method, size, tmp_path, monkeypatch):
    monkeypatch.setattr(diskrows, "BLOCK_VALUES", 1000)
    in_memory = short(method, batch_size=size).fit(GRAPH, KNOWN)
    on_disk = short(method, batch_size=size).fit(mapped(tmp_path), KNOWN)
    np.testing.assert_allclose(on_disk.scores_, in_memory.scores_, rtol=1e-2, atol=1e-2)
    assert on_disk.prior_ == pytest.approx(in_memory.prior_, abs=0.02)


@METHODS
def test_features_on_disk_are_never_read_as_a_whole(method, tmp_path, monkeypatch):
    """Where there is no guide, which is for small matrices."""
    monkeypatch.setattr(diskrows, "BLOCK_VALUES", 1000)
    read, transform = [], Scaling.transform
    def watched(scaling, X, names):
        read.append(len(X))
        return transform(scaling, X, names)
    monkeypatch.setattr(Scaling, "transform", watched)
    parameters = {"guide": False} if method is hl.GPL else {}
    graph = mapped(tmp_path)
    model = short(method, batch_size=20, backbone="mlp", **parameters).fit(graph, KNOWN)
    model.decision_function(mapped(tmp_path))
    assert read
    assert max(read) <= 125


@pytest.mark.parametrize("backbone", ["gcn", "appnp"])
def test_every_product_with_a_matrix_on_disk_is_exact(backbone, tmp_path, monkeypatch):
    monkeypatch.setattr(diskrows, "BLOCK_VALUES", 1000)
    logits = []
    for graph in (GRAPH, mapped(tmp_path)):
        model = hl.Naive(backbone=backbone)
        logits.append(ensemble(model, graph).logits())
    torch.testing.assert_close(logits[1], logits[0])


def test_sparse_features():
    words = (np.random.default_rng(0).random((600, 40)) < 0.1).astype(np.float32)
    words[Y == 1, :5] = 1
    dense, rows = (short(hl.Naive).fit(replace(GRAPH, X=form(words)), KNOWN)
                   for form in (np.asarray, sparse.csr_array))
    np.testing.assert_allclose(rows.scores_, dense.scores_, rtol=1e-2, atol=1e-2)


@METHODS
def test_saving_cloning_and_another_graph_on_disk(method, tmp_path):
    graph = mapped(tmp_path)
    model = short(method).fit(graph, KNOWN)
    assert clone(model).get_params() == model.get_params()
    model.save(tmp_path / "model")
    twin = hl.load(tmp_path / "model")
    assert twin.batch_size == 100
    np.testing.assert_array_equal(twin.predict_proba(), model.predict_proba())
    np.testing.assert_allclose(twin.decision_function(mapped(tmp_path)), model.decision_function(),
                               rtol=1e-4, atol=1e-5)


def test_very_few_positives_and_a_slice():
    few = np.flatnonzero(KNOWN)[:4]
    assert np.isfinite(short(hl.Naive, prior=0.2).fit(GRAPH, GRAPH.ids.take(few)).scores_).all()
    focus = np.flatnonzero(KNOWN | (np.arange(600) % 2 == 0))
    assert np.isfinite(short(hl.GPL).fit(GRAPH[focus], KNOWN[focus]).scores_).all()


def test_the_listing_order_of_a_matrix_on_disk_does_not_matter(tmp_path):
    order = np.random.default_rng(0).permutation(600)
    place = np.argsort(order)
    rows = np.repeat(np.arange(600), np.diff(GRAPH.indptr))
    np.save(tmp_path / "X.npy", GRAPH.X[order])
    other = hl.Graph.from_edges(place[rows], place[GRAPH.indices], np.load(tmp_path / "X.npy", mmap_mode="r"),
                                ids=type(GRAPH.ids)(order))
    first, second = short(hl.Naive).fit(GRAPH, KNOWN), short(hl.Naive).fit(other, KNOWN[order])
    np.testing.assert_allclose(second.scores_, first.scores_[order], rtol=1e-2, atol=1e-2)
