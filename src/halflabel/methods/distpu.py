"""Dist-PU: match the distribution of predicted labels to the known one (Zhao et al., CVPR 2022)."""

from __future__ import annotations

from typing import Any, ClassVar

from halflabel.losses import distribution_loss, mean_over
from halflabel.methods.ensemble import Ensemble, Risk
from halflabel.methods.risk import RiskMinimiser


class DistPU(RiskMinimiser):
    """Known positives average to one and the unlabelled to the prior; the label distribution part of Dist-PU.

    Entropy and mix-up terms, which the authors add for images, are left out.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = DistPU(prior=0.05, epochs=50).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    after_collapse: ClassVar[str] = "All scores at the prior solve it too: try another random_state, or NNPU."

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """One network on all of P; the authors publish no setting for graphs."""
        return {"folds": 0, "early_stopping": False}

    def _risk(self, nets: Ensemble, prior: float) -> Risk:
        positive, unlabelled = mean_over(nets.P), mean_over(nets.U)
        return lambda f: distribution_loss(f, positive, unlabelled, prior)
