"""One writer at a time, and no lock that outlives its owner."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from halflabel.errors import DataError
from halflabel.files import only_writer

HOLD = """
import sys, time
from halflabel.files import only_writer
with only_writer(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    command = [sys.executable, "-c", HOLD, tmp_path / "run"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_is_told_who_writes(holder, tmp_path):
    message = rf"run: is being written by process {holder.pid} since \d\d:\d\d\. Wait until it is done"
    with pytest.raises(DataError, match=message), only_writer(tmp_path / "run"):
        pass
    with only_writer(tmp_path / "other"):
        pass


def test_a_killed_owner_locks_nobody_out(holder, tmp_path):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert os.listdir(tmp_path) == [".run.lock"]
    with only_writer(tmp_path / "run") as alone:
        assert alone
        assert json.loads((tmp_path / ".run.lock").read_text())["process"] == os.getpid()
    assert os.listdir(tmp_path) == []


def test_the_owner_may_ask_again_and_another_thread_may_not(tmp_path, monkeypatch):
    refused = []

    def ask():
        try:
            with only_writer(tmp_path / "run"):
                pass
        except DataError as error:
            refused.append(str(error))

    monkeypatch.chdir(tmp_path)
    with only_writer("run"):
        ask()
        assert not refused
        other = threading.Thread(target=ask)
        other.start()
        other.join()
        assert len(refused) == 1
        assert (tmp_path / ".run.lock").exists()
    ask()
    assert len(refused) == 1


@pytest.mark.parametrize("content", ["", "no json", '{"process": 1}'])
def test_a_lock_file_that_says_nothing_is_no_obstacle(content, tmp_path, holder):
    (tmp_path / ".run.lock").write_text(content)
    with pytest.raises(DataError, match="is being written by another process"), only_writer(tmp_path / "run"):
        pass


def test_where_there_are_no_locks_one_goes_on_without(tmp_path, monkeypatch):
    monkeypatch.setattr("halflabel.files.locks.fcntl", None)
    with only_writer(tmp_path / "run") as alone:
        assert not alone
