"""The report of a run directory, written again: by a newer version, say, or after a look at the old one."""

from __future__ import annotations

import csv
import math
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from halflabel.errors import DataError
from halflabel.report.page import render_report
from halflabel.run.opened import open_run
from halflabel.run.record import RunRecord


def report_again(directory: str | os.PathLike[str]) -> str:
    """The page that `fit` wrote, from what it stored; of a run by several processes, without its graph.

    >>> report_again("/nowhere")
    Traceback (most recent call last):
    halflabel.errors.DataError: /nowhere: not a run directory, it has no run.json.
    """
    place = Path(directory)
    record, history = RunRecord.read(place), _history(place / "history.csv")
    if (place / "graph").is_dir():
        run = open_run(place)
        return render_report(record, run.scores, history, run.model)
    return render_report(record, _scores(place / "scores.parquet"), history)


def _scores(path: Path) -> pa.Table:
    try:
        return pyarrow.parquet.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise DataError(f"{path}: cannot be read ({error}). Fit again.") from None


def _history(path: Path) -> list[dict[str, float]]:
    """As the model kept it: what was not known is not a number."""
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            return [{name: float(value) if value else math.nan for name, value in row.items()}
                    for row in csv.DictReader(stream)]
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"{path}: cannot be read ({error}). Fit again.") from None
