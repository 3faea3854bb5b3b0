"""Naive: known positives against everything unlabelled, as if unlabelled meant negative."""

from __future__ import annotations

from numbers import Integral
from typing import ClassVar, Literal

import numpy as np
from sklearn.utils._param_validation import Interval

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.losses import mean_over
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.priors import Prior, estimate_prior
from halflabel.progress import track


class Naive(InductiveNetwork):
    """A network trained on P against U.

    `balanced=True` gives both sides the same weight, which ranks well however few positives are known: with
    a held-out prior it is the floor that every other method has to clear. `balanced=False` weighs nodes
    alike, as the paper's rows GCN and MLP do; it mostly answers "negative". All folds share one product.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = Naive(backbone="mlp", epochs=20).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "balanced": ["boolean"],
        "epochs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        backbone: str = "gcn",
        prior: float | Literal["auto"] = "auto",
        balanced: bool = True,
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        epochs: int = 200,
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.backbone = backbone
        self.prior = prior
        self.balanced = balanced
        self.folds = folds
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.epochs = epochs
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        nets = Ensemble(self, problem, own_graphs=False)
        together = mean_over(nets.P | nets.U)
        positive = mean_over(nets.P) if self.balanced else together * nets.P
        negative = mean_over(nets.U) if self.balanced else together * nets.U
        self.history_ = [
            {"epoch": epoch, "loss": nets.step(positive, negative)}
            for epoch in track(self.epochs, "fitting P against U", shown=self.verbose)
        ]
        logits = nets.logits()
        self.scores_, self.out_of_fold_ = logits.numpy(force=True).mean(axis=0), nets.out_of_fold(logits)
        self.fold_ = nets.folds.owner
        untouched = np.broadcast_to(np.float32(1.0), (len(logits), problem.adjacency.n_edges))
        self._keep(nets.network, problem.adjacency, graph, untouched)
        if not isinstance(self.prior, str):
            return Prior(float(self.prior), float(self.prior), float(self.prior), "given")
        known = self.out_of_fold_[problem.positive]
        return estimate_prior(
            known[~np.isnan(known)], self.out_of_fold_[problem.unlabelled], random_state=self.random_state)
