"""InductiveNetwork: a method whose networks also score graphs that they were not fitted on."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import torch
from sklearn.utils._param_validation import Interval, StrOptions
from torch import nn

from halflabel.base import PRIOR, THRESHOLD, Problem, PUNodeClassifier
from halflabel.edges.adjacency import Adjacency
from halflabel.edges.memory import EdgeMemory, edge_keys
from halflabel.errors import DataError
from halflabel.features.diskrows import DiskRows, is_on_disk
from halflabel.graph import Features, Graph
from halflabel.methods.prior import chosen_prior
from halflabel.methods.restoring import restored, restored_own
from halflabel.nets import BACKBONES, Backbone, FeatureMatrix, OwnNetwork, OwnNetworks, build_backbone
from halflabel.priors import Prior

if TYPE_CHECKING:
    from halflabel.methods.ensemble import Ensemble

MAX_STACKED_EDGES = 100_000_000  # beyond this many stored edges in all copies, one network must do


class InductiveNetwork(PUNodeClassifier):
    """Keeps the networks and the learned edge weights; edges that were never seen get the mean weight."""

    _parameter_constraints: ClassVar[dict] = {
        "backbone": [StrOptions(set(BACKBONES)), nn.Module, callable],
        "prior": PRIOR,
        "folds": [Interval(Integral, 0, None, closed="left")],
        "hidden": [Interval(Integral, 4, None, closed="left")],
        "dropout": [Interval(Real, 0, 1, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "weight_decay": [Interval(Real, 0, None, closed="left")],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "threshold": THRESHOLD,
        "random_state": [Interval(Integral, 0, 2**32 - 1, closed="both")],
        "device": [str],
        "verbose": ["boolean"],
    }

    own_graphs: ClassVar[bool] = False  # whether each network reweights a copy of the graph
    needs_held_out: ClassVar[bool] = True  # to estimate the prior, where it is not given
    after_collapse: ClassVar[str] = "Train for more epochs, or with less weight decay and dropout."

    draws: int = 1  # a parameter of those that may draw folds more than once
    batch_size: int | None = None  # a parameter of those whose loss is a sum over nodes

    backbone: str | OwnNetwork
    prior: float | str
    folds: int
    hidden: int
    dropout: float
    learning_rate: float
    weight_decay: float
    device: str
    verbose: bool
    network_: nn.Module
    _memory: EdgeMemory | None

    def new_network(self, n_features: int, members: int) -> Backbone:
        """Networks as the parameters have it, freshly initialised; `hidden` and `dropout` are about ours."""
        if isinstance(self.backbone, str):
            network = build_backbone(
                self.backbone, n_features=n_features, hidden=self.hidden, members=members,
                dropout=self.dropout)
        else:
            network = OwnNetworks(self.backbone, n_features, members)
            self._check_own(network)
        return network.to(self.device)

    def members_for(self, nodes: int, edges: int, columns: int, values: int) -> int:
        """One network for each fold of each draw."""
        return 1 if self.is_too_large(edges) else max(1, self.folds) * self.draws

    def is_too_large(self, edges: int) -> bool:
        """Whether a graph of so many stored edges has no room for a copy for each network."""
        return self.own_graphs and self.folds * self.draws * edges > MAX_STACKED_EDGES

    @property
    def learns_edges(self) -> bool:
        """Whether edges get weights that the network is to use."""
        return False

    def _check_own(self, network: OwnNetworks) -> None:
        """Say what a module of the user's cannot do for this method."""
        method, name = type(self).__name__, network.name
        if self.batch_size is not None:
            raise DataError(f"batch_size={self.batch_size}: how far {name} looks is not known, so it trains "
                            f"on the whole graph. Leave it out, or choose a backbone by name.")
        if self.learns_edges and not network.uses_weights:
            raise DataError(
                f"{method} learns edge weights, which {name}.forward does not take as edge_weight, or makes "
                "no use of. Build it of layers that do, such as GCNConv, or pass edge_learning=False.")

    def _scaled(self, graph: Graph) -> Features | DiskRows:
        """A memory-mapped matrix stays on disk, whether it would fit or not: how much memory happens to be
        free must not decide what is computed."""
        if isinstance(graph.X, np.ndarray) and is_on_disk(graph.X) and "batch_size" in self.get_params():
            return self.scaling_.on_disk(graph.X, graph.names())
        return super()._scaled(graph)

    def _finish(
        self, nets: Ensemble, problem: Problem, graph: Graph, masks: np.ndarray | None = None
    ) -> None:
        """Take scores and history from the trained networks; `masks` has a row per member, where learned."""
        logits = nets.logits()
        nets.warn_if_collapsed(logits)
        self.history_ = nets.history
        self.scores_, self.out_of_fold_ = logits.numpy(force=True).mean(axis=0), nets.out_of_fold(logits)
        self.fold_ = nets.folds.owner
        if masks is None:
            masks = np.broadcast_to(np.float32(1.0), (len(logits), problem.adjacency.n_edges))
        self._keep(nets.network, problem.adjacency, graph, masks)

    def _prior_of(self, out_of_fold: np.ndarray, problem: Problem) -> Prior:
        """As given, or by an estimator on scores of nodes by networks that did not train on them."""
        return chosen_prior(
            self.prior, out_of_fold, problem.positive, problem.unlabelled, self.random_state)

    def _keep(self, network: nn.Module, adjacency: Adjacency, graph: Graph, masks: np.ndarray) -> None:
        """Remember what scoring another graph needs; `masks` has a row per member, a column per edge."""
        self.network_ = network
        self.edge_weight_ = masks.mean(axis=0)[adjacency.edges_of(graph)]
        # Hashing a million ids takes seconds: done when another graph or save() first asks for it.
        self._to_remember, self._memory = (adjacency, graph.ids, masks), None

    @property
    def edge_memory_(self) -> EdgeMemory:
        """The learned weights, by the ids of an edge's ends."""
        if self._memory is None:
            self._memory = EdgeMemory.store(*self._to_remember)
        return self._memory

    def _score_graph(self, graph: Graph) -> np.ndarray:
        adjacency, X = self._prepare(graph)
        masks = self.edge_memory_.recall(edge_keys(adjacency, graph.ids))
        union = adjacency.to(self.device).repeat(len(masks))
        mask = torch.as_tensor(masks, dtype=torch.float32, device=self.device).flatten()
        self.network_.eval()
        with torch.no_grad():
            logits = self.network_(FeatureMatrix(X, self.device), union.masked(mask))
        return logits.mean(dim=0).numpy(force=True)

    def _arrays(self) -> dict[str, torch.Tensor]:
        network = {
            # Copies, because two names of one tensor cannot be saved.
            f"network.{name}": value.cpu().clone() for name, value in self.network_.state_dict().items()}
        memory = {
            # safetensors has no unsigned 64-bit tensors in every version: the same bits, signed.
            "edges.keys": torch.as_tensor(self.edge_memory_.keys.view(np.int64)),
            "edges.masks": torch.as_tensor(np.ascontiguousarray(self.edge_memory_.masks, dtype=np.float32)),
        }
        return {**network, **memory}

    def _restore(self, arrays: dict[str, torch.Tensor]) -> None:
        masks = arrays["edges.masks"].numpy()
        self._memory = EdgeMemory(arrays["edges.keys"].numpy().view(np.uint64), masks)
        weights = {name.removeprefix("network."): values
                   for name, values in arrays.items() if name.startswith("network.")}
        if masks.ndim != 2 or masks.shape[1:] != arrays["edges.keys"].shape:
            raise ValueError("edge weights and edges differ in number")
        width = max(1, len(self.scaling_.names))
        restore = restored if isinstance(self.backbone, str) else restored_own
        self.network_ = restore(self, lambda model: model.new_network(width, members=len(masks)), weights)
