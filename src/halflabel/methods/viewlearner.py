"""The networks of one view: how Auto learns them, and makes them again from saved weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from halflabel.base import Problem
from halflabel.edges.adjacency import Adjacency
from halflabel.graph import Features, dense
from halflabel.methods.naive import Naive
from halflabel.methods.restoring import restored
from halflabel.nets import Backbone, FeatureMatrix
from halflabel.nets.alike import Alike
from halflabel.nets.bayes import NaiveBayes
from halflabel.nets.company import Company
from halflabel.nets.forest import Forest
from halflabel.progress import track
from halflabel.stacking import ViewMaker
from halflabel.training.folds import Folds

MANY_NODES = 10_000  # from which on networks learn faster: slow ones would have to stop too early
STEADY, FAST = 0.01, 0.03  # learning rates


@dataclass
class ViewLearner:
    """Networks of P against U on one view, one for every world; of some views, what is counted or grown."""

    view: str
    epochs: int
    random_state: int
    device: str
    verbose: bool

    def learned(
        self, problem: Problem, members: Folds, label: str
    ) -> tuple[Backbone, list[dict[str, float]]]:
        """One network for every row of `members`, which does not know whom the row holds out; and how
        training went."""
        if self.view in ViewMaker.BACKBONES:
            nets = self._trainer(self._rate(len(problem.positive))).trained(problem, members, label)
            return nets.network, nets.history
        if self.view == ViewMaker.FOREST:
            return self._grown(problem, members, label), []
        if self.view in ViewMaker.STRIDES:
            return self._walked(problem, members), []
        if self.view == ViewMaker.ALIKE:
            return self._resembled(problem, members), []
        return self._counted(problem, members), []

    def _grown(self, problem: Problem, members: Folds, label: str) -> Forest:
        team = problem.team
        X = team.all_rows(dense(problem.features))
        forest = Forest.grown(X, problem.positive, problem.unlabelled, members.held, self.random_state,
                              lambda count: track(count, label, shown=self.verbose and team.speaks))
        return forest.to(self.device)

    def _walked(self, problem: Problem, members: Folds) -> Company:
        return Company.met(*self._sides(problem, members), ViewMaker.STRIDES[self.view]).to(self.device)

    def _resembled(self, problem: Problem, members: Folds) -> Alike:
        shares = problem.team.all_rows(problem.features)
        return Alike.met(shares, *self._sides(problem, members)).to(self.device)

    def _counted(self, problem: Problem, members: Folds) -> NaiveBayes:
        team = problem.team
        P, U = (team.own(side) for side in self._sides(problem, members))
        X, graph = FeatureMatrix(problem.X, self.device), problem.adjacency.to(self.device).masked()
        return NaiveBayes.counted(X, graph, P, U, ViewMaker.HOPS[self.view], team.total)

    def _sides(self, problem: Problem, members: Folds) -> tuple[Tensor, Tensor]:
        """Who is in P, and who in U, of each member."""
        P, U = (torch.as_tensor(side & ~members.held, device=self.device)
                for side in (problem.positive, problem.unlabelled))
        return P, U

    def some(self, network: Backbone, members: np.ndarray) -> Backbone:
        """A copy of some of the networks."""
        weights = network.state_dict()
        if self.view == ViewMaker.FOREST:  # trees serve several members
            return self.restored(weights | {"serves": weights["serves"][members]})
        return self.restored({key: value[members] for key, value in weights.items()})

    def restored(self, weights: Mapping[str, Tensor]) -> Backbone:
        """Networks with these weights."""
        if self.view == ViewMaker.FOREST:
            (members, forests), (_, trees) = weights["serves"].shape, weights["roots"].shape
            nodes = len(weights["share"])
            return restored(self, lambda _: Forest(members, forests, trees, nodes), weights).checked()
        members, n_features, _ = next(iter(weights.values())).shape  # of the first layer
        if self.view in ViewMaker.HOPS:
            hops = ViewMaker.HOPS[self.view]
            return restored(self, lambda _: NaiveBayes(n_features, members, hops), weights)
        if self.view in ViewMaker.STRIDES:
            stride = ViewMaker.STRIDES[self.view]
            return restored(self, lambda _: Company(n_features, members, stride), weights)
        if self.view == ViewMaker.ALIKE:
            return restored(self, lambda _: Alike(n_features, members), weights)
        return restored(self._trainer(), lambda naive: naive.new_network(n_features, members), weights)

    def logits(self, network: Backbone, adjacency: Adjacency, X: Features) -> Tensor:
        """What they say of every node that this process owns, (members, nodes)."""
        network.eval()
        with torch.no_grad():
            return network(FeatureMatrix(X, torch.device(self.device)), adjacency.to(self.device).masked())

    def _rate(self, nodes: int) -> float:
        """Of learning. Networks of links get worse if they learn fast (docs/decisions.md)."""
        return FAST if nodes >= MANY_NODES and not self.view.startswith("links") else STEADY

    def _trainer(self, rate: float = STEADY) -> Naive:
        return Naive(backbone=ViewMaker.BACKBONES[self.view], epochs=self.epochs, learning_rate=rate,
                     device=self.device, random_state=self.random_state, verbose=self.verbose)
