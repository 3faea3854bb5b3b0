"""RiskMinimiser: methods that minimise an estimate of the risk in which the prior is known beforehand."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral
from typing import ClassVar

from sklearn.utils._param_validation import Interval

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.methods.ensemble import Ensemble, Risk
from halflabel.methods.inductive import InductiveNetwork
from halflabel.methods.naive import Naive
from halflabel.nets import OwnNetwork
from halflabel.priors import Prior
from halflabel.thresholds import Threshold


class RiskMinimiser(InductiveNetwork):
    """A prior that is not given is estimated first, by the same networks trained on P against U."""

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
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
        weight_decay: float = 0.0,
        epochs: int = 200,
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
        self.epochs = epochs
        self.early_stopping = early_stopping
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @abstractmethod
    def _risk(self, nets: Ensemble, prior: float) -> Risk:
        """The loss of every member, as a function of its logits."""

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        prior = first_prior(self, problem)
        nets = Ensemble(self, problem)
        risk = self._risk(nets, prior.value)
        label = f"fitting {type(self).__name__}"
        for record in nets.training(self.epochs, label, early_stopping=self.early_stopping):
            record["loss"] = nets.descend(risk)
        self._finish(nets, problem, graph)
        return prior


def first_prior(model: InductiveNetwork, problem: Problem) -> Prior:
    """The prior before any training with it: as given, or from out-of-fold scores of P against U."""
    if not isinstance(model.prior, str):
        return Prior(float(model.prior), float(model.prior), float(model.prior), "given")
    rough = Naive(backbone=model.backbone, prior=model.prior, folds=model.folds,
                  random_state=model.random_state, device=model.device, verbose=model.verbose)
    nets = rough.trained(problem)
    return rough._prior_of(nets.out_of_fold(nets.logits()), problem)
