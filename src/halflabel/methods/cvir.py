"""CVIR: conditional value ignoring risk (Garg et al., NeurIPS 2021), the classifier inside TED^n."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import torch
from sklearn.utils._param_validation import Interval

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.losses import balanced_loss, mean_over
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.methods.risk import first_prior
from halflabel.methods.selection import top_share
from halflabel.nets import OwnNetwork
from halflabel.priors import Prior
from halflabel.thresholds import Threshold


class CVIR(InductiveNetwork):
    """Every epoch the top prior share of U is ignored, and the rest of U counts as negative.

    The ignored are not relabelled: a wrong choice is dropped, not learned. A prior that is not given is
    estimated first, from P against U; `TED` estimates it again every epoch.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = CVIR(prior=0.05, warmup=30, epochs=20).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "warmup": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "early_stopping": ["boolean"],
    }

    def __init__(
        self,
        *,
        backbone: str | OwnNetwork = "gcn",
        prior: float | str = "auto",
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        warmup: int = 100,
        epochs: int = 100,
        early_stopping: bool = True,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.backbone = backbone
        self.prior = prior
        self.folds = folds
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.warmup = warmup
        self.epochs = epochs
        self.early_stopping = early_stopping
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """One network to the last epoch; the paper's optimiser (SGD on images) does not carry over."""
        return {"folds": 1, "warmup": 100, "epochs": 300, "early_stopping": False}

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        prior = first_prior(self, problem)
        self._train(problem, graph, lambda out_of_fold: prior.value)
        return prior

    def _train(self, problem: Problem, graph: Graph, share_of: Callable[[np.ndarray], float]) -> None:
        """P against U, then against U without its top share, which may depend on out-of-fold scores."""
        nets = Ensemble(self, problem)
        positive, ignored = mean_over(nets.P), torch.zeros_like(nets.U)
        label = f"fitting {type(self).__name__}"
        for record in nets.training(self.warmup + self.epochs, label, early_stopping=self.early_stopping):
            if record["epoch"] >= self.warmup:
                logits = nets.logits()
                record["prior"] = share_of(nets.out_of_fold(logits))
                ignored = top_share(logits, nets.candidates, record["prior"])
            negative = mean_over(nets.U & ~ignored)
            record["loss"] = nets.descend(lambda f, kept=negative: balanced_loss(f, positive, kept))
        self._finish(nets, problem, graph)
