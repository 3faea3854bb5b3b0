"""MaskedEnsemble: networks that each have a copy of the graph, whose edges they may learn to distrust."""

from __future__ import annotations

import numpy as np
import torch

from halflabel.base import Problem
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.gpl_parameters import GPLParameters
from halflabel.training.adam import Adam

FULL_MASK = 3.0  # logit at which masks start: sigmoid(3) = .95, every edge nearly trusted


class MaskedEnsemble(Ensemble):
    """`theta` has logits of edge weights, one for every undirected edge of every member's copy of the graph;
    `mask` is what the graph is weighted with."""

    CHANGES = (*Ensemble.CHANGES, "theta", "mask", "best_mask", "mask_optimiser")

    def __init__(self, settings: GPLParameters, problem: Problem):
        super().__init__(settings, problem)
        self.theta = torch.full_like(self.adjacency.base, FULL_MASK, requires_grad=True)
        self.mask = torch.ones_like(self.adjacency.base)  # at first all ones
        self.mask_optimiser = Adam([self.theta], lr=settings.mask_learning_rate, fused=True)

    def set_mask(self) -> None:
        """Weight the graph with what was learned."""
        self.mask = torch.sigmoid(self.theta.detach())
        self.graph = self.adjacency.masked(self.mask)

    def remember_if_best(self, scores: np.ndarray) -> float:
        """The edge weights belong to the state that is kept."""
        before, auc = self.best_auc, super().remember_if_best(scores)
        if self.best_auc > before:
            self.best_mask = self.mask
        return auc

    def return_to_best(self) -> None:
        """Take back what later epochs did, to the edge weights too."""
        if self.best_weights is not None:
            super().return_to_best()
            self.mask, self.graph = self.best_mask, self.adjacency.masked(self.best_mask)

    def taken_up(self) -> None:
        """The graph follows from the mask."""
        self.graph = self.adjacency.masked(self.mask)

    def masks(self) -> np.ndarray:
        """The learned weight of every undirected edge, one row per member."""
        return self.mask.view(len(self.P), -1).numpy(force=True)
