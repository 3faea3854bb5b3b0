"""A run directory, opened again: the graph, the labels and the model as they were after the fit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from halflabel.base import PUNodeClassifier
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.graphfiles import load_graph
from halflabel.modelfiles import load
from halflabel.run.card import RUN
from halflabel.run.record import RunRecord
from halflabel.run.tables import COLUMNS, read_table
from halflabel.sealed import check_file, inside


@dataclass(frozen=True)
class Run:
    """What a fit left behind. `scores` is best rank first, `known` follows the order of `graph`.

    >>> import tempfile
    >>> from halflabel import LabelProp, load_dataset, payments_positives
    >>> from halflabel.run.store import write_run
    >>> graph, y = load_dataset("payments")
    >>> known = payments_positives(y)
    >>> place = Path(tempfile.mkdtemp()) / "run"
    >>> _ = write_run(place, graph, LabelProp().fit(graph, known), known, seconds=1.5, inputs={})
    >>> run = open_run(place)
    >>> run.record.method, run.graph, run.scores.column_names[:2]
    ('labelprop', Graph(2,000 nodes, 8,724 directed edges, 20 features), ['id', 'score'])
    """

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
    record, files = RunRecord.read_sealed(place)
    if "graph/graph.json" not in files:
        raise DataError(f"{place}: has no graph/. Several processes fitted this run, each with a part of the "
                        "graph, and none stored it. Fit in one process to look into single nodes.")
    for name, described in files.items():
        _check(inside(place, name), described)
    graph, model = load_graph(place / "graph"), load(place / "model")
    scores, edges = (read_table(place / name, columns, rows) for (name, columns), rows
                     in zip(COLUMNS.items(), (graph.n_nodes, graph.n_edges), strict=True))
    if len(model.scores_) != graph.n_nodes:
        raise DataError(f"{place}: model and graph are not of one run. Fit again.")
    known = _known(graph, scores, place)
    model._graph, model._known = graph, known
    model.edge_weight_ = edges["weight"].to_numpy()
    return Run(place, record, scores, graph, known, model)


def _check(path: Path, described: Mapping[str, Any]) -> None:
    try:
        check_file(path, described)
    except (OSError, ValueError) as error:
        raise RUN.damaged(path, error) from None


def _known(graph: Graph, scores: pa.Table, place: Path) -> np.ndarray:
    at = graph.ids.positions(scores.filter(scores["known_positive"])["id"])
    if (at < 0).any():
        raise DataError(f"{place}: scores and graph are not of one run. Fit again.")
    known = np.zeros(graph.n_nodes, dtype=bool)
    known[at] = True
    return known
