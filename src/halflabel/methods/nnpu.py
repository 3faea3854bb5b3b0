"""nnPU: the non-negative risk of positive-unlabelled learning (Kiryo et al., NeurIPS 2017)."""

from __future__ import annotations

from halflabel.losses import mean_over, non_negative_risk
from halflabel.methods.ensemble import Ensemble, Risk
from halflabel.methods.upu import UPU


class NNPU(UPU):
    """uPU with a guard: where the estimated risk on negatives is below zero, a step goes the other way.

    The authors' constants are kept: beta = 0, gamma = 1.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = NNPU(prior=0.05, epochs=50).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    def _risk(self, nets: Ensemble, prior: float) -> Risk:
        positive, unlabelled = mean_over(nets.P), mean_over(nets.U)
        return lambda f: non_negative_risk(f, positive, unlabelled, prior, self.surrogate)
