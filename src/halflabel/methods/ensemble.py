"""Ensemble: networks that train side by side, each without its fold; the one training loop of all methods."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from halflabel.auc import pu_auc
from halflabel.base import Problem
from halflabel.edges.csr import MANY
from halflabel.errors import CollapseWarning, DataError
from halflabel.losses import mean_over
from halflabel.methods.finite import check_scores, finite_loss
from halflabel.methods.inductive import InductiveNetwork
from halflabel.methods.minibatch import MiniBatches
from halflabel.methods.prior import nobody_held_out
from halflabel.nets import FeatureMatrix
from halflabel.probabilities import FLAT
from halflabel.progress import track
from halflabel.training.adam import Adam
from halflabel.training.folds import Folds

JUDGE_EVERY = 5  # epochs between judgements of early stopping; each costs a pass without gradients

Risk = Callable[[Tensor], Tensor]  # from logits, (members, nodes), to a loss for each member
WeightedRisk = Callable[..., Tensor]  # from logits and weights of the same shape, one for each set of nodes
EmbeddingRisk = Callable[[Tensor, Tensor], Tensor]  # the same, with embeddings, (members, nodes, hidden)


class Ensemble:
    """Tensors have one row per member and one column per node. `P` and `U` are what each member trains on.

    Each member has a copy of the graph to reweight if the method wants that; otherwise one graph serves all.
    Who is held out is drawn as the settings say, unless `folds` has it. `CHANGES` are the attributes that
    training changes: what a checkpoint has to hold.
    """

    CHANGES: ClassVar[tuple[str, ...]] = ("network", "optimiser", "best_auc", "best_weights", "history",
                                          "parts")

    def __init__(
        self, settings: InductiveNetwork, problem: Problem, *, folds: Folds | None = None
    ):
        members, draws = settings.folds, settings.draws
        if settings.is_too_large(problem.adjacency.n_stored):
            members = draws = 1
        if members == 0 and settings.needs_held_out and isinstance(settings.prior, str):
            raise DataError(nobody_held_out(settings.prior))
        if draws > 1 and settings.folds < 2:
            raise DataError(f"draws={draws} with folds={settings.folds}: at least 2 folds are needed to draw "
                            "them again. Leave draws at 1, or set folds to 5.")
        rng = np.random.default_rng(settings.random_state)
        self.settings, self.problem, self.team = settings, problem, problem.team
        self.device = torch.device(settings.device)
        self.positive, self.unlabelled = problem.positive, problem.unlabelled
        self.candidates = torch.as_tensor(self.unlabelled.nonzero()[0], device=self.device)
        self.folds = folds or Folds.draw_often(problem.positive, problem.unlabelled, members, draws, rng)
        self.judged = self.folds.judged(problem.positive)
        self.unjudged = problem.positive & ~self.judged
        self.P = self._own(problem.positive & ~self.folds.held)
        self.U = self._own(problem.unlabelled & ~self.folds.held)
        self.X = FeatureMatrix(problem.X, self.device)
        adjacency = problem.adjacency.to(self.device)
        self.adjacency = adjacency.repeat(len(self.P)) if settings.own_graphs else adjacency
        self.graph = self.adjacency.masked()
        self.history: list[dict[str, float]] = []
        self.restart()
        self.parts = None if settings.batch_size is None else MiniBatches(
            adjacency, self.network.radius, settings.batch_size, settings.random_state)

    def _own(self, marks: np.ndarray) -> Tensor:
        """Of marks for all nodes, those of the nodes that this process owns."""
        return self.team.own(torch.as_tensor(marks, device=self.device))

    def restart(self) -> None:
        """Fresh networks, and nothing remembered of the earlier ones but the history."""
        self.network = self.settings.new_network(self.X.n_features, members=len(self.P))
        self.team.share_noise(self.network)
        self.start_stage(self.settings.learning_rate, self.settings.weight_decay)

    def start_stage(self, learning_rate: float, weight_decay: float) -> None:
        """Another loss from here on: a fresh optimiser, and no earlier state counts as the best."""
        self.optimiser = Adam(self.network.parameters(), lr=learning_rate, weight_decay=weight_decay,
                              fused=len(self.P) >= MANY)
        self.best_auc, self.best_weights = -np.inf, None

    def training(
        self, epochs: int, label: str, *, early_stopping: bool = False
    ) -> Iterator[dict[str, float]]:
        """Every method trains in this loop: it yields a record per epoch, which the method's steps fill in.

        With `early_stopping`, held-out positives are ranked among U now and then, and in the end the networks
        return to the state in which they ranked best: P and U alone decide.
        """
        judging = early_stopping and bool(self.judged.any())
        stage = self.team.resume(self)
        for epoch in track(epochs, label, shown=self.settings.verbose and self.team.speaks):
            if epoch < stage.done:
                continue
            record: dict[str, float] = {"epoch": len(self.history)}
            yield record
            if judging and (epoch % JUDGE_EVERY == JUDGE_EVERY - 1 or epoch == epochs - 1):
                record["auc"] = self.remember_if_best(self.out_of_fold(self.logits()))
            self.history.append(record)
            self.team.epoch_done(self, stage, epoch + 1, epochs)
        if judging:
            self.return_to_best()

    def taken_up(self) -> None:
        """After the attributes in `CHANGES` were put back: bring up to date what follows from them."""

    def mean_over(self, marks: Tensor) -> Tensor:
        """Weights that average over the marked nodes, whichever process owns them."""
        return mean_over(marks, self.team.total)

    def descend(self, risk: Risk) -> float:
        """One step of every member on its own risk; the mean risk."""
        self.network.train()
        return self._step(risk(self.network(self.X, self.graph)))

    def descend_on(self, risk: WeightedRisk, *weights: Tensor) -> float:
        """The same for a risk of logits and the weights of some sets, (members, nodes); or, where the method
        has a `batch_size`, a step for every batch of one pass over the nodes."""
        if self.parts is None:
            return self.descend(lambda logits: risk(logits, *weights))
        self.network.train()
        losses = []
        for part in self.parts.one_pass(self.X, self.graph, self.P, self.U):
            logits = self.network(part.X, part.graph).index_select(1, part.columns)
            some = [weight.index_select(1, part.seeds) * part.stands_for for weight in weights]
            losses.append(self._step(risk(logits, *some)))
        return float(np.mean(losses))

    def descend_with_embeddings(self, risk: EmbeddingRisk) -> float:
        """The same for a risk that also looks at the hidden embeddings of the nodes."""
        self.network.train()
        h = self.network.embed(self.X, self.graph)
        return self._step(risk(self.network.classify(h, self.graph), h))

    def _step(self, risks: Tensor) -> float:
        self.optimiser.zero_grad()
        risks.sum().backward()
        self.team.add_gradients(self.network)
        self.optimiser.step()
        return finite_loss(self, self.team.total(risks.detach()).mean().item())

    def logits(self) -> Tensor:
        """Scores of every node by every member, without dropout."""
        if self.network.training:
            self.network.eval()
        with torch.no_grad():
            return self.team.gather(self.network(self.X, self.graph))

    def out_of_fold(self, logits: Tensor) -> np.ndarray:
        """Each node's score by the member that did not train on it; nan for P that all trained on."""
        scores = self.folds.out_of_fold(logits.numpy(force=True))
        check_scores(self, scores)
        scores[self.unjudged] = np.nan
        return scores

    def remember_if_best(self, scores: np.ndarray) -> float:
        """How well held-out positives rank among U by these out-of-fold scores; the best state is kept."""
        auc = pu_auc(scores[self.judged], scores[self.unlabelled])
        if auc > self.best_auc:
            self.best_auc = auc
            self.best_weights = {name: value.clone() for name, value in self.network.state_dict().items()}
        return auc

    def return_to_best(self) -> None:
        """Take back what later epochs did."""
        if self.best_weights is not None:
            self.network.load_state_dict(self.best_weights)

    def warn_if_collapsed(self, logits: Tensor) -> None:
        """Networks that give every node the same answer have learned nothing, whatever their loss says."""
        probability = torch.sigmoid(logits[:, torch.as_tensor(self.positive | self.unlabelled)])
        low, high = probability.min(dim=1).values, probability.max(dim=1).values
        if flat := int((high - low < FLAT).sum()):
            name = type(self.settings).__name__
            warnings.warn(
                f"{name}: {flat} of {len(logits)} networks give every node the same answer (probabilities "
                f"from {low.min():.3f} to {high.max():.3f}). {self.settings.after_collapse}",
                CollapseWarning, stacklevel=2)
