"""GRAB: graph PU learning by loopy belief propagation (Yoo et al., ICDM 2021).

    step 0:  train networks on P against U
    repeat:  1. the prior is the share of U that a network calls positive
             2. node potentials: P is certain, U is what it was called, with the confidence 1 - prior
             3. loopy belief propagation over the edges turns them into beliefs
             4. train fresh networks, in which a node of U counts as positive as far as it is believed to be
    until the training loss rises; the networks before that are returned

Ours is the second reason to stop: held-out positives rank clearly lower among U than before. The loss may
fall all the same, as on Chameleon, where networks learn to please wrong beliefs.
"""

from __future__ import annotations

from numbers import Integral, Real
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
import torch
from sklearn.utils._param_validation import Interval
from torch import Tensor

from halflabel.auc import placements
from halflabel.base import Problem
from halflabel.edges.beliefs import node_log_odds, propagate_beliefs
from halflabel.graph import Graph
from halflabel.losses import belief_risk, mean_over
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.nets import OwnNetwork
from halflabel.priors import Prior
from halflabel.thresholds import Threshold

CLEARLY = 2.0  # standard errors


class GRAB(InductiveNetwork):
    """Unlabelled nodes count as positive as far as belief propagation over the edges says that they are.

    `agreement` is the probability that neighbours have the same label; .9, as published, suits homophilic
    graphs only. Beliefs ignore the weights of edges, the networks do not. After step 0 the networks train up
    to `iterations` times from scratch, for `epochs` each, or until the loss has not fallen for `patience` of
    them. `early_stopping` rejects an iteration after which held-out positives rank clearly lower.

    `scores_` are above zero where the method itself says "positive". With `prior="auto"` the prior is the
    share of U for which that is so. A number takes its place in the potentials too; an estimator's name does
    so from step 0 on. A positive that a member holds out is to that member like any other node, in the loss
    and in belief propagation. `history_` says of every epoch of which iteration it was, and what the beliefs
    were like: the prior, the number of `sweeps`, and whether they `converged`; `n_iter_` iterations count.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GRAB(epochs=30, iterations=1).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "agreement": [Interval(Real, 0, 1, closed="neither")],
        "iterations": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left"), None],
        "early_stopping": ["boolean"],
    }
    needs_held_out: ClassVar[bool] = False  # its own estimate of the prior needs no scores of positives

    def __init__(
        self,
        *,
        backbone: str | OwnNetwork = "gcn_head",
        prior: float | str = "auto",
        agreement: float = 0.9,
        iterations: int = 10,
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.0,
        learning_rate: float = 0.01,
        weight_decay: float = 0.0,
        epochs: int = 100,
        patience: int | None = None,
        early_stopping: bool = True,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.backbone = backbone
        self.prior = prior
        self.agreement = agreement
        self.iterations = iterations
        self.folds = folds
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.epochs = epochs
        self.patience = patience
        self.early_stopping = early_stopping
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """As in the authors' code: one network on all of P, trained slowly and ten times as long."""
        return {"backbone": "gcn_head", "agreement": 0.9, "iterations": 10, "folds": 0, "hidden": 16,
                "dropout": 0.0, "learning_rate": 1e-3, "weight_decay": 0.0, "epochs": 1000, "patience": 5,
                "early_stopping": False}

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        run = Run(self, problem)
        lowest = run.train(torch.zeros(run.P.shape, device=run.device))
        given = None if self.prior == "auto" else self._prior_of(run.out_of_fold(run.logits()), problem)
        self.n_iter_ = 0
        for _ in range(self.iterations):
            before, ranks = run.network, run.ranks()
            belief = run.beliefs(None if given is None else given.value)
            run.restart()
            loss = run.train(belief)
            if loss > lowest or (self.early_stopping and clearly_lower(run.ranks(), ranks)):
                run.network = before
                break
            lowest = loss
            self.n_iter_ += 1
        self._finish(run, problem, graph)
        return given or share_called(run.logits()[:, torch.as_tensor(problem.unlabelled)])


class Run(Ensemble):
    """The two halves of an iteration. All members are accepted together, by their mean loss."""

    CHANGES = (*Ensemble.CHANGES, "lowest", "epochs_since")

    def __init__(self, settings: GRAB, problem: Problem):
        super().__init__(settings, problem)
        self.settings: GRAB = settings
        self.step: dict[str, float] = {"iteration": 0}

    def train(self, belief: Tensor) -> float:
        """Train with these beliefs and return to the weights with the lowest loss; that loss."""
        positive, unlabelled = mean_over(self.P), mean_over(self.U)
        self.lowest, self.epochs_since = np.inf, 0

        def risk(logits: Tensor) -> Tensor:
            risks = belief_risk(logits, positive, unlabelled, belief)
            self.epochs_since += 1
            # Seen before the step, so these weights are its own.
            if (loss := risks.mean().item()) < self.lowest:
                self.lowest, self.epochs_since = loss, 0
                self.best_weights = {name: value.clone() for name, value in self.network.state_dict().items()}
            return risks

        for record in self.training(self.settings.epochs, f"fitting GRAB, step {self.step['iteration']}"):
            record["loss"] = self.descend(risk)
            record.update(self.step)
            if self.settings.patience and self.epochs_since >= self.settings.patience:
                break
        self.return_to_best()
        return self.lowest

    def beliefs(self, prior: float | None) -> Tensor:
        """What the edges make of what the networks say; of known positives, a member knows its own P only."""
        called = self.logits() > 0
        share = called[:, torch.as_tensor(self.unlabelled)].double().mean(dim=1, keepdim=True)
        # Above one half it turns nodes against what they were called. That holds back networks that call too
        # many, but a prior that is known must not do it.
        odds_from = share if prior is None else torch.full_like(share, min(prior, 1 - prior))
        half_a_node = 0.5 / self.unlabelled.sum()  # from being certain of what no label says
        log_odds = node_log_odds(self.P, called, odds_from.clamp(half_a_node, 1 - half_a_node))
        beliefs = propagate_beliefs(self.adjacency, log_odds, agreement=self.settings.agreement)
        self.step = {"iteration": self.step["iteration"] + 1,
                     "prior": share.mean().item() if prior is None else prior,
                     "sweeps": int(beliefs.sweeps.max()), "converged": float(beliefs.converged.all())}
        return beliefs.positive.float()

    def ranks(self) -> np.ndarray:
        """Of every held-out positive, the share of U that ranks below it, by the member that lacks it."""
        scores = self.out_of_fold(self.logits())
        return placements(scores[self.judged], scores[self.unlabelled])


def clearly_lower(ranks: np.ndarray, before: np.ndarray) -> bool:
    """Whether the mean rank of the same nodes has fallen by more than two standard errors.

    >>> before = np.array([0.9, 0.8, 0.95, 0.7])
    >>> clearly_lower(before - 0.1, before), clearly_lower(before[::-1], before)
    (True, False)
    """
    change = ranks - before
    return len(change) > 1 and bool(change.mean() < -CLEARLY * change.std(ddof=1) / np.sqrt(len(change)))


def share_called(logits_u: Tensor) -> Prior:
    """The share of U that the networks together call positive, with a 90 % interval.

    Its variance is that of a share among as many nodes, and, as each member lacks another part of the data,
    the jackknife's (M - 1) / M sum_m (share_m - mean)^2. A single network shows only the former.

    >>> prior = share_called(torch.tensor([[1.0, -1.0, -1.0, -1.0], [1.0, 1.0, -3.0, -1.0]]))
    >>> prior.value, prior.low < 0.25 < prior.high
    (0.25, True)
    """
    members = len(logits_u)
    value = (logits_u.mean(dim=0) > 0).double().mean().item()
    shares = (logits_u > 0).double().mean(dim=1).numpy(force=True)
    variance = value * (1 - value) / logits_u.shape[1] + (members - 1) * shares.var()
    half = NormalDist().inv_cdf(0.95) * float(np.sqrt(variance))
    return Prior(value, max(value - half, 0.0), min(value + half, 1.0), "grab")
