"""Methods whose encoder learns without labels, by predicting one view of the graph from another."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
import torch
from sklearn.utils._param_validation import Interval
from torch import Tensor, nn

from halflabel.base import Problem
from halflabel.bootstrapping import disagreement
from halflabel.graph import Graph
from halflabel.losses import mean_over
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.finite import finite_loss
from halflabel.methods.inductive import InductiveNetwork
from halflabel.methods.restoring import restored
from halflabel.nets import FeatureMatrix
from halflabel.nets.bootstrap import Encoder, Perceptron, Scorer, View


class Bootstrapped(InductiveNetwork):
    """Keeps the encoder and its head, which is all that scoring another graph takes."""

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "size": [Interval(Integral, 1, None, closed="left")],
        "momentum": [Interval(Real, 0, 1, closed="left")],
        "drop_edges": [tuple, list],
        "drop_features": [tuple, list],
        "warmup": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "early_stopping": ["boolean"],
    }

    size: int
    momentum: float
    drop_edges: tuple[float, float]
    drop_features: tuple[float, float]
    warmup: int
    epochs: int
    early_stopping: bool

    @abstractmethod
    def _head(self, members: int) -> nn.Module:
        """A module from representations, (members, nodes, size), to logits, (members, nodes)."""

    def _build(self, n_features: int, members: int) -> Scorer:
        encoder = Encoder(n_features, self.hidden, self.size, members)
        return Scorer(encoder, self._head(members)).to(self.device)

    def _score_graph(self, graph: Graph) -> np.ndarray:
        adjacency, X = self._prepare(graph)
        self.network_.eval()
        with torch.no_grad():
            logits = self.network_(FeatureMatrix(X, self.device), adjacency.to(self.device).masked())
        return logits.mean(dim=0).numpy(force=True)

    def _arrays(self) -> dict[str, Tensor]:
        """No edge weights were learned, so the networks are everything."""
        return {f"network.{name}": value.cpu() for name, value in self.network_.state_dict().items()}

    def _restore(self, arrays: dict[str, Tensor]) -> None:
        weights = {name.removeprefix("network."): value for name, value in arrays.items()}
        members, n_features, _ = weights["encoder.first"].shape
        self.network_ = restored(self, lambda model: model._build(n_features, members), weights)


class BootstrapRun(Ensemble):
    """Encoders in training. All members look at the same two views, so one product serves all of them."""

    CHANGES = (*Ensemble.CHANGES, "predictor", "auxiliary")
    settings: Bootstrapped
    network: Scorer

    def __init__(self, settings: Bootstrapped, problem: Problem):
        for name in ("drop_edges", "drop_features"):
            shares = getattr(settings, name)
            if len(shares) != 2 or not all(isinstance(p, float | int) and 0 <= p < 1 for p in shares):
                raise ValueError(f"{name}={shares!r}: one probability for each of the two views is needed, "
                                 "from 0 to below 1, such as (0.2, 0.3).")
        super().__init__(settings, problem)

    def restart(self) -> None:
        """Fresh networks. The auxiliary encoder starts from weights of its own and gets no gradients."""
        settings, members = self.settings, len(self.P)
        self.network = settings._build(self.X.n_features, members)
        self.predictor = Perceptron(settings.size, settings.hidden, settings.size, members).to(self.device)
        self.auxiliary = Encoder(self.X.n_features, settings.hidden, settings.size, members).to(self.device)
        self.optimiser = torch.optim.AdamW(
            [*self.network.parameters(), *self.predictor.parameters()],
            lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True)
        # Labels play no part here, so nodes that are held out take part.
        focus = torch.as_tensor(self.positive | self.unlabelled, device=self.device)
        self.everybody = mean_over(focus.expand(members, -1))
        self.best_auc, self.best_weights = -np.inf, None

    def views(self) -> list[View]:
        """Two random views of the graph."""
        shares = zip(self.settings.drop_edges, self.settings.drop_features, strict=True)
        return [View.dropped(self.adjacency, self.X.n_features, *share) for share in shares]

    def encode(self, views: list[View]) -> list[Tensor]:
        """Representations of all nodes, view by view."""
        return [self.network.encoder(self.X, view) for view in views]

    def agreement_loss(self, views: list[View], predicted: list[Tensor]) -> Tensor:
        """L_u: what is predicted from each view should be what the auxiliary encoder makes of the other."""
        with torch.no_grad():
            first, second = (self.auxiliary(self.X, view) for view in views)
        return (disagreement(predicted[0], second, self.everybody)
                + disagreement(predicted[1], first, self.everybody)) / 2

    def step_on(self, losses: Tensor) -> float:
        """One step of every member on its loss; the auxiliary encoder goes after. The mean loss."""
        self.optimiser.zero_grad()
        losses.sum().backward()
        self.optimiser.step()
        self.auxiliary.follow(self.network.encoder, self.settings.momentum)
        return finite_loss(self, losses.mean().item())
