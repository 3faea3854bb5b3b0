"""Jobs that cost nothing, a small graph and a method of one's own, and results that are made up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from halflabel.bench.job import Job
from halflabel.bench.kinds.declared import PRIOR, RANKING
from halflabel.bench.plan import Plan

STUBS = '''
import os, signal, time
from halflabel.bench.job import NoDataError


def run(job):
    if job.settings.get("raises"):
        raise RuntimeError("as told")
    if job.settings.get("dies"):
        os.kill(os.getpid(), signal.SIGKILL)
    if job.settings.get("no_data"):
        raise NoDataError("no such file")
    time.sleep(job.settings.get("sleeps", 0.0))
    return {"metrics": {"f1_top": job.seed / 10, "true_prior": 0.25}, "thread": os.environ["OMP_NUM_THREADS"]}
'''


@pytest.fixture
def stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with `run`, to be given to executors in place of what a job really does."""
    place = tmp_path / "modules"
    place.mkdir()
    (place / "stub_jobs.py").write_text(STUBS)
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delitem(sys.modules, "stub_jobs", raising=False)
    return import_module("stub_jobs")


TINY = '''
import numpy as np
import halflabel as hl
from sklearn.base import BaseEstimator


def friends():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3 == 0
    X = rng.normal(size=(60, 4)) + y[:, None]
    edges = rng.integers(60, size=(2, 200))
    return hl.as_graph((edges[:, edges[0] != edges[1]], X)), y


def gone():
    raise FileNotFoundError("friends.csv: put it beside the plan")


class Mine(BaseEstimator):
    def __init__(self, *, column=0, prior=0.2, random_state=0):
        self.column, self.prior, self.random_state = column, prior, random_state

    def fit(self, graph, known):
        self.scores_ = graph.X[:, self.column]
        self.prior_, self.prior_interval_ = self.prior, (0.1, 0.3)
        return self

    def predict(self):
        return self.scores_ > 0.5
'''


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of the user's own, "tiny": a graph `friends`, one whose file is `gone`, a method `Mine`."""
    place = tmp_path / "own"
    place.mkdir()
    (place / "tiny.py").write_text(TINY)
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, "tiny", raising=False)
    return "tiny"


@pytest.fixture
def invent() -> Callable[[Iterable[Plan]], dict[str, dict[str, Any]]]:
    """invent(plans) makes results up: every job has one, and no job has run."""

    def results(plans: Iterable[Plan]) -> dict[str, dict[str, Any]]:
        found = {}
        for plan in plans:
            for job in plan.jobs():
                number = int.from_bytes(job.key.encode()[-3:]) % 97 / 97
                found[job.key] = {**job.to_dict(), "status": "done", "metrics": _metrics(job, number),
                                  "versions": {"torch": "2.6.0"}, "commit": "abc", "fit_seconds": 1.0,
                                  "peak_mb": 400, "seconds": 1.1}
        return found

    return results


def _metrics(job: Job, number: float) -> dict[str, Any]:
    flat = [1 / 40] * 40
    snapshot = {kind: {"mean": number, "shares": flat} for kind in ("between", "within")}
    return {**dict.fromkeys(RANKING + PRIOR, number), "true_prior": 0.25, "overlap": number, "positive": flat,
            "negative": flat, "snapshots": {str(epoch): snapshot for epoch in job.settings.get("epochs", [])}}
