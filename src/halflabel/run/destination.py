"""Where results may go: nowhere that they would destroy anything but an earlier result."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from halflabel.errors import DataError, quote_some

RUN_FILES = frozenset(
    {"scores.parquet", "scores.csv", "edges.parquet", "run.json", "history.csv", "report.html", "model",
     "graph"})


def check_destination(
    directory: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]] = ()
) -> Path:
    """The full path of a run directory to write, if that replaces nothing or only an earlier run.

    Worth asking before a long fit as well as after it.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> check_destination(place / "run").name
    'run'
    >>> _ = (place / "letter.txt").write_text("Dear Ann")
    >>> check_destination(place)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    halflabel.errors.DataError: ...: holds 'letter.txt' and is not an earlier run. ...
    """
    place = Path(directory).resolve()
    if place.exists() and not place.is_dir():
        raise DataError(f"{directory}: is a file. Results are a directory: choose a new name for it.")
    if Path.cwd().is_relative_to(place):
        raise DataError(f"{directory}: is the current directory, or above it. Results take the place of a "
                        "whole directory: choose a new one, such as run/.")
    if place.is_dir():
        _check_replaceable(place, os.fspath(directory))
    for path in inputs:
        if Path(path).resolve().is_relative_to(place):
            raise DataError(f"{directory}: holds the input {path}, which would be lost with the earlier run. "
                            "Choose another directory for the results.")
    _check_writable(place, os.fspath(directory))
    return place


def _check_replaceable(place: Path, shown: str) -> None:
    held = {path.name for path in place.iterdir()}
    if held and not _is_run(place):
        raise DataError(f"{shown}: holds {quote_some(sorted(held), 3)} and is not an earlier run. Nothing "
                        "was changed; choose a new directory, or empty this one.")
    if strange := sorted(held - RUN_FILES):
        raise DataError(f"{shown}: holds {quote_some(strange, 3)} beside an earlier run, and would lose it. "
                        "Move it elsewhere, or choose a new directory.")


def _is_run(place: Path) -> bool:
    try:
        record = json.loads((place / "run.json").read_text(encoding="utf-8"))
        return "halflabel" in record["versions"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _check_writable(place: Path, shown: str) -> None:
    """Results are made beside the directory they replace, so it is its parent that must be writable."""
    parent = next(path for path in place.parents if path.exists())
    if not parent.is_dir():
        raise DataError(f"{shown}: {parent} is a file, so nothing can be written below it.")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise DataError(f"{shown}: no permission to write in {parent}. Choose another place.")
