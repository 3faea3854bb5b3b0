"""LSDAN: its risk by hand on ten nodes, its reach, its prior, and that a saved one sees the same views."""

import math

import networkx as nx
import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.datasets import payments
from halflabel.losses import mean_over, non_negative_risk, unbiased_risk
from halflabel.methods.ensemble import Ensemble

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)
QUICK = {"folds": 1, "epochs": 4, "prior": 0.1}

# Ten nodes: a path 0-1-2-3-4-5-6, a branch 2-7, an edge 8-9 apart. Known: 0, 2, 5 and 7.
EDGES = np.array([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (2, 7), (8, 9)]).T
POSITIVE = [0, 2, 5, 7]
Z = [0.9, 0.4, 0.8, 0.3, 0.2, 0.6, 0.1, 0.7, 0.2, 0.3]  # probabilities, so sigmoid losses are z and 1 - z
LOGITS = torch.tensor([[math.log(z / (1 - z)) for z in Z]])


def ten_node_weights():
    marks = torch.as_tensor(np.isin(np.arange(10), POSITIVE))[None]
    return mean_over(marks), mean_over(~marks)


def test_the_risk_on_ten_nodes_by_hand():
    # R_p^+ = (.1 + .2 + .4 + .3) / 4 = .25;  R_p^- = (.9 + .8 + .6 + .7) / 4 = .75
    # U = {1, 3, 4, 6, 8, 9}:  R_u^- = (.4 + .3 + .2 + .1 + .2 + .3) / 6 = .25
    # prior .2:  N = .25 - .2 * .75 = .1;   risk = .2 * .25 + .1 = .15
    risk = non_negative_risk(LOGITS, *ten_node_weights(), prior=0.2)
    assert risk.tolist() == pytest.approx([0.15])
    # prior .4:  N = .25 - .4 * .75 = -.05 is below zero; uPU has .4 * .25 - .05 = .05, and here .1 is left
    assert sum(part.item() for part in unbiased_risk(LOGITS, *ten_node_weights(), 0.4)) == pytest.approx(0.05)
    risk = non_negative_risk(LOGITS, *ten_node_weights(), prior=0.4)
    assert risk.tolist() == pytest.approx([0.1])


def test_the_logistic_risk_on_ten_nodes_by_plain_sums():
    positive, unlabelled = POSITIVE, [1, 3, 4, 6, 8, 9]
    as_positive = sum(-math.log(Z[i]) for i in positive) / 4
    as_negative = sum(-math.log(1 - Z[i]) for i in positive) / 4
    of_unlabelled = sum(-math.log(1 - Z[i]) for i in unlabelled) / 6
    risk = non_negative_risk(LOGITS, *ten_node_weights(), prior=0.1, surrogate="logistic")
    assert risk.tolist() == pytest.approx([0.1 * as_positive + of_unlabelled - 0.1 * as_negative])


def test_the_method_minimises_this_risk():
    """On the ten-node graph itself: the loss of the first epoch is the risk of the fresh network's logits."""
    graph = hl.Graph.from_edges(*EDGES, np.random.default_rng(0).normal(size=(10, 3)).astype(np.float32))
    known = np.isin(np.arange(10), POSITIVE)
    model = hl.LSDAN(prior=0.2, folds=0, warmup=0, epochs=1, dropout=0.0, surrogate="sigmoid")
    torch.manual_seed(0)
    nets = Ensemble(model, model.pose(graph, known))
    wanted = non_negative_risk(nets.logits(), *ten_node_weights(), prior=0.2)
    assert model.fit(graph, known).history_[0]["loss"] == pytest.approx(wanted.item(), rel=1e-5)


@pytest.mark.filterwarnings("ignore::halflabel.errors.DriftWarning")  # a node is moved on purpose
def test_k_is_how_far_it_looks():
    """On a path, what a node six steps away is like matters with two layers of K = 3, not of K = 2."""
    path = nx.to_scipy_sparse_array(nx.path_graph(20), format="csr")
    X = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
    moved = X.copy()
    moved[6] += 1
    known = np.isin(np.arange(20), [1, 8, 12, 15])
    reaches = {}
    for K in (1, 2, 3):
        model = hl.LSDAN(K=K, warmup=2, **QUICK).fit((path, X), known)
        before, after = (model.decision_function((path, x)) for x in (X, moved))
        reaches[K] = int(np.flatnonzero(np.abs(after - before) > 1e-6).max()) - 6
    assert reaches == {1: 2, 2: 4, 3: 6}


def test_saved_models_keep_their_reach(tmp_path):
    other, _ = payments(random_state=3)
    for K in (1, 2):
        model = hl.LSDAN(K=K, warmup=2, **QUICK).fit(GRAPH, KNOWN)
        model.save(tmp_path / str(K))
        twin = hl.load(tmp_path / str(K))
        assert twin.network_.reach == K
        np.testing.assert_array_equal(twin.decision_function(other), model.decision_function(other))


def test_the_backbone_is_no_parameter_and_other_methods_may_use_it():
    assert "backbone" not in hl.LSDAN().get_params()
    with pytest.raises(TypeError, match="backbone"):
        hl.LSDAN(backbone="gcn")
    lsdan = hl.LSDAN(warmup=0, **QUICK).fit(GRAPH, KNOWN)
    nnpu = hl.NNPU(backbone="lsdan", **QUICK).fit(GRAPH, KNOWN)
    np.testing.assert_array_equal(nnpu.scores_, lsdan.scores_)
    gpl = hl.GPL(backbone="lsdan", warmup=2, epochs=2, folds=2).fit(GRAPH, KNOWN)
    assert np.isfinite(gpl.scores_).all()


def test_the_smaller_of_two_estimates_counts(monkeypatch):
    estimates = iter([hl.Prior(0.4, 0.3, 0.5, "bbe"), hl.Prior(0.2, 0.1, 0.3, "bbe")])
    monkeypatch.setattr("halflabel.methods.prior.estimate_prior", lambda *_, **__: next(estimates))
    model = hl.LSDAN(folds=1, warmup=2, epochs=2).fit(GRAPH, KNOWN)
    assert (model.prior_, *model.prior_interval_) == (0.2, 0.1, 0.3)


def test_a_named_estimator_is_asked_once(monkeypatch):
    estimates = iter([hl.Prior(0.4, 0.3, 0.5, "dedpul")])
    monkeypatch.setattr("halflabel.methods.prior.estimate_prior", lambda *_, **__: next(estimates))
    assert hl.LSDAN(prior="dedpul", folds=1, warmup=2, epochs=2).fit(GRAPH, KNOWN).prior_ == 0.4
