"""Where the marks of a run are, and whether they are of that run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from halflabel.errors import DataError, quote_some
from halflabel.marks import last_marks, read_marks


def marks_path(run: Path, wanted: Path | None = None) -> Path:
    """The file for the marks: beside the run, for the next fit replaces that directory as a whole.

    >>> marks_path(Path("results/run")).name
    'run.marks.csv'
    """
    place = run.resolve()
    path = wanted or place.with_name(f"{place.name}.marks.csv")
    if path.suffix.lower() != ".csv":
        raise DataError(f"{path}: marks are a table. Choose a name that ends in .csv.")
    if path.resolve().is_relative_to(place):
        raise DataError(f"{path}: is in the run directory, which the next fit replaces. Choose a place "
                        "outside of it, or the marks would be lost.")
    return path


def check_marks(path: Path, ids: Iterable[str]) -> None:
    """Refuse the marks of another graph.

    >>> check_marks(Path("none.marks.csv"), ["ann"])
    """
    if not path.exists():
        return
    there = set(ids)
    if strange := [id for id in last_marks(read_marks(path)) if id not in there]:
        raise DataError(f"{path}: marks {quote_some(strange, 3)}, which the run does not have. The marks are "
                        "of another run: choose another file with --marks.")
