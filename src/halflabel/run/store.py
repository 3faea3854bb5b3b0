"""Run directories: the result of a fit as files, written whole or not at all."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from halflabel.base import PUNodeClassifier
from halflabel.files import whole_directory
from halflabel.files.formulas import guard
from halflabel.graph import Graph
from halflabel.graphfiles import save_graph
from halflabel.progress import meter
from halflabel.report import render_report
from halflabel.run.destination import check_destination
from halflabel.run.machine import InputFile
from halflabel.run.ranking import COLUMNS, score_table
from halflabel.run.record import RunRecord, record_run


def write_run(
    directory: str | os.PathLike[str],
    graph: Graph,
    model: PUNodeClassifier,
    known: np.ndarray,
    *,
    seconds: float,
    inputs: Mapping[str, InputFile],
    edges: Iterable[pa.Table] | None = None,
    sizes: Mapping[str, int] | None = None,
    verbose: bool = False,
) -> RunRecord:
    """Write a fitted model and all it says about the graph; an earlier run of that name is replaced whole.

    `known` is the mask of known positives, `seconds` what the fit took, `inputs` the files it was made from,
    by role. A directory that holds anything but an earlier run is refused. Where the graph is in parts, and
    `graph` has its nodes only, `edges` are its edge tables and `sizes` its counts. With `verbose`, progress
    is shown if it takes long.

    >>> import tempfile
    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> known = payments_positives(y)
    >>> model = GPL(epochs=2, warmup=5).fit(graph, known)
    >>> place = Path(tempfile.mkdtemp()) / "run"
    >>> record = write_run(place, graph, model, known, seconds=1.5, inputs={})
    >>> sorted(path.name for path in place.iterdir())  # doctest: +NORMALIZE_WHITESPACE
    ['edges.parquet', 'graph', 'history.csv', 'model', 'report.html', 'run.json', 'scores.csv',
     'scores.parquet']
    """
    place = check_destination(directory, [file.path for file in inputs.values()])
    scores = score_table(graph, model, known)
    record = record_run(graph, model, scores, seconds=seconds, inputs=inputs, sizes=sizes)
    history = getattr(model, "history_", [])
    with whole_directory(place) as filling, meter("writing the run", verbose) as show:
        pyarrow.parquet.write_table(scores, filling / "scores.parquet")
        pyarrow.csv.write_csv(guard(scores.select(COLUMNS)), filling / "scores.csv")
        show(0.2)
        _write_tables(filling / "edges.parquet", edges or [edge_table(graph, model)])
        _write_history(filling / "history.csv", history)
        show(0.4)
        page = render_report(record, scores, history, None if edges is not None else model)
        (filling / "report.html").write_text(page, encoding="utf-8")
        show(0.6)
        model.save(filling / "model")
        show(0.8)
        if edges is None:  # of a graph in parts, each process has its own
            save_graph(replace(graph, focus=None), filling / "graph")
        record.write(filling)  # last, for it has the hashes of the others
    return record


def edge_table(graph: Graph, model: PUNodeClassifier) -> pa.Table:
    """One row per directed edge: source, target, and how far it was trusted."""
    ids = graph.ids.to_arrow()
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    # A method that learns no edge weights trusts every edge alike.
    weight = getattr(model, "edge_weight_", np.ones(graph.n_edges, dtype=np.float32))
    return pa.table({
        "source": ids.take(pa.array(source)),
        "target": ids.take(pa.array(graph.indices)),
        "weight": pa.array(weight),
    })


def _write_tables(path: Path, tables: Iterable[pa.Table]) -> None:
    """Tables of one kind, one after another."""
    blocks = iter(tables)
    first = next(blocks)
    with pyarrow.parquet.ParquetWriter(path, first.schema) as writer:
        for table in chain([first], blocks):
            writer.write_table(table)


def _write_history(path: Path, history: Sequence[Mapping[str, float]]) -> None:
    """One row per epoch; what was not known yet is left empty."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        columns = dict.fromkeys(name for row in history for name in row) or ["epoch"]
        writer = csv.DictWriter(stream, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: value for name, value in row.items() if not math.isnan(value)}
                         for row in history)
