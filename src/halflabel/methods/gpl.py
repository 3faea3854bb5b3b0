"""GPL: graph positive-unlabelled learning with the label propagation loss (Wu et al., ICML 2024).

Algorithm 1 of the paper, run for an ensemble whose members each hold out a part of the nodes:

    warm up: P against U on the graph as it is
    repeat:  1. learn edge weights by the label propagation loss            Eqs. 5, 9
             2. estimate the class prior on the reweighted graph            Eq. 7
             3. set aside S, the top share of U; the rest counts as negative
             4. one step of the classifier on the reweighted graph          Eq. 8
    return the state in which held-out positives ranked best among U

What the paper leaves open (who enters Q_p, whether S is fed back, K, the schedule, how the prior is kept from
drifting) is decided in docs/decisions.md.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import ClassVar, Literal

import numpy as np
import torch
from sklearn.utils._param_validation import Interval, StrOptions
from torch import Tensor

from halflabel.auc import pu_auc
from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.losses import mean_over
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.priors import Prior, best_bin, estimate_prior
from halflabel.progress import track
from halflabel.propagation import LossForm, label_propagation_loss, propagate

FULL_MASK = 3.0  # logit at which masks start: sigmoid(3) = .95, every edge nearly trusted
PRIOR_DAMPING = 0.1  # share of the newest estimate in the running mean
SELF_LOOP = 1.0  # without it, the edge of a node with one neighbour gets no gradient


class GPL(InductiveNetwork):
    """Graph PU learning with the label propagation loss.

    Parameters follow the paper: `K` propagation steps that each keep a share `alpha`, `inner_steps` of the
    mask per epoch, `loss` as cross-entropy or as printed. Its ablations are switches: `edge_learning=False`
    (without LPL), `bilevel=False` (edges first, classifier after), `use_selected=False` (only P in LPL). With
    `feed_back=True` the selected nodes S count as positives, as Eqs. 8 and 9 print it; by default they are
    left out, because feeding them back makes the prior drift upward.

    `prior` is "auto" or the known share of positives among the unlabelled nodes. `folds` networks train side
    by side, each without its fold; 1 means a single network and a fifth of P held out, which is also what a
    graph too large for `folds` copies gets.

    After `fit`: `prior_`, `prior_interval_`, `scores_`, `threshold_`, `edge_weight_` (one weight per edge of
    the graph, in its order), `history_` (a record per epoch), `out_of_fold_` (each node's score by the
    network that did not train on it; nan for known positives that all of them trained on).

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=5, warmup=20).fit(graph, payments_positives(y))
    >>> model.predict_proba().shape
    (2000, 2)
    """

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "K": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "inner_steps": [Interval(Integral, 1, None, closed="left")],
        "loss": [StrOptions({"cross-entropy", "printed"})],
        "edge_learning": ["boolean"],
        "bilevel": ["boolean"],
        "use_selected": ["boolean"],
        "feed_back": ["boolean"],
        "mask_learning_rate": [Interval(Real, 0, None, closed="neither")],
        "warmup": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        backbone: str = "gcn",
        prior: float | Literal["auto"] = "auto",
        K: int = 1,
        alpha: float = 0.5,
        inner_steps: int = 1,
        loss: LossForm = "cross-entropy",
        edge_learning: bool = True,
        bilevel: bool = True,
        use_selected: bool = True,
        feed_back: bool = False,
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        mask_learning_rate: float = 0.01,
        warmup: int = 100,
        epochs: int = 100,
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.backbone = backbone
        self.prior = prior
        self.K = K
        self.alpha = alpha
        self.inner_steps = inner_steps
        self.loss: LossForm = loss
        self.edge_learning = edge_learning
        self.bilevel = bilevel
        self.use_selected = use_selected
        self.feed_back = feed_back
        self.folds = folds
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.mask_learning_rate = mask_learning_rate
        self.warmup = warmup
        self.epochs = epochs
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        run = Run(self, problem)
        self.history_: list[dict[str, float]] = []
        for epoch in track(self.warmup + self.epochs, "fitting GPL", shown=self.verbose):
            if epoch >= self.warmup:
                if self.edge_learning and self.bilevel:
                    run.learn_edges(self.inner_steps)
                elif self.edge_learning and epoch == self.warmup:
                    run.learn_edges(self.inner_steps * self.epochs)
                run.estimate_prior()
                run.select()
            run.step_classifier()
            self.history_.append({"epoch": epoch, **run.record})
        run.return_to_best()
        self._keep(run.network, problem.adjacency, graph, run.masks())
        logits = run.logits()
        self.scores_, self.out_of_fold_ = logits.numpy(force=True).mean(axis=0), run.out_of_fold(logits)
        return run.final_prior()


class Run(Ensemble):
    """The state of Algorithm 1, and its four steps. Tensors have one row per member, one column per node."""

    def __init__(self, settings: GPL, problem: Problem):
        super().__init__(settings, problem, own_graphs=True)
        self.settings = settings
        self.S = torch.zeros_like(self.U)
        self.theta = torch.full_like(self.adjacency.base, FULL_MASK, requires_grad=True)
        self.mask_optimiser = torch.optim.Adam([self.theta], lr=settings.mask_learning_rate, fused=True)
        self.known_prior = None if settings.prior == "auto" else float(settings.prior)
        self.prior = self.smoothed = 1.0 if self.known_prior is None else self.known_prior
        self.prior_scores: np.ndarray | None = None
        self.best_auc = -np.inf
        self.record = {"loss": np.nan, "lpl": np.nan, "prior": np.nan, "auc": np.nan, "selected": 0,
                       "mean_mask": 1.0}

    def learn_edges(self, steps: int) -> None:
        """Step 1: Eq. 9, or Eq. 5 before anything is selected or if only P may be used."""
        settings = self.settings
        selected = settings.use_selected and bool(self.S.any())
        positive = mean_over(self._positives() if selected else self.P).flatten()
        negative = mean_over(self.U & ~self.S).flatten() if selected else None
        # E^(0) is the classifier's posterior, with the known positives known.
        start = torch.where(self.P, 1.0, torch.sigmoid(self.logits())).flatten()
        for _ in range(steps):
            propagated = propagate(
                self.adjacency, torch.sigmoid(self.theta), start,
                steps=settings.K, retain=settings.alpha, self_loop=SELF_LOOP)
            loss = label_propagation_loss(propagated, positive, negative, form=settings.loss)
            self.mask_optimiser.zero_grad()
            loss.backward()
            self.mask_optimiser.step()
        mask = torch.sigmoid(self.theta.detach())
        self.graph = self.adjacency.masked(mask)
        self.record.update(lpl=loss.item() / len(self.P), mean_mask=mask.mean().item())

    def estimate_prior(self) -> None:
        """Step 2: Eq. 7 on out-of-fold scores. Every classifier bounds the prior from above, so the smallest
        (smoothed) estimate so far is kept: the prior cannot drift upward with its own selections."""
        self.latest = self.logits()
        scores = self.folds.out_of_fold(self.latest.numpy(force=True))
        if self.known_prior is None:
            estimate = best_bin(scores[self.folds.judged(self.positive)], scores[self.unlabelled])
            first = self.prior_scores is None
            self.smoothed = estimate if first else self.smoothed + PRIOR_DAMPING * (estimate - self.smoothed)
            if first or self.smoothed < self.prior:
                self.prior, self.prior_scores = self.smoothed, scores
        self.record.update(prior=self.prior)
        self._remember_if_best(scores)

    def select(self) -> None:
        """Step 3: S is the top share of U by each member's own score."""
        candidates = torch.as_tensor(self.unlabelled, device=self.latest.device).nonzero()[:, 0]
        count = int(self.prior * len(candidates))
        top = self.latest[:, candidates].topk(count, dim=1, sorted=False).indices
        self.S = torch.zeros_like(self.U).scatter_(1, candidates[top], True)
        self.record.update(selected=count)

    def step_classifier(self) -> None:
        """Step 4: Eq. 8 on the reweighted graph; during warm-up S is empty, so it is P against U."""
        loss = self.step(mean_over(self._positives()), mean_over(self.U & ~self.S))
        self.record.update(loss=loss)

    def final_prior(self) -> Prior:
        """The smallest estimate, with the bootstrap interval at the scores that gave it."""
        if self.prior_scores is None:
            return Prior(self.prior, self.prior, self.prior, "given")
        known = self.prior_scores[self.folds.judged(self.positive)]
        prior = estimate_prior(
            known, self.prior_scores[self.unlabelled], random_state=self.settings.random_state)
        return Prior(self.prior, min(prior.low, self.prior), max(prior.high, self.prior), "bbe")

    def _remember_if_best(self, scores: np.ndarray) -> None:
        """Early stopping by P and U alone: how well held-out positives rank, by out-of-fold scores."""
        auc = pu_auc(scores[self.folds.judged(self.positive)], scores[self.unlabelled])
        self.record.update(auc=auc)
        if auc > self.best_auc:
            self.best_auc, self.best_graph = auc, self.graph
            self.best_theta = self.theta.detach().clone()
            self.best_weights = {name: value.clone() for name, value in self.network.state_dict().items()}

    def return_to_best(self) -> None:
        """Take back what the later epochs did."""
        self.network.load_state_dict(self.best_weights)
        self.theta, self.graph = self.best_theta, self.best_graph

    def masks(self) -> np.ndarray:
        """The learned weight of every undirected edge, one row per member."""
        learned = self.settings.edge_learning
        mask = torch.sigmoid(self.theta.detach()) if learned else torch.ones_like(self.adjacency.base)
        return mask.view(len(self.P), -1).numpy(force=True)

    def _positives(self) -> Tensor:
        # S ranks all of U; who is held out of a member's training is not fed back to it either.
        return self.P | (self.S & self.U) if self.settings.feed_back else self.P
