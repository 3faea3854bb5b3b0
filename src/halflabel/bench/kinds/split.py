"""The problem of a job: its graph, perhaps with edges added, and which positives are known."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from halflabel.bench.job import Job, NoDataError
from halflabel.bench.own import find_own, is_own
from halflabel.datasets import add_heterophilic_edges, load_dataset
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.labels import hide_positives


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
    graph, y = _loaded(job.dataset)
    added = job.settings.get("added")
    if added is not None:
        graph = add_heterophilic_edges(graph, y, **added, random_state=job.seed)
    positive = _positive_class(job.dataset, y)
    known = hide_positives(y, job.settings["ratio"], job.seed, positive_class=positive)
    return Split(graph, known, y == positive)


def _positive_class(dataset: str, y: np.ndarray) -> int:
    """The largest class, as in the paper; where y tells positives from others, or frauds, those."""
    if y.dtype == bool or dataset == "payments":
        return 1
    return int(np.bincount(y).argmax())


def _loaded(name: str) -> tuple[Graph, np.ndarray]:
    found = _load(name)
    if isinstance(found, NoDataError):
        raise found
    return found


@lru_cache(maxsize=2)
def _load(name: str) -> tuple[Graph, np.ndarray] | NoDataError:
    """What cannot be had is remembered too: asking the network again for every split would take hours."""
    try:
        graph, y = find_own(name)() if is_own(name) else load_dataset(name)
    except (DataError, FileNotFoundError) as error:
        return NoDataError(str(error))
    return graph, np.asarray(y)
