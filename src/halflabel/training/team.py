"""Alone: how a fit meets other processes when there are none.

A fit by several processes (halflabel.distributed) gives each of them a part of the nodes. What training has
to ask the others goes through these few methods; a process that owns every node has nobody to ask.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from torch import Tensor, nn

from halflabel.checkpoint import Checkpoints, Stage
from halflabel.checkpoint.stages import Fit
from halflabel.graph import Features, Graph, dense


class Alone:
    """The process that owns every node: each question is its own answer. `fit` describes it to checkpoints.

    >>> import torch
    >>> Alone().gather(torch.tensor([1.0, 2.0])).tolist()
    [1.0, 2.0]
    """

    speaks = True  # whether this process shows progress

    def __init__(self, checkpoints: Checkpoints | None = None, fit: Fit = dict):
        self._checkpoints, self._fit = checkpoints, fit

    def own(self, values: Tensor) -> Tensor:
        """Of values for all nodes, along the last axis, those of the nodes that this process owns."""
        return values

    def gather(self, values: Tensor) -> Tensor:
        """The inverse of `own`: values for all nodes, the same in every process."""
        return values

    def gather_array(self, values: np.ndarray) -> np.ndarray:
        """The same for an array."""
        return values

    def total(self, values: Tensor) -> Tensor:
        """The sum over all processes."""
        return values

    def whole(self, graph: Graph) -> Graph:
        """The links of all nodes, for what looks at rows of the adjacency."""
        return graph

    def own_rows(self, X: Features) -> Features:
        """Of rows for all nodes, those of the nodes that this process owns."""
        return X

    def all_rows(self, X: Features) -> Features:
        """The inverse of `own_rows`: rows for all nodes, the same in every process."""
        return X

    def first_rows(self, X: Features, count: int) -> np.ndarray:
        """Of own rows of features, those of the first nodes of the whole graph, owned by whomever."""
        return dense(X[:count])

    def at_edges(self, values: np.ndarray) -> np.ndarray:
        """Of values for all nodes, those of the nodes that the edges of this process are between."""
        return values

    def aside(self) -> Self:
        """The same processes, for networks that are trained on the way to those of the fit."""
        return self

    def share_noise(self, network: nn.Module) -> None:
        """Let the network draw the random numbers it would draw if one process owned every node."""

    def add_gradients(self, network: nn.Module) -> None:
        """Sum the gradients of the network's parameters over all processes."""

    def resume(self, training: Any) -> Stage:
        """Put the training where an earlier attempt was stopped, if there was one."""
        return self._checkpoints.begin(training, self._fit) if self._checkpoints else Stage()

    def epoch_done(self, training: Any, stage: Stage, done: int, epochs: int) -> None:
        """Write down, now and then, all that is needed to resume."""
        if self._checkpoints:
            self._checkpoints.epoch_done(training, stage, self._fit, done, epochs)


ALONE = Alone()
