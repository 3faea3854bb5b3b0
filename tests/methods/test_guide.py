"""The guide of the label propagation loss: the best view, learned without what a member holds out."""

from dataclasses import replace

import numpy as np
import torch

import halflabel as hl
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.guide import best_guide

GRAPH, Y = hl.synthetic(600, degree=6, heterophily=0.5, signal=2.0, features=8, random_state=0)
KNOWN = hl.hide_positives(Y, positive_class=1)
QUICK = {"warmup": 30, "epochs": 20}


def nets_for(known):
    torch.manual_seed(0)
    model = hl.GPL()
    return Ensemble(model, model.pose(GRAPH, known))


def test_a_members_guide_does_not_know_the_labels_it_holds_out():
    nets = nets_for(KNOWN)
    before = best_guide(nets, GRAPH, 20)
    hidden = np.flatnonzero(KNOWN & nets.folds.held[0])
    fewer = replace(nets.problem, positive=KNOWN & ~nets.folds.held[0],
                    unlabelled=~KNOWN | nets.folds.held[0])
    torch.manual_seed(0)
    forgetful = Ensemble(nets.settings, fewer, folds=nets.folds)
    after = best_guide(forgetful, GRAPH, 20)
    assert len(hidden) > 5
    assert before.view == after.view
    torch.testing.assert_close(before.logits[0], after.logits[0])
    assert not torch.allclose(before.logits[1], after.logits[1])


def test_the_callers_random_state_stays():
    nets = nets_for(KNOWN)
    torch.manual_seed(5)
    best_guide(nets, GRAPH, 3)
    after = torch.rand(1)
    torch.manual_seed(5)
    assert after == torch.rand(1)


def test_no_guide_without_held_out_positives_or_beyond_what_memory_holds(monkeypatch):
    assert best_guide(Ensemble(hl.GPL(folds=0, prior=0.2), nets_for(KNOWN).problem), GRAPH, 5) is None
    monkeypatch.setattr("halflabel.methods.guide.MAX_WORK", 10)
    assert best_guide(nets_for(KNOWN), GRAPH, 5) is None


def test_links_guide_where_features_say_nothing():
    rng = np.random.default_rng(0)
    positive = np.arange(300) < 100
    source = np.repeat(np.arange(300), 4)  # positives link to the first five nodes, others to anybody
    target = np.where(positive[source], rng.integers(0, 5, 1200), rng.integers(0, 300, 1200))
    graph = hl.Graph.from_edges(source, target, rng.normal(size=(300, 2)))
    model = hl.GPL()
    nets = Ensemble(model, model.pose(graph, positive & (rng.random(300) < 0.5)))
    assert best_guide(nets, graph, 30).view == "links to"


def gap(model):
    """How much more a fitted model trusts edges within the classes than between them."""
    model.fit(GRAPH, KNOWN)
    source = np.repeat(np.arange(600), np.diff(GRAPH.indptr))
    between = Y[source] != Y[GRAPH.indices]
    return model.edge_weight_[~between].mean() - model.edge_weight_[between].mean()


def test_on_a_heterophilic_graph_features_guide_and_tell_edges_apart_better():
    guided = hl.GPL(**QUICK)
    assert gap(guided) > gap(hl.GPL(**QUICK, guide=False)) + 0.05
    assert guided.guide_ == "own"
    without = hl.GPL(**QUICK, guide=False).fit(GRAPH, KNOWN)
    assert without.guide_ == "classifier"


def test_on_a_homophilic_graph_the_classifier_guides_itself():
    graph, y = hl.synthetic(600, degree=12, heterophily=0.02, signal=0.5, features=4, random_state=0)
    model = hl.GPL(**QUICK).fit(graph, hl.hide_positives(y, positive_class=1))
    assert model.guide_ == "classifier"
