"""Jobs on a Ray cluster of two local workers: the same store, whatever happens to a job."""

import sys

import pytest

from halflabel.bench.execute import in_processes, run_missing
from halflabel.bench.job import Job
from halflabel.bench.on_ray import on_ray
from halflabel.bench.store import Store
from halflabel.errors import DataError


def test_without_ray_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DataError, match=r"Ray is not installed. Install it \(pip install"):
        on_ray(2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::FutureWarning")
def test_two_workers_fill_the_same_store(stubs, tmp_path):
    pytest.importorskip("ray", reason="ray is not installed: pip install 'halflabel[ray]'")
    jobs = [Job("fit", "nowhere", seed, {}) for seed in range(8)]
    wrong = [Job("fit", "nowhere", 8, {"raises": True}), Job("fit", "nowhere", 9, {"dies": True})]
    store = Store(tmp_path / "results.jsonl")
    assert run_missing(jobs[:4], store, in_processes(1, stubs.run)) == 4
    assert run_missing([*jobs, *wrong], store, on_ray(2, stubs.run)) == 6
    assert [store.results[job.key]["status"] for job in jobs] == ["done"] * 8
    assert store.results[jobs[7].key]["metrics"]["f1_top"] == 0.7
    assert "as told" in store.results[wrong[0].key]["traceback"]
    assert "killed" in store.results[wrong[1].key]["reason"]
    assert len(store.path.read_text().splitlines()) == 10
    here = Store(tmp_path / "here.jsonl")
    run_missing(jobs, here, in_processes(1, stubs.run))
    assert comparable(here) == {key: value for key, value in comparable(store).items() if key in here.results}


def comparable(store):
    return {key: {**result, "seconds": None} for key, result in store.results.items()}
