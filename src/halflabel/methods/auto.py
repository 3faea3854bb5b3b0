"""Auto: several views of the nodes, each learned on its own and put together by what held-out positives say.

    for each view of the graph: networks of P against U, one for every world (a fold, or two, unknown)
    for each fold: weights of the views, from nodes of the other folds, by networks that did not know them
    every node is scored by the networks and the weights that did not know its fold
    small graphs: the mean over several draws of folds
    the prior, from these scores, and from how far sources agree

No network, weight or average that enters a node's score has seen the node's label.
"""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import ClassVar

import numpy as np
import torch
from scipy.special import expit
from sklearn.utils._param_validation import Interval

from halflabel.auc import pu_auc
from halflabel.base import PRIOR, THRESHOLD, Problem, PUNodeClassifier
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.methods.prior import chosen_prior
from halflabel.methods.viewlearner import ViewLearner
from halflabel.nets import Backbone
from halflabel.priors import Prior
from halflabel.probabilities import calibration_slope, prior_shift
from halflabel.stacking import Blend, ViewMaker, Worlds, agreed_prior, source_scores, stacked_prior
from halflabel.stacking.effort import FEW, affordable_folds, count_worlds, draws_of_folds
from halflabel.stacking.views import below
from halflabel.thresholds import Threshold
from halflabel.training.folds import Folds


class Auto(PUNodeClassifier):
    """The default method: nothing has to be set, and every choice is made from P and U alone.

    Up to twelve views of a node (its features, its neighbours', links, convolutions, walks, likes, trees) are
    learned apart; `views_` tells how well each ranks held-out positives and how much it counts, and
    `edge_weight_` how likely the two ends of an edge are of one class. `prior` is "auto", the known share of
    positives among the unlabelled nodes, or the name of an estimator. `folds` decides how much of P a network
    lacks; graphs with millions of edges or of values make do with three. Flagged are as many nodes as promise
    the largest F1.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = Auto(epochs=10).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    >>> list(model.views_)[:8]
    ['traits', 'traits nearby', 'own', 'hops', 'convolution', 'pagerank', 'links to', 'links from']
    >>> list(model.views_)[8:]
    ['company', 'peers', 'trees']
    """

    _parameter_constraints: ClassVar[dict] = {
        "prior": PRIOR,
        "folds": [Interval(Integral, FEW, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "threshold": THRESHOLD,
        "random_state": [Interval(Integral, 0, 2**32 - 1, closed="both")],
        "device": [str],
        "verbose": ["boolean"],
    }

    in_parts = True
    first_layers = 3  # of hops, the widest view
    usual_threshold = "f1"
    views_: dict[str, dict[str, float]]
    fold_: np.ndarray

    def __init__(
        self,
        *,
        prior: float | str = "auto",
        folds: int = 5,
        epochs: int = 100,
        threshold: Threshold = "f1",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.prior = prior
        self.folds = folds
        self.epochs = epochs
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        rng = np.random.default_rng(self.random_state)
        count = self._fold_count(problem)
        times = draws_of_folds(self.folds, len(problem.positive), problem.X.shape[1], problem.size)
        draws = [Worlds.draw(problem.positive, problem.unlabelled, count, rng) for _ in range(times)]
        return self._fit_in(draws, problem, graph)

    def _fit_in(self, draws: list[Worlds], problem: Problem, graph: Graph) -> Prior:
        self._maker = ViewMaker.of(graph, problem.features, problem.team)
        logits = self._learn_views(draws, problem, graph)
        self._blend = Blend.learned(logits, draws, problem.positive, problem.unlabelled)
        self.fold_ = draws[0].members.owner
        everybody = np.arange(len(self.fold_))
        lacking_one = logits[:, :, : draws[0].count].reshape(len(logits), -1, len(everybody))
        self.scores_ = self.out_of_fold_ = self._blend.together(lacking_one, everybody)
        apart = self._blend.apart(lacking_one, everybody)
        self._describe(apart, problem)
        prior = self._prior_of(problem, apart, graph)
        self.edge_weight_ = self._agreement(prior.value, problem, graph)
        return prior

    @property
    def radius(self) -> int:
        """How many steps away is what a score depends on."""
        return max(network.radius for network in self._networks)

    def _fold_count(self, problem: Problem) -> int:
        unlabelled = int(problem.unlabelled.sum())
        if unlabelled < 2:
            raise DataError(f"{unlabelled} unlabelled node: Auto holds some out in turn, so it needs at "
                            "least 2. Add unlabelled nodes, or use another method (GPL, Naive).")
        few = min(int(problem.positive.sum()), unlabelled)
        return max(FEW, min(affordable_folds(self.folds, problem.size), few))

    def members_for(self, nodes: int, edges: int, columns: int, values: int) -> int:
        """A network for every world in every draw of folds."""
        size = edges + values
        draws = draws_of_folds(self.folds, nodes, columns, size)
        return count_worlds(affordable_folds(self.folds, size)) * draws

    def _learn_views(self, draws: list[Worlds], problem: Problem, graph: Graph) -> np.ndarray:
        """Logits, (views, draws, worlds, nodes); of the networks, those that lack one fold are kept."""
        held = np.stack([worlds.members.held for worlds in draws])
        members = Folds(held.reshape(-1, held.shape[-1]), draws[0].members.owner)
        kept = np.arange(len(members.held)).reshape(held.shape[:2])[:, : draws[0].count].ravel()
        self._networks: list[Backbone] = []
        self.history_ = []
        logits = []
        views = self._maker.views(graph, problem.features, np.arange(held.shape[-1]), problem.team)
        for number, (name, X) in enumerate(views):
            learner = self._learner(name)
            label = f"fitting Auto, {name} ({number + 1} of {len(self._maker.names)})"
            network, history = learner.learned(replace(problem, X=X), members, label)
            own = learner.logits(network, problem.adjacency, X)
            logits.append(problem.team.gather(own).numpy(force=True).reshape(held.shape))
            self._networks.append(learner.some(network, kept))
            self.history_ += [{"view": number, **record} for record in history]
        return np.stack(logits)

    def _learner(self, view: str) -> ViewLearner:
        return ViewLearner(view, self.epochs, self.random_state, self.device, self.verbose)

    def _describe(self, scores: np.ndarray, problem: Problem) -> None:
        """From scores of shape (views, nodes)."""
        weights = self._blend.weights.mean(axis=0)
        self.views_ = {}
        for name, own, weight in zip(self._maker.names, scores, weights, strict=True):
            auc = pu_auc(own[problem.positive], own[problem.unlabelled])
            self.views_[name] = {"auc": auc, "weight": float(weight)}

    def _prior_of(self, problem: Problem, apart: np.ndarray, graph: Graph) -> Prior:
        if self.prior == "auto":
            known, others = self.scores_[problem.positive], self.scores_[problem.unlabelled]
            prior = stacked_prior(known, others, random_state=self.random_state)
            if graph.lacks_features:  # what stands in for them is made of edges: one source, not three
                return prior
            sources = source_scores(self._maker.names, apart, problem.positive, problem.unlabelled)
            return agreed_prior(prior, *sources)
        return chosen_prior(
            self.prior, self.scores_, problem.positive, problem.unlabelled, self.random_state)

    def _agreement(self, prior: float, problem: Problem, graph: Graph) -> np.ndarray:
        """For every edge the probability that its ends are of one class, if they are independent."""
        scores, unlabelled = self.scores_, problem.unlabelled
        slope = calibration_slope(scores[problem.positive], scores[unlabelled], prior)
        probability = expit(slope * scores + prior_shift(slope * scores[unlabelled], prior))
        q = problem.team.at_edges(np.where(problem.positive, 1.0, probability))
        one, other = np.repeat(q, np.diff(graph.indptr)), q[graph.indices]
        return (one * other + (1 - one) * (1 - other)).astype(np.float32)

    def _score_graph(self, graph: Graph) -> np.ndarray:
        adjacency, X = self._prepare(graph)
        place = self._maker.locate(graph)
        logits = np.stack([
            self._learner(name).logits(network, adjacency, features).numpy(force=True)
            for network, (name, features) in zip(
                self._networks, self._maker.views(graph, X, place), strict=True)])
        return self._blend.together(logits, place)

    def _arrays(self) -> dict[str, torch.Tensor]:
        networks = {f"view.{name}.{key}": value.cpu()
                    for name, network in zip(self._maker.names, self._networks, strict=True)
                    for key, value in network.state_dict().items()}
        return (networks
                | {f"blend.{name}": torch.tensor(value) for name, value in self._blend.to_arrays().items()}
                | {f"maker.{name}": value for name, value in self._maker.to_arrays().items()})

    def _restore(self, arrays: dict[str, torch.Tensor]) -> None:
        weights = {name: below(arrays, f"view.{name}.") for name in ViewMaker.EVERY}
        weights = {name: found for name, found in weights.items() if found}
        self._maker = ViewMaker.from_arrays(tuple(weights), below(arrays, "maker."))
        self._networks = [self._learner(name).restored(found) for name, found in weights.items()]
        blend = below(arrays, "blend.")
        self._blend = Blend.from_arrays({name: value.numpy() for name, value in blend.items()})
