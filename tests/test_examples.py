"""The worked examples run as they stand, and say what they are meant to show."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHOWN = {
    "fraud": ["60 confirmed frauds", "should be frauds", "the nearest known positive", "They confirm"],
    "citations": ["should be of the field", "from frames the same: True", "mean trust"],
    "pipeline": ["held-out AUC", "best: gcn", "stack, AUC", "rows alone"],
}


def run(name, tmp_path, **environment):
    env = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    done = subprocess.run([sys.executable, ROOT / "examples" / f"{name}.py"], cwd=tmp_path, env=env,
                          capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_example_is_tested_and_shown():
    scripts = {path.stem for path in (ROOT / "examples").glob("*.py")}
    page = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    assert scripts == SHOWN.keys() == {name for name in scripts if f'--8<-- "examples/{name}.py"' in page}


@pytest.mark.parametrize("name", SHOWN)
def test_an_example_runs_without_any_data(name, tmp_path):
    printed = run(name, tmp_path, HALFLABEL_DATA="")
    assert [text for text in SHOWN[name] if text not in printed] == []
    if name == "fraud":
        assert int(re.search(r"They confirm (\d+) of 40", printed)[1]) >= 30
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind where it is run"


@pytest.mark.slow
@pytest.mark.data
def test_citations_are_those_of_cora_where_it_is(tmp_path, real_graph):
    real_graph("cora")
    assert "Graph(2,708 nodes" in run("citations", tmp_path)
