"""TED, CVIR, nnPU, uPU and Dist-PU: where their prior comes from, what they ignore, when they collapse."""

import warnings

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.auc import pu_auc
from halflabel.datasets import payments
from halflabel.errors import CollapseWarning
from halflabel.methods import cvir
from halflabel.methods.selection import top_share

GRAPH, Y = payments()
KNOWN = hl.payments_positives(Y)
TRUE = float((Y[~KNOWN] == 1).mean())
PRIOR_FIRST = [hl.NNPU, hl.UPU, hl.DistPU, hl.CVIR]


@pytest.mark.parametrize("method", [hl.NNPU, hl.UPU, hl.DistPU, hl.CVIR, hl.TED, hl.Naive])
def test_it_ranks_hidden_positives_high(method):
    model = method(prior=TRUE, epochs=60).fit(GRAPH, KNOWN)
    assert pu_auc(model.scores_[(Y == 1) & ~KNOWN], model.scores_[Y == 0]) > 0.85


@pytest.fixture(scope="module")
def first():
    return hl.Naive().fit(GRAPH, KNOWN)


@pytest.mark.parametrize("method", PRIOR_FIRST)
def test_a_prior_that_is_not_given_comes_from_p_against_u(method, first):
    model = method(epochs=2).fit(GRAPH, KNOWN)
    assert (model.prior_, model.prior_interval_) == (first.prior_, first.prior_interval_)


@pytest.mark.parametrize("method", [*PRIOR_FIRST, hl.TED, hl.Naive, hl.GPL])
def test_the_prior_may_be_given_or_an_estimators_name(method, first):
    short = {"epochs": 2} | ({"warmup": 5} if "warmup" in method().get_params() else {})
    assert method(prior=0.07, **short).fit(GRAPH, KNOWN).prior_interval_ == (0.07, 0.07)
    by_name = method(prior="elkan_noto", **short).fit(GRAPH, KNOWN).prior_
    assert by_name != (first if method in PRIOR_FIRST else method(**short).fit(GRAPH, KNOWN)).prior_
    with pytest.raises(ValueError, match="'prior' parameter"):
        method(prior="guess").fit(GRAPH, KNOWN)


@pytest.mark.parametrize("method", [*PRIOR_FIRST, hl.TED, hl.Naive, hl.GPL])
def test_without_folds_all_of_p_is_trained_on_and_the_prior_must_be_given(method):
    with pytest.raises(hl.DataError, match=r"folds=0: no positive is held out .* Give the prior as a number"):
        method(folds=0).fit(GRAPH, KNOWN)
    model = method(folds=0, prior=0.05, epochs=2).fit(GRAPH, KNOWN)
    assert np.isnan(model.out_of_fold_[KNOWN]).all()
    assert np.isfinite(model.scores_).all()


def test_top_share_marks_the_highest_unlabelled_of_each_member():
    logits = torch.tensor([[5.0, 4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0]])
    marked = top_share(logits, torch.arange(1, 5), 0.5)
    assert marked.tolist() == [[False, True, True, False, False], [False, False, False, True, True]]


@pytest.mark.parametrize("method", [hl.CVIR, hl.TED])
def test_the_ignored_are_neither_positive_nor_negative(method, monkeypatch):
    seen = []
    original = cvir.balanced_loss

    def spy(f, p, n):
        seen.append((p > 0, n > 0))
        return original(f, p, n)

    monkeypatch.setattr(cvir, "balanced_loss", spy)
    model = method(prior=0.1, warmup=3, epochs=2).fit(GRAPH, KNOWN)
    unlabelled = np.count_nonzero(~KNOWN)
    negatives = [int(n[0].sum()) for _, n in seen]
    assert negatives[0] == negatives[2] == unlabelled - unlabelled // 5  # a fifth is held out
    assert unlabelled * 0.68 < negatives[3] < unlabelled * 0.76
    assert all(not p[:, ~KNOWN].any() for p, _ in seen)
    assert [record.get("prior") for record in model.history_] == [None] * 3 + [0.1] * 2


def test_ted_estimates_the_prior_again_every_epoch():
    priors = [record["prior"] for record in hl.TED(warmup=20, epochs=5).fit(GRAPH, KNOWN).history_[20:]]
    assert len(set(priors)) > 1


def test_early_stopping_returns_to_the_best_ranking_of_held_out_positives():
    model = hl.NNPU(prior=TRUE, epochs=60).fit(GRAPH, KNOWN)
    seen = [record["auc"] for record in model.history_ if "auc" in record]
    ended = pu_auc(model.out_of_fold_[KNOWN], model.out_of_fold_[~KNOWN])
    assert len(seen) == 12
    assert ended == pytest.approx(max(seen))
    last = hl.NNPU(prior=TRUE, epochs=60, early_stopping=False).fit(GRAPH, KNOWN)
    assert not any("auc" in record for record in last.history_)


def test_a_collapsed_network_is_reported_with_what_to_do():
    with pytest.warns(CollapseWarning, match=r"NNPU: 5 of 5 networks give every node .* the logistic one"):
        hl.NNPU(prior=0.01, surrogate="sigmoid", weight_decay=1.0, epochs=80, early_stopping=False
                ).fit(GRAPH, KNOWN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hl.NNPU(prior=TRUE).fit(GRAPH, KNOWN)


@pytest.mark.data
def test_nnpu_on_cora_with_the_true_prior(real_graph):
    graph, y = real_graph("cora")
    scores = []
    for seed in range(2):
        known = hl.hide_positives(y, random_state=seed)
        truth = y == np.bincount(y).argmax()
        model = hl.NNPU(prior=float(truth[~known].mean()), random_state=seed).fit(graph, known)
        scores.append(hl.score_unlabelled(model, truth, known).f1)
    assert np.mean(scores) > 0.8
