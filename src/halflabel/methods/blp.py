"""BLP: bootstrapped latent prototypes (Liang et al., Information Fusion 2024).

    repeat:  one step of the encoder on max(L_u, L_p), where
             L_u: from one view of the graph, predict what an auxiliary encoder makes of another
             L_p: keep known positives close to their centre
    now and then, once representations have formed:
             nodes that are not like the centre become reliable negatives
             logistic regression of P against these, on unit-length representations of the whole graph
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import torch
from sklearn.linear_model import LogisticRegression
from sklearn.utils._param_validation import Interval
from torch.nn.functional import normalize

from halflabel.base import Problem
from halflabel.bootstrapping import highest, similarity_to_centre, spread
from halflabel.graph import Graph
from halflabel.losses import mean_over
from halflabel.methods.bootstrapped import Bootstrapped, BootstrapRun
from halflabel.nets.bootstrap import UnitLinear, View
from halflabel.priors import Prior
from halflabel.thresholds import Threshold

ENOUGH = 5  # nodes to train the classifier on, in multiples of P


class BLP(Bootstrapped):
    """Representations from two views of the graph, then P against the nodes that are least like P.

    After `warmup` epochs, every `search_every` epochs until `epochs` more have passed, as many nodes as there
    are known positives join the reliable negatives, until the classifier has 5 |P| nodes to learn from.
    Scores are those of the classifier: zero is where the method itself draws the line. The prior, which the
    method does without, is estimated from positives that are held out of everything but L_u.

    `drop_edges` and `drop_features` have a probability for each view. `momentum` is the share of itself that
    the auxiliary encoder keeps in a step. `early_stopping` returns to the search after which held-out
    positives ranked best among U. By default the schedule is fifty times shorter than the published one.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = BLP(warmup=10, epochs=10).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **Bootstrapped._parameter_constraints,
        "search_every": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        prior: float | str = "auto",
        folds: int = 5,
        hidden: int = 32,
        size: int = 16,
        momentum: float = 0.005,
        drop_edges: tuple[float, float] = (0.2, 0.3),
        drop_features: tuple[float, float] = (0.2, 0.1),
        learning_rate: float = 0.004,
        weight_decay: float = 1e-5,
        warmup: int = 20,
        epochs: int = 80,
        search_every: int = 5,
        early_stopping: bool = True,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.prior = prior
        self.folds = folds
        self.hidden = hidden
        self.size = size
        self.momentum = momentum
        self.drop_edges = drop_edges
        self.drop_features = drop_features
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.warmup = warmup
        self.epochs = epochs
        self.search_every = search_every
        self.early_stopping = early_stopping
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """The authors' schedule, and their views of Cora, CiteSeer and WikiCS; other graphs had others."""
        return {"warmup": 3000, "epochs": 2000, "search_every": 100, "learning_rate": 5e-4,
                "weight_decay": 1e-5, "momentum": 0.005, "drop_edges": (0.2, 0.3),
                "drop_features": (0.2, 0.1), "hidden": 32, "size": 16, "folds": 1,
                "early_stopping": False}

    def _head(self, members: int) -> UnitLinear:
        return UnitLinear(self.size, members)

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        run = LatentPrototypes(self, problem)
        last = self.warmup + self.epochs - 1
        for record in run.training(last + 1, "fitting BLP"):
            epoch = int(record["epoch"])
            record["loss"] = run.step()
            if epoch == last or (epoch >= self.warmup and (epoch + 1) % self.search_every == 0):
                record["negatives"] = run.search()
                run.fit_classifier()
                if run.judged.any():
                    record["auc"] = run.remember_if_best(run.out_of_fold(run.logits()))
        if self.early_stopping:
            run.return_to_best()
        self._finish(run, problem, graph)
        return self._prior_of(self.out_of_fold_, problem)


class LatentPrototypes(BootstrapRun):
    """The state of BLP. `N` marks each member's reliable negatives."""

    CHANGES = (*BootstrapRun.CHANGES, "N")

    def restart(self) -> None:
        """Fresh networks, and no negatives yet."""
        super().restart()
        self.N = torch.zeros_like(self.U)

    def step(self) -> float:
        """One step on the larger of the two losses: the other is the better learned one, and waits."""
        self.network.train()
        positive, views = mean_over(self.P), self.views()
        predicted = [self.predictor(h) for h in self.encode(views)]
        apart = torch.stack([spread(p, positive) for p in predicted]).mean(dim=0)
        return self.step_on(torch.maximum(self.agreement_loss(views, predicted), apart))

    @torch.no_grad()
    def search(self) -> int:
        """Add the nodes least similar to the centre of P; how many negatives members have on average.

        The product of the two cosines is lowest where the views disagree or where neither sees a relation:
        nodes opposite to the centre in both views are *not* chosen. That reads like an oversight, but with
        (1 + cos)(1 + cos) held-out positives rank lower on Cora and CiteSeer, and no better elsewhere.
        """
        self.network.eval()
        positive = mean_over(self.P)
        first, second = (similarity_to_centre(self.predictor(h), positive) for h in self.encode(self.views()))
        found = highest(-first * second, self.U, int(self.positive.sum()))
        wanting = (self.P | self.N).sum(dim=1) < ENOUGH * self.P.sum(dim=1)
        self.N |= found & wanting[:, None]
        return int(self.N.sum(dim=1).float().mean())

    @torch.no_grad()
    def fit_classifier(self) -> None:
        """Logistic regression of P against N, for every member."""
        self.network.eval()
        h = normalize(self.network.encoder(self.X, View.of(self.graph.csr)), dim=-1)
        head = self.network.head
        assert isinstance(head, UnitLinear)
        for m, (positive, negative) in enumerate(zip(self.P, self.N, strict=True)):
            chosen = positive | negative
            fitted = LogisticRegression().fit(
                h[m, chosen].double().numpy(force=True), positive[chosen].numpy(force=True))
            head.weight[m, :, 0] = torch.as_tensor(fitted.coef_[0])
            head.intercept[m] = float(fitted.intercept_[0])
