"""The report of a run directory, written again: by a newer version, say, or after a look at the old one."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from halflabel.errors import DataError
from halflabel.report.page import render_report
from halflabel.run.card import RUN
from halflabel.run.opened import open_run
from halflabel.run.record import RunRecord
from halflabel.run.tables import COLUMNS, read_table
from halflabel.sealed import check_file, inside

SCORES = "scores.parquet"


def report_again(directory: str | os.PathLike[str]) -> str:
    """The page that `fit` wrote, from what it stored; of a run by several processes, without its graph.

    >>> report_again("/nowhere")
    Traceback (most recent call last):
    halflabel.errors.DataError: /nowhere: not a run directory, it has no run.json.
    """
    place = Path(directory)
    record, files = RunRecord.read_sealed(place)
    history = _history(inside(place, "history.csv"))
    if "graph/graph.json" in files:
        run = open_run(place)
        return render_report(record, run.scores, history, run.model)
    rows = record.counts["known_positives"] + record.counts["unlabelled"]
    return render_report(record, _scores(inside(place, SCORES), files, rows), history)


def _scores(path: Path, files: Mapping[str, Mapping[str, Any]], rows: int) -> pa.Table:
    try:
        check_file(path, files[SCORES])
    except (OSError, ValueError) as error:
        raise RUN.damaged(path, error) from None
    return read_table(path, COLUMNS[SCORES], rows)


def _history(path: Path) -> list[dict[str, float]]:
    """As the model kept it: what was not known is not a number."""
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            return [{name: float(value) if value else math.nan for name, value in row.items()}
                    for row in csv.DictReader(stream)]
    except (OSError, ValueError, TypeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read ({error}). Fit again.") from None
