"""The payments example as the files a user would have."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from halflabel.datasets.payments import payments, payments_positives


def write_payments(directory: str | os.PathLike[str], random_state: int = 0) -> Path:
    """Write edges.csv, nodes.csv, known.txt and, for judging afterwards only, truth.csv.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     sorted(path.name for path in write_payments(place).iterdir())
    ['edges.csv', 'known.txt', 'nodes.csv', 'truth.csv']
    """
    graph, y = payments(random_state)
    ids = graph.ids.take(np.arange(graph.n_nodes))
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    weight = graph.adjacency.data
    edges = zip(graph.ids.take(source), graph.ids.take(graph.indices), _plain(weight), strict=True)
    nodes = ((name, *_plain(row)) for name, row in zip(ids, graph.X, strict=True))
    known = graph.ids.take(np.flatnonzero(payments_positives(y, random_state)))

    place = Path(directory)
    place.mkdir(parents=True, exist_ok=True)
    _write_rows(place / "edges.csv", ("source", "target", "weight"), edges)
    _write_rows(place / "nodes.csv", ("id", *graph.names()), nodes)
    _write_rows(place / "known.txt", None, ([name] for name in known))
    _write_rows(place / "truth.csv", ("id", "fraud"), zip(ids, y.tolist(), strict=True))
    return place


def _plain(values: Iterable[np.floating]) -> list[str]:
    """The shortest text that reads back as the same number: 3 and 0.125, never 3.0 or 1e-3."""
    return [np.format_float_positional(value, trim="-") for value in values]


def _write_rows(path: Path, header: Sequence[str] | None, rows: Iterable[Sequence[object]]) -> None:
    """Write whole or not at all: a reader never meets half a file."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with partial.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        if header is not None:
            writer.writerow(header)
        writer.writerows(rows)
    os.replace(partial, path)
