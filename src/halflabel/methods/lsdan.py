"""LSDAN: long-short distance attention with the non-negative PU risk (Wu et al., CIKM 2019)."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from halflabel.base import Problem
from halflabel.graph import Graph
from halflabel.losses import Surrogate, mean_over, non_negative_risk
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.methods.warmup import warm_up
from halflabel.nets import Backbone
from halflabel.priors import Prior
from halflabel.thresholds import Threshold


class LSDAN(InductiveNetwork):
    """Attends to nodes 1, ..., `K` steps away, and for each node to the distances that tell most.

    Of the nodes two steps away or more, at most sixteen a node and distance are attended to, drawn once for
    a graph (`halflabel.nets.walk_views`): all of them would soon be all nodes. The networks first learn P
    against U for `warmup` epochs, because the risk hardly moves them from a random start if positives are
    rare. A prior that is not given is estimated after that; "auto" asks once more in the end, and the smaller
    estimate counts, as either bounds the prior from above. Other methods take the same network, with K = 3,
    as `backbone="lsdan"`.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = LSDAN(prior=0.05, folds=1, warmup=10, epochs=10).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "K": [Interval(Integral, 1, None, closed="left")],
        "surrogate": [StrOptions({"sigmoid", "logistic"})],
        "warmup": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "early_stopping": ["boolean"],
    }
    after_collapse: ClassVar[str] = (
        "With a small prior the sigmoid loss saturates: try the logistic one, and a longer warm-up.")
    backbone = "lsdan"  # a part of the method, hence no parameter

    def __init__(
        self,
        *,
        prior: float | str = "auto",
        K: int = 3,
        surrogate: Surrogate = "logistic",
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 0.0,
        warmup: int = 50,
        epochs: int = 100,
        early_stopping: bool = True,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.prior = prior
        self.K = K
        self.surrogate: Surrogate = surrogate
        self.folds = folds
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.warmup = warmup
        self.epochs = epochs
        self.early_stopping = early_stopping
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """One network on all of P from a random start, the sigmoid loss, a known prior.

        Decay as in AdamW is next to none at this rate; as Adam has it, every answer would be negative.
        """
        return {"K": 3, "surrogate": "sigmoid", "hidden": 16, "folds": 0, "learning_rate": 0.01,
                "weight_decay": 0.0, "warmup": 0, "epochs": 500, "early_stopping": False}

    def new_network(self, n_features: int, members: int) -> Backbone:
        """The network that only this method sets the reach of."""
        from halflabel.nets.lsdan import LongShortAttention

        network = LongShortAttention(n_features, self.hidden, members, self.dropout, reach=self.K)
        return network.to(self.device)

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        nets = Ensemble(self, problem)
        prior = self._prior_of(warm_up(nets, self.warmup, early_stopping=self.early_stopping), problem)
        positive, unlabelled = mean_over(nets.P), mean_over(nets.U)
        for record in nets.training(self.epochs, "fitting LSDAN", early_stopping=self.early_stopping):
            record["loss"] = nets.descend(
                lambda f: non_negative_risk(f, positive, unlabelled, prior.value, self.surrogate))
        self._finish(nets, problem, graph)
        if self.prior != "auto":
            return prior
        return min(prior, self._prior_of(self.out_of_fold_, problem), key=lambda estimate: estimate.value)
