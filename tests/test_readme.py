"""What the README shows is true: its code runs, its commands exist, its table is the measured one."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from halflabel.datasets import write_payments

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("code", blocks("python"))
def test_python_runs(code, tmp_path):
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=120)


def test_commands_run(tmp_path):
    write_payments(tmp_path)
    commands = [line[2:] for line in "".join(blocks("console")).splitlines() if line.startswith("$ ")]
    assert len(commands) >= 3
    for command in commands:
        program, *arguments = command.split()
        assert program == "halflabel"
        subprocess.run([sys.executable, "-m", "halflabel", *arguments], cwd=tmp_path, check=True, timeout=240)
    assert (tmp_path / "run" / "report.html").exists()


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"make ([a-z-]+)", README + (ROOT / "CONTRIBUTING.md").read_text()))
    assert {"demo", "test"} <= targets
    assert all(re.search(rf"^{target}:", makefile, flags=re.MULTILINE) for target in targets)


def test_the_table_is_the_measured_one():
    results = json.loads((ROOT / "benchmarks/paper/results/gpl-first.json").read_text())
    printed = {cells[0]: cells for cells in (
        [cell.strip(" *") for cell in line.strip("|").split("|")]
        for line in README.splitlines() if line.startswith("| "))}
    for row in results["rows"]:
        _, f1, published, all_positive, ap, prior = printed[row["graph"]]
        assert re.split(r"\*?\*? ± ", f1) == [f"{100 * row['f1']:.1f}", f"{100 * row['f1_sd']:.1f}"]
        assert published == f"{100 * row['published_f1']:.1f}"
        assert all_positive == f"{100 * row['all_positive_f1']:.1f}"
        assert ap == f"{100 * row['average_precision']:.1f}"
        assert prior == f"{row['prior']:.3f} ({row['true_prior']:.3f})"
