"""The command line as tests use it: in this process, with small files and short fits."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from halflabel.cli import app


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def halflabel(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """halflabel("fit", ...) runs a command and returns its exit code and what it printed."""

    def run(*args: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            app([str(arg) for arg in args], prog_name="halflabel")
        return Outcome(int(end.value.code or 0), *capsys.readouterr())

    return run


STRANGE = [
    "a,b", 'say "hi"', "<script>alert(1)</script>", "007", "[bold]x[/bold]", "two\nlines", "esc\x1b[31m"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """edges.csv, nodes.csv and known.txt of 40 nodes; some ids are hard to print."""
    rng = np.random.default_rng(0)
    ids = STRANGE + [f"n{i:02d}" for i in range(40 - len(STRANGE))]
    place = tmp_path / "input"
    place.mkdir()
    ends = rng.integers(40, size=(120, 2))
    write_rows(place / "edges.csv", [("source", "target"), *((ids[s], ids[t]) for s, t in ends if s != t)])
    features = rng.normal(size=(40, 3)).round(3)
    write_rows(place / "nodes.csv", [("id", "age", "income", "city"),
                                     *((name, *row) for name, row in zip(ids, features, strict=True))])
    (place / "known.txt").write_text("".join(f"{name}\n" for name in ids[-8:]))
    return place


@pytest.fixture
def arguments(files: Path) -> list[object]:
    """The three files, as fit and check take them."""
    return [files / "edges.csv", "--nodes", files / "nodes.csv", "--positives", files / "known.txt"]


def write_rows(path: Path, rows: list) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
