"""Jobs that fail, die, have no data, or are stopped: the others run, and the store tells."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from halflabel.bench.execute import attempt, in_processes, run_missing
from halflabel.bench.job import Job
from halflabel.bench.store import Store


def make_jobs(count):
    return [Job("fit", "nowhere", seed, {}) for seed in range(count)]


def test_a_failure_is_a_result_with_its_traceback(stubs):
    result = attempt(Job("fit", "nowhere", 0, {"raises": True}), stubs.run)
    assert result["status"] == "failed"
    assert result["reason"] == "RuntimeError('as told')"
    assert 'raise RuntimeError("as told")' in result["traceback"]
    assert result["key"].startswith("fit/nowhere/0/")


def test_missing_data_is_no_failure(stubs):
    result = attempt(Job("fit", "nowhere", 0, {"no_data": True}), stubs.run)
    assert (result["status"], result["reason"]) == ("no data", "no such file")


def test_a_failing_and_a_dying_job_stop_nobody_else(stubs, tmp_path):
    jobs = make_jobs(6)
    jobs[1:1] = [Job("fit", "nowhere", 7, {"raises": True}), Job("fit", "nowhere", 8, {"dies": True})]
    store = Store(tmp_path / "results.jsonl")
    assert run_missing(jobs, store, in_processes(2, stubs.run)) == 8
    statuses = {job.seed: store.results[job.key]["status"] for job in jobs}
    assert statuses == {0: "done", 1: "done", 2: "done", 3: "done", 4: "done", 5: "done", 7: "failed",
                        8: "failed"}
    assert "killed" in store.results[jobs[2].key]["reason"]
    assert store.results[jobs[0].key]["thread"] == "1"
    # What failed is tried again, and nothing else.
    assert run_missing(jobs, Store(store.path), in_processes(1, stubs.run)) == 2


def test_a_job_that_two_plans_need_runs_once(stubs, tmp_path):
    store = Store(tmp_path / "results.jsonl")
    assert run_missing(make_jobs(2) * 3, store, in_processes(1, stubs.run)) == 2


def test_leaving_early_does_not_wait_for_running_jobs(stubs, tmp_path):
    class FullDisk(Store):
        def append(self, result):
            raise OSError(28, "No space left on device")

    jobs = [*make_jobs(1), Job("fit", "nowhere", 9, {"sleeps": 600})]
    start = time.monotonic()
    with pytest.raises(OSError, match="No space"):
        run_missing(jobs, FullDisk(tmp_path / "results.jsonl"), in_processes(2, stubs.run))
    assert time.monotonic() - start < 60


RUNNER = """
import sys
from pathlib import Path
from halflabel.bench.execute import in_processes, run_missing
from halflabel.bench.job import Job
from halflabel.bench.store import Store

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    import stub_jobs
    jobs = [Job("fit", "nowhere", seed, {"sleeps": 0.002 * (seed % 4)}) for seed in range(300)]
    run_missing(jobs, Store(Path(sys.argv[1])), in_processes(2, stub_jobs.run))
"""


def test_killed_at_twenty_random_moments_the_store_is_the_same(stubs, tmp_path):
    chance = random.Random(0)
    disturbed, undisturbed = tmp_path / "disturbed.jsonl", tmp_path / "undisturbed.jsonl"
    kills = 0
    while kills < 20:
        process = start_runner(tmp_path, disturbed)
        wait_for_lines(process, disturbed, count_lines(disturbed) + chance.randrange(8))
        time.sleep(chance.uniform(0, 0.01))
        assert process.poll() is None, "the runner has to be busy when it is killed"
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    assert 0 < count_lines(disturbed) < 300
    assert start_runner(tmp_path, disturbed).wait(timeout=60) == 0
    assert start_runner(tmp_path, undisturbed).wait(timeout=60) == 0
    assert contents(disturbed) == contents(undisturbed)
    deadline = time.monotonic() + 20
    while (left := processes_of(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left, "workers of a runner that was killed must not wait for it for ever"


def processes_of(tmp_path):
    """Processes of the runners of this test, which carry its directory in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # gone, or somebody else's
            if f"MARK={tmp_path}".encode() in place.read_bytes():
                found.append(int(place.parent.name))
    return found


def start_runner(tmp_path, store):
    script = tmp_path / "runner.py"
    script.write_text(RUNNER)
    return subprocess.Popen([sys.executable, script, store, tmp_path / "modules"],
                            env={**os.environ, "OMP_NUM_THREADS": "1", "MARK": str(tmp_path)})


def wait_for_lines(process, path, count):
    deadline = time.monotonic() + 60
    while count_lines(path) < count and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)


def count_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def contents(path):
    """Every result but how long it took, in the order of the keys; a job that ran twice would show."""
    results = [json.loads(line) for line in path.read_text().splitlines()]
    return sorted(({**result, "seconds": None} for result in results), key=lambda result: result["key"])
