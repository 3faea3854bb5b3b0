"""Steps on parts of the graph: seeds, a sample of what is around them, and the loss of the seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from halflabel.edges.adjacency import Adjacency, MaskedGraph
from halflabel.nets import FeatureMatrix
from halflabel.training.batches import batches
from halflabel.training.sampling import NeighbourSampler

# Neighbours that a node draws, by its distance from a seed. Networks that reach further train on what is
# nearby: more steps would make every part as large as the graph.
FANOUTS = (5, 5)


class Part(NamedTuple):
    """What a step sees, and of whom it counts the loss: columns of logits, nodes, and how many each is."""

    X: FeatureMatrix
    graph: MaskedGraph
    columns: Tensor
    seeds: Tensor
    stands_for: Tensor


class MiniBatches:
    """Parts of one graph. `radius` is how many steps away a network looks."""

    def __init__(self, adjacency: Adjacency, radius: int, size: int, random_state: int):
        self._sampler = NeighbourSampler(adjacency.single or adjacency)
        self._fanouts, self._size = FANOUTS[:radius], size
        # Not the numbers that the folds are drawn by.
        self._rng = np.random.default_rng([random_state, 1])

    def state_dict(self) -> dict[str, Any]:
        """Where the random numbers are: all that a pass changes."""
        return dict(self._rng.bit_generator.state)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on with the random numbers from there."""
        self._rng.bit_generator.state = state

    def one_pass(self, X: FeatureMatrix, graph: MaskedGraph, P: Tensor, U: Tensor) -> Iterator[Part]:
        """Every node that any member trains on, once."""
        positive, unlabelled = (some.any(dim=0).numpy(force=True) for some in (P, U))
        for seeds, stands_for in batches(positive, unlabelled, self._size, self._rng):
            sample = self._sampler.draw(seeds, self._fanouts, self._rng)
            at, nodes, weight = (
                torch.as_tensor(part, device=P.device) for part in (sample.seeds, seeds, stands_for))
            yield Part(X.take(sample.nodes), sample.masked(graph), at, nodes, weight)
