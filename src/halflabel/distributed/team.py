"""Team: what training asks of the other processes, for a process that owns some of the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
import torch
from scipy import sparse
from torch import Tensor, nn

from halflabel.checkpoint import Stage
from halflabel.distributed.group import Group
from halflabel.distributed.noise import as_slice, noise_for
from halflabel.distributed.part import Part
from halflabel.graph import Features, Graph
from halflabel.nets.dropout import ByteDropout
from halflabel.training.team import Alone, dense


class Team(Alone):
    """Nodes are counted by their place in the whole graph, which is sorted by id."""

    def __init__(self, group: Group, part: Part, model: Any):
        super().__init__()
        self.group, self.model, self.checkpoints, self._stages = group, model, part.checkpoints, 0
        self.speaks = group.rank == 0
        self.n_nodes, self.sizes = part.manifest.nodes, part.manifest.own_nodes
        self._noise = noise_for(part.place, self.n_nodes)
        places = self._pieces(torch.as_tensor(part.place, device=group.device), self.sizes)
        runs = [as_slice(place.numpy(force=True)) for place in places]
        self._places = [run if isinstance(run, slice) else run.to(group.device) for run in runs]
        self._part = part

    def own(self, values: Tensor) -> Tensor:
        """Of values for all nodes, along the last axis, those of the nodes that this process owns."""
        own = self._places[self.group.rank]
        return values[..., own].contiguous() if isinstance(own, slice) else values.index_select(-1, own)

    def gather(self, values: Tensor) -> Tensor:
        """The inverse of `own`: values for all nodes, the same in every process."""
        whole = values.new_empty(*values.shape[:-1], self.n_nodes)
        for place, piece in zip(self._places, self._pieces(values, self.sizes), strict=True):
            whole[..., place] = piece
        return whole

    def gather_array(self, values: np.ndarray) -> np.ndarray:
        """The same for an array."""
        return self.gather(torch.tensor(values, device=self.group.device)).numpy(force=True)

    def total(self, values: Tensor) -> Tensor:
        """The sum over all processes."""
        return self.group.sum(values)

    def whole(self, graph: Graph) -> Graph:
        """The edges that all processes have, without features; small enough for one, or nobody asks."""
        place = self.at_edges(np.arange(self.n_nodes))
        rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
        source, target = self._of_all(np.stack([place[rows], place[graph.indices]]))
        weight = None if graph.edge_weight is None else self._of_all(graph.edge_weight)
        return Graph.from_edges(source, target, np.empty((self.n_nodes, 0), dtype=np.float32), weight=weight)

    def _of_all(self, values: np.ndarray) -> np.ndarray:
        """What each process has of something, one after another along the last axis."""
        pieces = self._pieces_of_any_size(torch.as_tensor(values, device=self.group.device))
        return torch.cat(pieces, dim=-1).numpy(force=True)

    def own_rows(self, X: Features) -> Features:
        """Of rows for all nodes, those of the nodes that this process owns."""
        return X[self._part.place]

    def all_rows(self, X: Features) -> Features:
        """The inverse of `own_rows`: rows for all nodes, the same in every process."""
        if isinstance(X, np.ndarray):
            return self.gather_array(X.T).T
        entries = X.tocoo()
        row, column = self._of_all(np.stack([self._part.place[entries.row], entries.col]))
        values = self._of_all(entries.data)
        return sparse.csr_array((values, (row, column)), shape=(self.n_nodes, X.shape[1]))

    def first_rows(self, X: Features, count: int) -> np.ndarray:
        """Of own rows of features, those of the first nodes of the whole graph, process by process."""
        return self._of_all(dense(X[self._part.place < count]).T).T

    def at_edges(self, values: np.ndarray) -> np.ndarray:
        """Of values for all nodes, those of own ones and of the halo."""
        return values[np.concatenate([self._part.place, self._part.halo_place])]

    def aside(self) -> Self:
        """Checkpoints are of the fit alone: what is trained on the way is trained again after a resume."""
        other = copy(self)
        other.checkpoints = None
        return other

    def share_noise(self, network: nn.Module) -> None:
        """Dropout draws for all nodes, as one process would, and keeps what is for its own."""
        for module in network.modules():
            if isinstance(module, ByteDropout):
                module.draw = self._noise

    def add_gradients(self, network: nn.Module) -> None:
        """Sum the gradients over all processes, in one message."""
        gradients = [parameter.grad for parameter in network.parameters() if parameter.grad is not None]
        flat = self.group.sum(torch.cat([gradient.flatten() for gradient in gradients]))
        for gradient, piece in zip(gradients, flat.split([g.numel() for g in gradients]), strict=True):
            gradient.copy_(piece.view_as(gradient))

    def resume(self, training: Any) -> Stage:
        """Put the training where an earlier attempt was stopped, if there was one."""
        if self.checkpoints is None:
            return Stage()
        number, self._stages = self._stages, self._stages + 1
        return Stage(number, self.checkpoints.restore(training, self.model, number, self.group))

    def epoch_done(self, training: Any, stage: Stage, done: int, epochs: int) -> None:
        """Write down, now and then, all that is needed to resume."""
        if self.checkpoints:
            self.checkpoints.save_if_due(training, self.model, stage.number, self.group, done, epochs)

    def _pieces_of_any_size(self, values: Tensor) -> list[Tensor]:
        count = torch.tensor([values.shape[-1]], device=self.group.device)
        return self._pieces(values, [int(size) for size in self.group.all_gather(count)])

    def _pieces(self, values: Tensor, sizes: Sequence[int]) -> list[Tensor]:
        """The values of every process along the last axis; sizes differ, so all are padded alike."""
        room = values.new_zeros(*values.shape[:-1], max(sizes))
        room[..., : values.shape[-1]] = values
        gathered = self.group.all_gather(room)
        return [piece[..., :size] for piece, size in zip(gathered, sizes, strict=True)]
