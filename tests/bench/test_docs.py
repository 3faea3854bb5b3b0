"""docs/benchmark.md: what it shows is done here, word by word."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from halflabel.bench.kinds.declared import KINDS
from halflabel.bench.planfile import TYPES
from halflabel.bench.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text(encoding="utf-8")


def block(language):
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return found


def write_friends(place):
    rng = np.random.default_rng(0)
    fan = np.arange(80) % 4 == 0
    ends = rng.integers(80, size=(500, 2))
    ends = ends[(fan[ends[:, 0]] == fan[ends[:, 1]]) & (ends[:, 0] != ends[:, 1])]
    (place / "edges.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in ends))
    rows = (f"{i},{'fan' if fan[i] else 'other'},{rng.normal() + fan[i]:.3f}\n" for i in range(80))
    (place / "nodes.csv").write_text("id,class,age\n" + "".join(rows))


def test_a_graph_and_a_method_of_ones_own(tmp_path):
    write_friends(tmp_path)
    (tmp_path / "mine.py").write_text(block("python"))
    (tmp_path / "mine.toml").write_text(block("toml"))
    program, *arguments = block("console").removeprefix("$ ").split()
    assert program == "halflabel"
    subprocess.run([sys.executable, "-m", "halflabel", *arguments], cwd=tmp_path, check=True, timeout=240)
    results = list(Store(tmp_path / "bench" / "results.jsonl").results.values())
    assert [result["status"] for result in results] == ["done"] * 8
    own = [result["metrics"]["auc"] for result in results
           if result["dataset"] == "mine:friends" and result["settings"]["method"] == "mine:KnownNeighbours"]
    assert min(own) > 0.8  # neighbours are of one class in that graph
    table = (tmp_path / "bench" / "mine.md").read_text()
    assert re.search(r"\| known neighbours \| \*\*", table)
    assert "| *balanced P-vs-U* |" in table


def test_every_key_and_kind_is_explained():
    assert all(f"`{key}`" in PAGE for key in TYPES if key not in ("row", "pattern"))
    assert all(f'`"{kind}"`' in PAGE for kind in KINDS)
