"""halflabel bench: runs what is missing, writes what there is, and ends as it should."""

import json
import sys

import pytest

from halflabel.bench.store import Store

MODULE = '''
import numpy as np
import halflabel as hl
from sklearn.base import BaseEstimator


def friends():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3 == 0
    edges = rng.integers(60, size=(2, 200))
    return hl.as_graph((edges[:, edges[0] != edges[1]], rng.normal(size=(60, 4)) + y[:, None])), y


def gone():
    raise FileNotFoundError("gone.csv: put it beside the plan")


class Mine(BaseEstimator):
    def __init__(self, *, broken=False, random_state=0):
        self.broken, self.random_state = broken, random_state

    def fit(self, graph, known):
        if self.broken:
            raise RuntimeError("this one is broken")
        self.scores_, self.prior_, self.prior_interval_ = graph.X[:, 0], 0.2, (0.1, 0.3)
        return self

    def predict(self):
        return self.scores_ > 0.5
'''

PLAN = '''
title = "My own"
metric = "f1_top"
datasets = ["bench_own:friends", "bench_own:gone"]
seeds = 2

[[row]]
label = "mine"
method = "bench_own:Mine"

[[row]]
label = "broken"
method = "bench_own:Mine"
parameters = { broken = true }
'''


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "bench_own", raising=False)
    (tmp_path / "bench_own.py").write_text(MODULE)
    (tmp_path / "mine.toml").write_text(PLAN)
    return tmp_path / "mine.toml"


def test_a_plan_of_ones_own_from_beginning_to_end(halflabel, plan, tmp_path):
    out = tmp_path / "bench"
    outcome = halflabel("bench", plan, "--jobs", 1, "--out", out)
    assert outcome.code == 0
    assert "| mine | **" in outcome.out
    assert "| broken | failed | no data |" in outcome.out
    assert "8 jobs: 8 run now, 0 from the store." in outcome.out
    assert "bench_own:gone: gone.csv: put it beside the plan" in outcome.out
    assert f"Page: {out / 'index.html'}" in outcome.out
    assert "8 of 8 jobs, 2 failed, done" in outcome.err
    assert "2 jobs failed; tracebacks are on the page, and in results.jsonl." in outcome.err
    assert "RuntimeError('this one is broken')" in outcome.err
    assert {path.name for path in out.iterdir()} == {
        "results.jsonl", "asked.json", "index.html", "mine.md", "mine.csv", "mine.tex"}
    page = (out / "index.html").read_text()
    assert "gone.csv: put it beside the plan" in page
    assert "this one is broken" in page

    again = halflabel("bench", plan, "--jobs", 1, "--out", out, "--datasets", "bench_own:friends",
                      "--methods", "mine")
    assert "2 jobs: 0 run now, 2 from the store." in again.out
    assert again.err == ""
    assert json.loads((out / "asked.json").read_text())["mine"]["methods"] == ["mine"]


@pytest.mark.parametrize(("arguments", "message"), [
    (["tabel1"], "error: no target 'tabel1'. Did you mean 'table1'?"),
    (["smoke", "--datasets", "texsa"], "error: no dataset 'texsa'. Did you mean 'texas'?"),
    (["smoke", "--methods", "gpll"], "error: plan smoke: no row 'gpll'. Did you mean 'gpl'?"),
    (["nowhere.toml"], "error: nowhere.toml: No such file or directory."),
    (["smoke", "--datasets", "nowhere:graph"], "error: plan smoke: 'nowhere:graph': no module 'nowhere'."),
])
def test_wrong_names_are_3_before_anything_runs(halflabel, tmp_path, arguments, message):
    outcome = halflabel("bench", *arguments, "--out", tmp_path / "bench")
    assert outcome.code == 3
    assert outcome.err.startswith(message)
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "bench").exists()


@pytest.mark.parametrize("arguments", [[], ["smoke"], ["smoke", "--out", "x", "--seeds", "0"],
                                       ["smoke", "--out", "x", "--executor", "cloud"]])
def test_wrong_usage_is_2(halflabel, arguments):
    assert halflabel("bench", *arguments).code == 2


def test_a_wrong_plan_is_3_and_names_the_key(halflabel, plan, tmp_path):
    plan.write_text(PLAN.replace("seeds", "seed"))
    outcome = halflabel("bench", plan, "--out", tmp_path / "bench")
    assert outcome.code == 3
    assert "mine.toml: no key 'seed'. Did you mean 'seeds'?" in outcome.err


def test_a_store_in_use_is_3(halflabel, plan, tmp_path):
    store = Store(tmp_path / "bench" / "results.jsonl")
    with store.writing():
        outcome = halflabel("bench", plan, "--out", tmp_path / "bench")
    assert outcome.code == 3
    assert "another run is writing to it" in outcome.err


def test_without_ray_it_says_so(halflabel, plan, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    outcome = halflabel("bench", plan, "--executor", "ray", "--out", tmp_path / "bench")
    assert outcome.code == 3
    assert outcome.err.startswith("error: Ray is not installed.")


@pytest.mark.data
def test_the_smoke_plan(halflabel, real_graph, tmp_path):
    for name in ("texas", "cornell"):
        real_graph(name)
    outcome = halflabel("bench", "smoke", "--jobs", 2, "--out", tmp_path / "bench")
    assert outcome.code == 0
    assert "12 jobs: 12 run now" in outcome.out
    assert "failed" not in outcome.err
    results = Store(tmp_path / "bench" / "results.jsonl").results.values()
    assert all(result["metrics"]["auc"] > 0.5 for result in results)
