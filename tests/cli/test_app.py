"""Help is quick; every way to end has its exit code."""

import os
import signal
import subprocess
import sys

import pytest

import halflabel as hl

HEAVY = ("torch", "torch_geometric", "sklearn", "matplotlib", "scipy")


@pytest.mark.parametrize("command", [
    ["--help"], ["--version"], ["demo", "--help"], ["check", "--help"], ["fit", "--help"],
    ["convert", "--help"], ["partition", "--help"], ["prior", "--help"], ["compare", "--help"],
    ["bench", "--help"], ["explore", "--help"], ["data", "--help"], ["data", "get", "--help"],
    ["data", "list", "-h"],
])
def test_help_imports_nothing_heavy(command):
    script = f"""
import sys
from halflabel.cli import main
sys.argv = ["halflabel", *{command!r}]
try:
    main()
finally:
    print("HEAVY", [name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "HEAVY []" in done.stdout


def test_version(halflabel):
    assert halflabel("--version") == (0, f"halflabel {hl.__version__}\n", "")


@pytest.mark.parametrize("arguments", [
    [], ["fti"], ["fit"], ["fit", "edges.csv"],
    ["check", "e.csv", "--positives", "k", "--missing", "perhaps"],
    ["fit", "e.csv", "--positives", "k", "--out", "run", "--prior", "half"],
    ["fit", "e.csv", "--positives", "k", "--out", "run", "--seed", "-1"],
])
def test_wrong_usage_is_2(halflabel, arguments):
    assert halflabel(*arguments).code == 2


def test_a_wrong_prior_is_named(halflabel):
    outcome = halflabel("fit", "e.csv", "--positives", "k", "--out", "run", "--prior", "half")
    assert "'half' is neither 'auto' nor a number" in outcome.err


def test_a_bug_is_1_with_a_traceback(tmp_path):
    script = """
import halflabel.datasets.catalogue as catalogue
import halflabel.datasets, sys
def broken(*args, **kwargs): raise RuntimeError("a bug")
halflabel.datasets.load_dataset = broken
from halflabel.cli import main
sys.argv = ["halflabel", "data", "get", "payments"]
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "RuntimeError: a bug" in done.stderr


def test_an_unwritable_file_is_3(halflabel, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied", "/somewhere/file")

    monkeypatch.setattr("halflabel.datasets.load_dataset", refuse)
    assert halflabel("data", "get", "payments") == (3, "", "error: /somewhere/file: Permission denied.\n")


def test_interrupted_leaves_nothing_half_written(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "halflabel", "demo", "--out", str(tmp_path / "demo")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert process.stderr is not None
    assert "fitting" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.splitlines()[-1] == "interrupted; nothing half-written was left behind."
    assert "Traceback" not in error
    assert [path.name for path in (tmp_path / "demo").iterdir()] == ["input"]
