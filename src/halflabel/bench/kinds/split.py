"""The problem of a job: its graph, perhaps with edges added, and which positives are known."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from halflabel.bench.job import Job
from halflabel.datasets import add_heterophilic_edges, load_dataset
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.labels import hide_positives


class NoDataError(Exception):
    """The graph's files are not there."""


class Split(NamedTuple):
    """`truth` marks the true positives; only the final scoring may look at it."""

    graph: Graph
    known: np.ndarray
    truth: np.ndarray

    @property
    def true_prior(self) -> float:
        """Share of positives among the unlabelled nodes."""
        return float(self.truth[~self.known].mean())


def draw_split(job: Job) -> Split:
    """The seed decides which positives are known, and which edges are added."""
    graph, y = _load(job.dataset)
    added = job.settings.get("added")
    if added is not None:
        graph = add_heterophilic_edges(graph, y, **added, random_state=job.seed)
    known = hide_positives(y, ratio=job.settings["ratio"], random_state=job.seed)
    return Split(graph, known, y == np.bincount(y).argmax())


@lru_cache(maxsize=2)
def _load(name: str) -> tuple[Graph, np.ndarray]:
    try:
        return load_dataset(name)
    except DataError as error:
        raise NoDataError(str(error)) from None
