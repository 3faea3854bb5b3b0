"""uPU: the unbiased risk of positive-unlabelled learning (du Plessis, Niu & Sugiyama, 2015)."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from sklearn.utils._param_validation import StrOptions

from halflabel.losses import Surrogate, mean_over, unbiased_risk
from halflabel.methods.ensemble import Ensemble, Risk
from halflabel.methods.risk import RiskMinimiser
from halflabel.nets import OwnNetwork
from halflabel.thresholds import Threshold


class UPU(RiskMinimiser):
    """Minimises pi R_p^+ + R_u^- - pi R_p^-, which equals the supervised risk in expectation.

    A flexible network drives the estimate below zero and over-fits; `NNPU` guards against that.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = UPU(prior=0.05, epochs=50).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **RiskMinimiser._parameter_constraints, "surrogate": [StrOptions({"sigmoid", "logistic"})]}
    after_collapse: ClassVar[str] = (
        "With a small prior the sigmoid loss saturates: try the logistic one, no weight decay, more epochs.")

    def __init__(
        self,
        *,
        backbone: str | OwnNetwork = "gcn",
        prior: float | str = "auto",
        surrogate: Surrogate = "logistic",
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
        super().__init__(
            backbone=backbone, prior=prior, folds=folds, hidden=hidden, dropout=dropout,
            learning_rate=learning_rate, weight_decay=weight_decay, epochs=epochs,
            early_stopping=early_stopping, threshold=threshold,
            random_state=random_state, device=device, verbose=verbose)
        self.surrogate: Surrogate = surrogate

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """Kiryo et al., for uPU as for nnPU: 100 epochs of one network, trained on all of P."""
        return {"surrogate": "sigmoid", "folds": 0, "dropout": 0.0, "learning_rate": 1e-3,
                "weight_decay": 0.005, "epochs": 100, "early_stopping": False}

    def _risk(self, nets: Ensemble, prior: float) -> Risk:
        positive, unlabelled = mean_over(nets.P), mean_over(nets.U)
        return lambda f: torch.stack(
            unbiased_risk(f, positive, unlabelled, prior, self.surrogate)).sum(dim=0)
