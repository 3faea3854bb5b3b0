"""Ensemble: networks that train side by side, each without its fold; the one training loop of all methods."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from halflabel.base import Problem
from halflabel.folds import Folds
from halflabel.losses import balanced_loss
from halflabel.methods.inductive import InductiveNetwork
from halflabel.nets import FeatureMatrix, build_backbone

MAX_STACKED_EDGES = 100_000_000  # beyond this many stored edges in all copies, one network must do


class Ensemble:
    """Tensors have one row per member and one column per node. `P` and `U` are what each member trains on.

    With `own_graphs`, each member has a copy of the graph to reweight; otherwise one graph serves all.
    """

    def __init__(self, settings: InductiveNetwork, problem: Problem, *, own_graphs: bool):
        members = settings.folds
        if own_graphs and members * len(problem.adjacency.col) > MAX_STACKED_EDGES:
            members = 1
        rng = np.random.default_rng(settings.random_state)
        device = torch.device(settings.device)
        self.positive, self.unlabelled = problem.positive, problem.unlabelled
        self.folds = Folds.draw(problem.positive, problem.unlabelled, members, rng)
        self.P = torch.as_tensor(problem.positive & ~self.folds.held, device=device)
        self.U = torch.as_tensor(problem.unlabelled & ~self.folds.held, device=device)
        self.X = FeatureMatrix(problem.X, device)
        adjacency = problem.adjacency.to(device)
        self.adjacency = adjacency.repeat(members) if own_graphs else adjacency
        self.graph = self.adjacency.masked()
        self.network = build_backbone(
            settings.backbone, n_features=self.X.n_features, hidden=settings.hidden,
            members=members, dropout=settings.dropout,
        ).to(device)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay)

    def logits(self) -> Tensor:
        """Scores of every node by every member, without dropout."""
        self.network.eval()
        with torch.no_grad():
            return self.network(self.X, self.graph)

    def step(self, positive: Tensor, negative: Tensor) -> float:
        """One step on the classification loss, a weight per member and node; the mean loss of a member."""
        self.network.train()
        loss = balanced_loss(self.network(self.X, self.graph), positive, negative)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        return loss.item() / len(positive)

    def out_of_fold(self, logits: Tensor) -> np.ndarray:
        """Each node's score by the member that did not train on it; nan for P that all trained on."""
        scores = self.folds.out_of_fold(logits.numpy(force=True))
        return np.where(self.positive & ~self.folds.judged(self.positive), np.nan, scores)
