"""BLD: bootstrapping label disambiguation on graphs (2025; authors' code at github.com/fengxinyuan/BLD).

    repeat, for two random views of the graph:
        a node is called positive if it is as close to the centre of P as P itself is
        soft labels move towards that, and towards what the classifier says
        one step on L_u + L_p + the cross-entropy of the classifier with the soft labels
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import torch
from sklearn.utils._param_validation import Interval
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from halflabel.base import Problem
from halflabel.bootstrapping import highest, moved_targets, near_centre, similarity_to_centre, spread
from halflabel.graph import Graph
from halflabel.losses import mean_over
from halflabel.methods.bootstrapped import Bootstrapped, BootstrapRun
from halflabel.nets.bootstrap import Head
from halflabel.priors import Prior
from halflabel.thresholds import Threshold

SAMPLE = 3  # unlabelled nodes that the classifier learns from, in multiples of P


class BLD(Bootstrapped):
    """Representations from two views of the graph, and a classifier whose soft labels sort themselves out.

    The classifier learns from P and from 3 |P| unlabelled nodes, whose labels start at one half. In every
    epoch and view they take two steps of size `label_step`: towards positive if the node is nearer to the
    centre of P than the farthest known positive, else towards negative; and towards what the classifier
    answers. Because one stray positive would make that region wide, a share `outliers` of P has no say in it.
    After `warmup` epochs the `trusted` nodes that the classifier is surest of count as known positives in
    L_p. Scores are the classifier's logits: zero is where it draws the line. The prior, which the method does
    without, is estimated from positives held out of everything but L_u.

    The other parameters are those of `BLP`. By default the schedule is 15 times shorter than published.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = BLD(warmup=10, epochs=10).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **Bootstrapped._parameter_constraints,
        "outliers": [Interval(Real, 0, 1, closed="left")],
        "label_step": [Interval(Real, 0, None, closed="neither")],
        "trusted": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        prior: float | str = "auto",
        folds: int = 5,
        hidden: int = 32,
        size: int = 16,
        momentum: float = 0.005,
        drop_edges: tuple[float, float] = (0.3, 0.2),
        drop_features: tuple[float, float] = (0.3, 0.4),
        outliers: float = 0.1,
        label_step: float = 0.05,
        trusted: int = 20,
        learning_rate: float = 0.004,
        weight_decay: float = 1e-5,
        warmup: int = 40,
        epochs: int = 60,
        early_stopping: bool = True,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.prior = prior
        self.folds = folds
        self.hidden = hidden
        self.size = size
        self.momentum = momentum
        self.drop_edges = drop_edges
        self.drop_features = drop_features
        self.outliers = outliers
        self.label_step = label_step
        self.trusted = trusted
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
        """The authors' schedule, the bare minimum, and their views of Cora; other graphs had others.

        One thing stays ours: their code lets the labels of known positives move as well.
        """
        return {"warmup": 200, "epochs": 1300, "learning_rate": 5e-4, "weight_decay": 1e-5,
                "momentum": 0.005, "outliers": 0.0, "label_step": 0.01, "trusted": 20, "folds": 1,
                "drop_edges": (0.3, 0.2), "drop_features": (0.3, 0.4), "hidden": 32, "size": 16,
                "early_stopping": False}

    def _head(self, members: int) -> Head:
        return Head(self.size, self.hidden, members)

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        run = Disambiguation(self, problem)
        epochs = self.warmup + self.epochs
        for record in run.training(epochs, "fitting BLD", early_stopping=self.early_stopping):
            record["loss"] = run.step(trusting=record["epoch"] >= self.warmup)
        self._finish(run, problem, graph)
        return self._prior_of(self.out_of_fold_, problem)


class Disambiguation(BootstrapRun):
    """The state of BLD: `sample` marks the unlabelled nodes to learn from, `soft` has the labels."""

    CHANGES = (*BootstrapRun.CHANGES, "soft")
    settings: BLD

    def restart(self) -> None:
        """Fresh networks, a fresh sample, and no opinion on it."""
        super().restart()
        noise = torch.rand(self.U.shape, device=self.device)
        self.sample = highest(noise, self.U, SAMPLE * self.P.sum(dim=1, keepdim=True))
        self.soft = torch.where(self.P, 1.0, 0.5)
        self.learned = mean_over(self.P | self.sample)

    def step(self, trusting: bool) -> float:
        """One epoch: labels move view by view, then the networks."""
        self.network.train()
        views = self.views()
        encoded = self.encode(views)
        predicted = [self.predictor(h) for h in encoded]
        # The encoder must not bend to labels that it suggested itself.
        logits = [self.network.head(h.detach()) for h in encoded]
        close = mean_over(self.P | self._surest(logits[0]) if trusting else self.P)
        loss = self.agreement_loss(views, predicted)
        for p, f in zip(predicted, logits, strict=True):
            self._move_labels(p.detach(), f.detach())
            cross_entropy = binary_cross_entropy_with_logits(f, self.soft, reduction="none")
            loss = loss + (spread(p, close) + (self.learned * cross_entropy).sum(dim=1)) / 2
        return self.step_on(loss)

    def _move_labels(self, p: Tensor, logits: Tensor) -> None:
        near = near_centre(similarity_to_centre(p, mean_over(self.P)), self.P, self.settings.outliers)
        for label in (near, logits > 0):
            # Known positives are known, whatever a network thinks.
            self.soft = torch.where(self.P, 1.0, moved_targets(self.soft, label, self.settings.label_step))

    def _surest(self, logits: Tensor) -> Tensor:
        return highest(logits.detach(), self.sample, self.settings.trusted)
