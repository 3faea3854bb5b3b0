"""A run directory, opened again: the graph, the labels and the model as they were after the fit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from halflabel.base import PUNodeClassifier
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.graphfiles import load_graph
from halflabel.modelfiles import load
from halflabel.run.record import RunRecord


@dataclass(frozen=True)
class Run:
    """What a fit left behind. `scores` is best rank first, `known` follows the order of `graph`."""

    directory: Path
    record: RunRecord
    scores: pa.Table
    graph: Graph
    known: np.ndarray
    model: PUNodeClassifier


def open_run(directory: str | os.PathLike[str]) -> Run:
    """Read a run directory; its model scores, explains and is asked as if it had just been fitted.

    >>> import tempfile
    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> from halflabel.run.store import write_run
    >>> graph, y = payments()
    >>> known = payments_positives(y)
    >>> model = GPL(epochs=2, warmup=5).fit(graph, known)
    >>> place = Path(tempfile.mkdtemp()) / "run"
    >>> _ = write_run(place, graph, model, known, seconds=1.5, inputs={})
    >>> run = open_run(place)
    >>> bool((run.model.predict() == model.predict()).all()), int(run.known.sum()) == int(known.sum())
    (True, True)
    """
    place = Path(directory)
    record = RunRecord.read(place)
    if not (place / "graph").is_dir():
        raise DataError(f"{place}: has no graph/. Several processes fitted this run, each with a part of the "
                        "graph, and none stored it. Fit in one process to look into single nodes.")
    graph, model = load_graph(place / "graph"), load(place / "model")
    scores = _table(place / "scores.parquet")
    known = np.zeros(graph.n_nodes, dtype=bool)
    known[graph.ids.positions(scores.filter(scores["known_positive"])["id"])] = True
    model._graph, model._known = graph, known
    weight = _table(place / "edges.parquet")["weight"].to_numpy()
    if len(model.scores_) != graph.n_nodes or len(weight) != graph.n_edges:
        raise DataError(f"{place}: model, edges and graph are not of one run. Fit again.")
    model.edge_weight_ = weight
    return Run(place, record, scores, graph, known, model)


def _table(path: Path) -> pa.Table:
    try:
        return pyarrow.parquet.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise DataError(f"{path}: cannot be read ({error}). Fit again.") from None
