"""Naive: known positives against everything unlabelled, as if unlabelled meant negative."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.losses import balanced_loss
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.nets import OwnNetwork
from halflabel.priors import Prior
from halflabel.thresholds import Threshold
from halflabel.training.folds import Folds


class Naive(InductiveNetwork):
    """A network trained on P against U.

    `balanced=True` gives both sides the same weight, which ranks well however few positives are known: with
    a held-out prior it is the floor that every other method has to clear. `balanced=False` weighs nodes
    alike, as the paper's rows GCN and MLP do; it mostly answers "negative". All folds share one product.

    With `batch_size`, an epoch is one pass over the nodes, in batches of so many and a sample of their
    neighbours: many steps instead of one, so far fewer epochs do. Scores are always those of whole
    neighbourhoods. A memory-mapped X stays on disk, with and without it.

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

    in_parts = True

    def __init__(
        self,
        *,
        backbone: str | OwnNetwork = "gcn",
        prior: float | str = "auto",
        balanced: bool = True,
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        epochs: int = 200,
        batch_size: int | None = None,
        threshold: Threshold = "prior",
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
        self.batch_size = batch_size
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """The rows GCN and MLP of the paper: one network in which all nodes weigh alike."""
        return {"balanced": False, "folds": 1}

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        self._finish(self.trained(problem), problem, graph)
        return self._prior_of(self.out_of_fold_, problem)

    def trained(
        self, problem: Problem, folds: Folds | None = None, label: str = "fitting P against U"
    ) -> Ensemble:
        """The networks after training; other methods that need a first idea of who is positive start here."""
        nets = Ensemble(self, problem, folds=folds)
        together = nets.mean_over(nets.P | nets.U)
        positive = nets.mean_over(nets.P) if self.balanced else together * nets.P
        negative = nets.mean_over(nets.U) if self.balanced else together * nets.U
        for record in nets.training(self.epochs, label):
            record["loss"] = nets.descend_on(balanced_loss, positive, negative)
        return nets
