"""The store: what a crash can leave behind, and two writers at once."""

import json
import os
import subprocess
import sys

import pytest

from halflabel.bench.job import Job
from halflabel.bench.store import Store
from halflabel.errors import DataError


def test_keys_never_change():
    """Results are found again by these; a different key would run years of jobs anew."""
    job = Job("fit", "cora", 3, {"method": "gpl", "parameters": {"K": 1, "prior": "auto"}, "ratio": 0.5})
    assert job.key == "fit/cora/3/5f1b19323f62"
    other = Job("fit", "cora", 3, {"ratio": 0.5, "parameters": {"prior": "auto", "K": 1}, "method": "gpl"})
    assert other.key == job.key
    assert Job("fit", "cora", 3, {**job.settings, "ratio": 0.4}).key != job.key


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "results.jsonl")
    with store.writing():
        for key in "abc":
            store.append({"key": key, "status": "done"})
    return store


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_last_line_cut_short_is_removed(store, cut):
    content = store.path.read_bytes()
    store.path.write_bytes(content[:-cut])
    again = Store(store.path)
    assert list(again.results) == ["a", "b"]
    with again.writing():
        assert list(again.results) == ["a", "b"]
        again.append({"key": "c", "status": "done"})
    assert store.path.read_bytes() == content


def test_a_tail_of_zeros_as_a_power_cut_leaves_is_removed(store):
    content = store.path.read_bytes()
    store.path.write_bytes(content + b"\0" * 300)
    with Store(store.path).writing():
        pass
    assert store.path.read_bytes() == content


@pytest.mark.parametrize("line", [b"{not json\n", b"[1, 2]\n", b'{"status": "done"}\n'])
def test_a_broken_line_in_the_middle_is_named(store, line):
    lines = store.path.read_bytes().splitlines(keepends=True)
    store.path.write_bytes(lines[0] + line + lines[2])
    with pytest.raises(DataError, match=r"results.jsonl line 2: not a result of a job. Remove that line"):
        Store(store.path)


def test_looking_does_not_change_the_file(store):
    store.path.write_bytes(store.path.read_bytes() + b'{"key": "d"')
    before = store.path.read_bytes()
    Store(store.path)
    assert store.path.read_bytes() == before


def test_only_what_was_done_is_finished(tmp_path):
    store = Store(tmp_path / "results.jsonl")
    with store.writing():
        for status in ("failed", "no data", "done"):
            store.append({"key": status, "status": status})
    assert list(Store(store.path).finished()) == ["done"]


def test_the_last_result_of_a_job_counts(store):
    with store.writing():
        store.append({"key": "a", "status": "done", "metrics": 1})
    assert Store(store.path).results["a"]["metrics"] == 1


def test_a_second_writer_is_told_to_wait(store):
    script = ("import sys; from pathlib import Path; from halflabel.bench.store import Store\n"
              "with Store(Path(sys.argv[1])).writing(): pass")
    with store.writing():
        run = subprocess.run([sys.executable, "-c", script, str(store.path)], capture_output=True, text=True,
                             check=False)
    assert run.returncode == 1
    assert "another run is writing to it" in run.stderr
    assert subprocess.run([sys.executable, "-c", script, str(store.path)], check=False).returncode == 0


def test_each_line_is_one_result(store):
    assert [json.loads(line)["key"] for line in store.path.read_text().splitlines()] == ["a", "b", "c"]


def test_results_are_read_back_as_they_were_added(store):
    assert Store(store.path).results == {key: {"key": key, "status": "done"} for key in "abc"}


def test_a_result_without_a_status_is_named(store):
    with store.path.open("a") as stream:
        stream.write('{"key": "d"}\n')
    with pytest.raises(DataError, match="line 4"):
        Store(store.path)


def test_writing_makes_the_directories_that_are_missing(tmp_path):
    store = Store(tmp_path / "new" / "deep" / "results.jsonl")
    assert not store.path.parent.exists()
    with store.writing():
        store.append({"key": "a", "status": "done"})
    assert list(Store(store.path).finished()) == ["a"]


def test_a_writer_knows_what_another_added_since_it_looked(store):
    early = Store(store.path)
    with store.writing():
        store.append({"key": "d", "status": "done"})
    assert "d" not in early.results
    with early.writing():
        assert "d" in early.results


def test_a_result_is_on_the_disk_when_adding_it_returns(store, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    before = store.path.stat().st_size
    with store.writing():
        store.append({"key": "d", "status": "done"})
        assert list(Store(store.path).results) == ["a", "b", "c", "d"]
    assert synced == [store.path.stat().st_size]
    assert synced[0] > before
