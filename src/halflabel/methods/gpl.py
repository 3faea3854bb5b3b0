"""GPL: graph positive-unlabelled learning with the label propagation loss (Wu et al., ICML 2024).

Algorithm 1 of the paper, run for an ensemble whose members each hold out a part of the nodes:

    warm up: P against U on the graph as it is
    choose who guides the loss: the classifier, or a perceptron that ranks held-out positives better
    repeat:  1. learn edge weights by the label propagation loss            Eqs. 6, 9
             2. estimate the class prior on the reweighted graph            Eq. 7
             3. set aside S, the top share of U; the rest counts as negative
             4. one step of the classifier on the reweighted graph          Eq. 8
    return the state in which held-out positives ranked best among U

What the paper leaves open (who enters Q_p, whether S is fed back, K, the schedule, how the prior is kept from
drifting) is decided in docs/decisions.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import torch

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.losses import balanced_loss
from halflabel.methods.finite import finite_loss
from halflabel.methods.gpl_parameters import GPLParameters
from halflabel.methods.guide import best_guide
from halflabel.methods.masked import MaskedEnsemble
from halflabel.methods.selection import top_share
from halflabel.priors import Prior, best_bin, estimate_prior
from halflabel.propagation import label_propagation_loss, propagate

PRIOR_DAMPING = 0.1  # share of the newest estimate in the running mean
SELF_LOOP = 1.0  # without it, the edge of a node with one neighbour gets no gradient


class GPL(GPLParameters):
    """Graph PU learning with the label propagation loss.

    Parameters follow the paper: `K` propagation steps that each keep a share `alpha`, `inner_steps` of the
    mask per epoch, `loss` as cross-entropy or as printed. Its ablations are switches: `edge_learning=False`
    (without LPL), `bilevel=False` (edges first, classifier after), `use_selected=False` (only P in LPL). With
    `feed_back=True` the selected nodes S count as positives for the classifier too, as Eq. 8 prints it; by
    default it leaves them out, because feeding them back makes the prior drift upward.

    With `guide`, LPL starts from whichever posterior ranks held-out positives best: the classifier's own, or
    that of a perceptron on the nodes' features or links, which is what helps on heterophilic graphs;
    `guide_` names it. Without, it is always the classifier's.

    `prior` is "auto" (Eq. 7, every epoch), the known share of positives among the unlabelled nodes, or the
    name of another estimator, asked once after the warm-up. `folds` networks train side by side, each without
    its fold; 1 means a single network and a fifth of P held out, which is also what a graph too large for
    `folds` copies gets; 0, a single network that holds out nobody and needs to be given the prior. With
    `draws`, folds are drawn so many times and all networks are averaged: steadier, and all of them train in
    one product (`benchmarks/speed/draws.py` has what that costs).

    With `batch_size`, each epoch trains the classifier by one pass over the nodes, in batches of so many and
    a sample of their neighbours. Edge weights, prior and selection remain those of the whole graph. A
    memory-mapped X stays on disk, with and without it.

    After `fit`: `prior_`, `prior_interval_`, `scores_`, `threshold_`, `edge_weight_` (one weight per edge of
    the graph, in its order), `history_` (a record per epoch), `out_of_fold_` (each node's score by the
    network that did not train on it; nan for known positives that all of them trained on).

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=5, warmup=20).fit(graph, payments_positives(y))
    >>> model.predict_proba().shape
    (2000, 2)
    """

    own_graphs: ClassVar[bool] = True
    in_parts = True

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        run = Run(self, problem, graph)
        for _ in self.epochs_of(run):
            continue
        run.return_to_best()
        self._finish(run, problem, graph, run.masks())
        self.guide_ = run.guide.view if run.guide else "classifier"
        return run.final_prior()

    def epochs_of(self, run: Run) -> Iterator[dict[str, float]]:
        """Algorithm 1, epoch by epoch, for whoever wants to watch."""
        for record in run.training(self.warmup + self.epochs, "fitting GPL"):
            if record["epoch"] == self.warmup:
                run.estimate_prior()
                run.choose_guide()
            if record["epoch"] >= self.warmup:
                if self.edge_learning and self.bilevel:
                    run.learn_edges(self.inner_steps)
                elif self.edge_learning and record["epoch"] == self.warmup:
                    run.learn_edges(self.inner_steps * self.epochs)
                run.estimate_prior()
                run.select()
            run.step_classifier()
            record.update(run.record)
            yield record


class Run(MaskedEnsemble):
    """The state of Algorithm 1, and its four steps. Tensors have one row per member, one column per node."""

    CHANGES = (*MaskedEnsemble.CHANGES, "S", "prior", "smoothed", "prior_scores", "fixed_prior", "record",
               "unguided")

    def __init__(self, settings: GPL, problem: Problem, graph: Graph):
        super().__init__(settings, problem)
        self.settings: GPL = settings
        guided = settings.guide and settings.edge_learning
        self.guide = best_guide(self, graph, settings.warmup) if guided else None
        self.unguided = self.guide is None
        self.S = torch.zeros_like(self.U)
        self.mean_over_P = self.mean_over(self.P)
        self.prior = self.smoothed = 1.0
        self.prior_scores: np.ndarray | None = None
        self.fixed_prior: Prior | None = None
        self.record = {"loss": np.nan, "lpl": np.nan, "prior": np.nan, "auc": np.nan, "selected": 0,
                       "mean_mask": 1.0}

    def choose_guide(self) -> None:
        """After the warm-up: a perceptron guides the loss if it ranks held-out positives better."""
        if self.guide and self.guide.auc <= self.record["auc"]:
            self.guide, self.unguided = None, True

    def learn_edges(self, steps: int) -> None:
        """Step 1: Eq. 9, or Eq. 6 if only P may be used."""
        settings = self.settings
        posterior = self.guide.logits if self.guide else self.logits()
        positive, negative = self.mean_over_P.flatten(), None
        if settings.use_selected:
            S = self.team.own(top_share(posterior, self.candidates, self.prior)) & self.U
            positive, negative = self.mean_over(self.P | S).flatten(), self.mean_over(self.U & ~S).flatten()
        # E^(0) is the posterior, with the known positives known.
        start = torch.sigmoid(self.team.own(posterior)).masked_fill_(self.P, 1.0).flatten()
        del self.graph  # its weights are about to change: their memory serves meanwhile
        for _ in range(steps):
            propagated = propagate(
                self.adjacency, torch.sigmoid(self.theta), start,
                steps=settings.K, retain=settings.alpha, self_loop=SELF_LOOP)
            loss = label_propagation_loss(propagated, positive, negative, form=settings.loss)
            loss.backward()
            self.mask_optimiser.step()
            self.mask_optimiser.zero_grad()
        self.set_mask()
        lpl = finite_loss(self, self.team.total(loss.detach()).item() / len(self.P), "label propagation loss")
        self.record.update(lpl=lpl, mean_mask=self.adjacency.mean(self.mask).item())

    def estimate_prior(self) -> None:
        """Step 2: Eq. 7 on out-of-fold scores. Every classifier bounds the prior from above, so the smallest
        (smoothed) estimate so far is kept: the prior cannot drift upward with its own selections."""
        self.latest = self.logits()
        scores = self.out_of_fold(self.latest)
        if self.settings.prior == "auto":
            estimate = best_bin(scores[self.judged], scores[self.unlabelled])
            first = self.prior_scores is None
            self.smoothed = estimate if first else self.smoothed + PRIOR_DAMPING * (estimate - self.smoothed)
            if first or self.smoothed < self.prior:
                self.prior, self.prior_scores = self.smoothed, scores
        elif self.fixed_prior is None:  # given, or by another estimator once the warm-up is over
            self.fixed_prior = self.settings._prior_of(scores, self.problem)
            self.prior = self.fixed_prior.value
        self.record.update(prior=self.prior)
        if self.judged.any():
            self.record.update(auc=self.remember_if_best(scores))

    def select(self) -> None:
        """Step 3: S is the top share of U by each member's own score."""
        top = top_share(self.latest, self.candidates, self.prior)
        self.S = self.team.own(top)
        self.record.update(selected=int(top[0].sum()))

    def step_classifier(self) -> None:
        """Step 4: Eq. 8 on the reweighted graph; during warm-up S is empty, so it is P against U."""
        # S ranks all of U; who is held out of a member's training is not fed back to it either.
        known = self.mean_over(self.P | (self.S & self.U)) if self.settings.feed_back else self.mean_over_P
        negative = self.mean_over(self.U & ~self.S)
        self.record.update(loss=self.descend_on(balanced_loss, known, negative))

    def final_prior(self) -> Prior:
        """The smallest estimate, with the bootstrap interval at the scores that gave it."""
        if self.prior_scores is None:
            assert self.fixed_prior is not None
            return self.fixed_prior
        prior = estimate_prior(
            self.prior_scores[self.judged], self.prior_scores[self.unlabelled],
            random_state=self.settings.random_state)
        return Prior(self.prior, min(prior.low, self.prior), max(prior.high, self.prior), "bbe")

    def taken_up(self) -> None:
        """A guide that was turned down stays away."""
        super().taken_up()
        self.guide = None if self.unguided else self.guide
