"""PU-GNN: a distance-aware loss with structural regularisation (Yang et al., CIKM 2023)."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import torch
from scipy.special import expit, logit
from sklearn.utils._param_validation import Interval
from torch import Tensor

from halflabel.base import Problem
from halflabel.edges.adjacency import Adjacency
from halflabel.edges.distances import hops_to_nearest
from halflabel.edges.non_edges import sample_non_edges
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.losses import distance_aware_loss, mean_over, structural_loss
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.inductive import InductiveNetwork
from halflabel.methods.warmup import warm_up
from halflabel.nets import OwnNetwork, OwnNetworks
from halflabel.priors import Prior, best_bin
from halflabel.probabilities import prior_shift
from halflabel.thresholds import Threshold

EDGE_OF_SHARES = 1e-3  # estimated shares stay this far from zero and one, where log-odds end
MIN_PART = 30  # unlabelled nodes from which a share is estimated
MAX_PAIRS = 200_000  # edges, and pairs without one, in a step: larger graphs are sampled to bound the memory


class PUGNN(InductiveNetwork):
    """Unlabelled nodes within `delta` steps of a known positive have one class prior, the others another.

    Predicted shares match the two priors, and embeddings of neighbours agree while those of random others,
    `K` for each node and new ones every epoch, do not (weight `alpha`). Networks first learn P against U for
    `warmup` epochs: matching shares alone does not say which nodes to raise, so the result depends on where
    it starts. From the out-of-fold scores at that point come the prior, unless it is given, and the two
    shares `near_prior` and `far_prior`, unless they are given; estimated shares are moved together until
    their mean is the prior. The second part goes on at `fine_tuning` times the learning rate and without
    weight decay, which would be stronger than the gradient of the shares.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = PUGNN(warmup=30, epochs=20).fit(graph, payments_positives(y))
    >>> bool(model.scores_[y == 1].mean() > model.scores_[y == 0].mean())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "near_prior": [Interval(Real, 0, 1, closed="both"), None],
        "far_prior": [Interval(Real, 0, 1, closed="both"), None],
        "delta": [Interval(Integral, 0, None, closed="left")],
        "K": [Interval(Integral, 0, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "fine_tuning": [Interval(Real, 0, 1, closed="right")],
        "warmup": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "early_stopping": ["boolean"],
    }
    after_collapse: ClassVar[str] = "All scores at the prior solve it too: warm up for longer, or try NNPU."

    def __init__(
        self,
        *,
        backbone: str | OwnNetwork = "gcn",
        prior: float | str = "auto",
        near_prior: float | None = None,
        far_prior: float | None = None,
        delta: int = 3,
        K: int = 1,
        alpha: float = 0.01,
        folds: int = 5,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        fine_tuning: float = 0.1,
        warmup: int = 100,
        epochs: int = 100,
        early_stopping: bool = True,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.backbone = backbone
        self.prior = prior
        self.near_prior = near_prior
        self.far_prior = far_prior
        self.delta = delta
        self.K = K
        self.alpha = alpha
        self.folds = folds
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.fine_tuning = fine_tuning
        self.warmup = warmup
        self.epochs = epochs
        self.early_stopping = early_stopping
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """Constant shares, one network from a random start on all of P; `prior` only places the threshold."""
        return {"near_prior": 0.6, "far_prior": 0.3, "delta": 3, "K": 50, "alpha": 0.01, "hidden": 16,
                "dropout": 0.0, "learning_rate": 0.01, "weight_decay": 0.0, "fine_tuning": 1.0, "warmup": 0,
                "epochs": 100, "folds": 0, "early_stopping": False}

    def _check_own(self, network: OwnNetworks) -> None:
        super()._check_own(network)
        if self.alpha:
            raise DataError(f"PUGNN(alpha={self.alpha}) compares the hidden embeddings of neighbours, and "
                            f"{network.name} gives logits only. Pass alpha=0.0, or choose another method.")

    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior:
        nets = Ensemble(self, problem)
        scores = warm_up(nets, self.warmup, early_stopping=self.early_stopping)
        prior = self._prior_of(scores, problem)
        near = hops_to_nearest(problem.adjacency, nets.P.numpy(force=True)) <= self.delta
        self.near_prior_, self.far_prior_ = self._shares(nets, scores, near, prior.value)
        self._match(nets, torch.as_tensor(near, device=nets.device))
        self._finish(nets, problem, graph)
        return prior

    def _match(self, nets: Ensemble, is_near: Tensor) -> None:
        """Train on the distance-aware loss and the structural regulariser."""
        positive, near, far = (mean_over(s) for s in (nets.P, nets.U & is_near, nets.U & ~is_near))
        nets.start_stage(self.fine_tuning * self.learning_rate, weight_decay=0.0)

        def loss(f: Tensor, h: Tensor) -> Tensor:
            shares = distance_aware_loss(f, positive, near, far, self.near_prior_, self.far_prior_)
            return shares + self.alpha * self._structure(h, nets.adjacency) if self.alpha else shares

        for record in nets.training(self.epochs, "fitting PU-GNN", early_stopping=self.early_stopping):
            record["loss"] = nets.descend_with_embeddings(loss)

    def _structure(self, h: Tensor, adjacency: Adjacency) -> Tensor:
        edges = adjacency.ends
        if adjacency.n_edges > MAX_PAIRS:
            some = torch.randint(adjacency.n_edges, (MAX_PAIRS,), device=h.device)
            edges = edges[0][some], edges[1][some]
        pairs = min(self.K * adjacency.n_nodes, MAX_PAIRS)
        return structural_loss(h, edges, sample_non_edges(adjacency, pairs))

    def _shares(
        self, nets: Ensemble, scores: np.ndarray, near: np.ndarray, prior: float
    ) -> tuple[float, float]:
        """Shares of positives near P and far from it: as given, or by BBE on each part of U."""
        if self.near_prior is not None and self.far_prior is not None:
            return self.near_prior, self.far_prior
        is_near = nets.folds.out_of_fold(near)[nets.unlabelled]
        estimates = shares_apart(scores[nets.judged], scores[nets.unlabelled], is_near, prior)
        given = (self.near_prior, self.far_prior)
        near_prior, far_prior = (e if g is None else g for e, g in zip(estimates, given, strict=True))
        return near_prior, far_prior


def shares_apart(
    scores_p: np.ndarray, scores_u: np.ndarray, near: np.ndarray, prior: float
) -> tuple[float, float]:
    """BBE on the near and the far part of U, moved together until their mean over U is the prior.

    They move on the scale of log-odds, where they stay shares and keep their order. Where a part is too
    small to tell, or no positive is held out to compare with, both are the prior. An empty part has share
    zero, which leaves the loss on P the weight it would have without parts.

    >>> near, scores_u = np.arange(100) < 50, np.repeat([4.0, 0.0, 4.0, 0.0], [40, 10, 10, 40])
    >>> [round(share, 2) for share in shares_apart(np.full(20, 4.0), scores_u, near, prior=0.5)]
    [0.8, 0.2]
    """
    parts = [near, ~near]
    shares = [prior if part.any() else 0.0 for part in parts]
    if len(scores_p) and min(part.sum() for part in parts) >= MIN_PART:
        estimates = np.array([best_bin(scores_p, scores_u[part]) for part in parts])
        log_odds = logit(np.clip(estimates, EDGE_OF_SHARES, 1 - EDGE_OF_SHARES))
        shares = expit(log_odds + prior_shift(np.where(near, *log_odds), prior)).tolist()
    return shares[0], shares[1]
