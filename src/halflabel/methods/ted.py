"""TED^n: transform, estimate, discard (Garg et al., NeurIPS 2021). CVIR, estimating the prior on the way."""

from __future__ import annotations

import numpy as np

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.methods.cvir import CVIR
from halflabel.priors import Prior, best_bin


class TED(CVIR):
    """CVIR whose prior is estimated every epoch, by BBE on scores of held-out nodes.

    GPL without learned edge weights is nearly this: it adds a running minimum to the prior. With `prior` a
    number or another estimator's name there is nothing to estimate on the way, and this is CVIR.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = TED(warmup=30, epochs=20).fit(graph, payments_positives(y))
    >>> 0 < model.prior_ < 0.5
    True
    """

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        if self.prior != "auto":
            return super()._fit_problem(problem, graph)

        def best_bin_share(out_of_fold: np.ndarray) -> float:
            known = out_of_fold[problem.positive]
            return best_bin(known[~np.isnan(known)], out_of_fold[problem.unlabelled])

        self._train(problem, graph, best_bin_share)
        return self._prior_of(self.out_of_fold_, problem)
