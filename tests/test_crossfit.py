"""Out-of-fold scores: every node is scored by a model that did not learn from it."""

import numpy as np
import pytest

import halflabel as hl
from halflabel.crossfit import cross_fit
from halflabel.datasets import payments, payments_positives
from halflabel.errors import DataError
from halflabel.methods import naive
from halflabel.methods.naive import Naive

GRAPH, Y = payments()
KNOWN = payments_positives(Y)


def test_every_node_has_a_score_and_a_fold():
    fitted = cross_fit(GRAPH, KNOWN, "mlp", folds=4)
    assert np.isfinite(fitted.scores).all()
    assert np.bincount(fitted.fold[KNOWN]).tolist() == [15] * 4
    assert len(fitted.scores_p) + len(fitted.scores_u) == len(GRAPH)


def test_the_member_that_scores_a_node_has_no_loss_on_it(monkeypatch):
    seen = []

    class Watched(naive.Ensemble):
        def step(self, positive, negative):
            seen.append((positive + negative).numpy())
            return super().step(positive, negative)

    monkeypatch.setattr(naive, "Ensemble", Watched)
    fitted = cross_fit(GRAPH, KNOWN, "mlp", folds=3)
    for weights in seen:
        assert (weights[fitted.fold, np.arange(len(GRAPH))] == 0).all()
        assert ((weights > 0).sum(axis=0) == 2).all()


def test_a_method_is_fitted_afresh_without_the_fold():
    fits = []

    class Recorder(Naive):
        def fit(self, graph, positives):
            fits.append((graph.nodes, np.asarray(positives)))
            return super().fit(graph, positives)

    fitted = cross_fit(GRAPH, KNOWN, Recorder(backbone="mlp", epochs=3), folds=3)
    assert len(fits) == 3
    for fold, (nodes, positives) in enumerate(fits):
        assert not (fitted.fold[nodes] == fold).any()
        assert (positives == KNOWN[nodes]).all()
    assert np.isfinite(fitted.scores).all()


def test_stacked_folds_rank_as_well_as_folds_one_by_one():
    def auc(fitted):
        return (fitted.scores_p[:, None] > fitted.scores_u[None]).mean()

    stacked = auc(cross_fit(GRAPH, KNOWN, "gcn", folds=3))
    separate = auc(cross_fit(GRAPH, KNOWN, Naive(folds=1), folds=3))
    assert stacked == pytest.approx(separate, abs=0.04)


def test_a_sliced_graph_gives_scores_of_its_focus_only():
    focus = np.r_[np.flatnonzero(KNOWN), np.flatnonzero(~KNOWN)[:500]]
    fitted = cross_fit(GRAPH[focus], KNOWN[focus], "mlp", folds=3)
    assert fitted.scores.shape == (560,)


@pytest.mark.parametrize("folds", [0, 1, 61])
def test_the_number_of_folds_is_checked(folds):
    with pytest.raises(DataError, match=f"folds={folds}: expected 2 to 60"):
        cross_fit(GRAPH, KNOWN, folds=folds)


def test_an_unknown_backbone_is_named():
    with pytest.raises(DataError, match="no backbone 'gnc'"):
        cross_fit(GRAPH, KNOWN, "gnc")


def test_the_name_is_exported():
    assert hl.cross_fit is cross_fit
