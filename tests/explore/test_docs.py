"""docs/explore.md and the README: the explorer is started as written there, and its marks are fitted."""

import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from tests.explore.test_serving import read_address, send_mark

import halflabel as hl
from halflabel.datasets import write_payments
from halflabel.labels import read_positives

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"<!-- run by tests/explore/test_docs.py -->\n```console\n(.*?)```", flags=re.DOTALL)


def commands(page):
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    lines = (line.removeprefix("$ ") for block in blocks for line in block.splitlines())
    return [shlex.split(line) for line in lines]


def as_module(command):
    assert command[0] == "halflabel"
    return [sys.executable, "-m", *command]


def test_a_review_becomes_the_labels_of_the_next_fit(tmp_path, monkeypatch):
    (opening,) = commands("README.md")
    explore, fit = commands("docs/explore.md")
    assert explore == opening
    write_payments(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BROWSER", "true")  # the program of that name, which does nothing
    short = ["--method", "naive", "--epochs", "3"]
    first = [*fit[: fit.index("--positives")], "--positives", "known.txt", "--out", "run/"]
    subprocess.run([*as_module(first), *short], check=True, capture_output=True)
    best = hl.open_run("run").scores["id"][0].as_py()
    with subprocess.Popen(as_module(explore), stdout=subprocess.PIPE, text=True) as running:
        send_mark(read_address(running), hl.open_run("run").graph.ids.positions([best]).item())
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert best in read_positives(tmp_path / "run.marks.csv").to_pylist()
    subprocess.run([*as_module(fit), *short], check=True, capture_output=True)
    known = {row["id"] for row in hl.open_run("run").scores.to_pylist() if row["known_positive"]}
    assert len(known) == 61
    assert best in known
