"""Full disks, two runs at once, inputs that vanish, Ctrl-C: a message, and nothing half-written."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from halflabel.datasets import write_payments

SHORT = """
from halflabel.cli.fitting import Settings
long = Settings.model
Settings.model = lambda self: long(self).set_params(epochs={epochs}, folds=2)
"""


class Server:
    """Starts `halflabel fit` by naive in processes that need not import anything."""

    def __init__(self, logs):
        self.logs, self.count = logs, 0
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("serving.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})

    def ask(self, **request):
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self, files, out, *more, epochs=2, before=""):
        """A fit that goes on in the background: its process, and the file of what it says."""
        self.count += 1
        log = self.logs / f"{self.count}.txt"
        command = ["fit", files / "edges.csv", "--nodes", files / "nodes.csv", "--positives",
                   files / "known.txt", "--out", out, "--method", "naive", *more]
        pid = self.ask(start=[str(part) for part in command], before=SHORT.format(epochs=epochs) + before,
                       log=str(log))
        return pid, log

    def __call__(self, *args, **kwargs):
        """A fit to its end: its code, and what it said."""
        pid, log = self.start(*args, **kwargs)
        code = self.ask(wait=pid)
        said = log.read_text()
        assert "Traceback" not in said, said
        return code, said


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("logs"))
    yield server
    server.process.communicate()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_payments(tmp_path_factory.mktemp("input"))


def until(happens, timeout=120):
    deadline = time.monotonic() + timeout
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def content(place):
    return {path.relative_to(place): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def earlier(fit, files, tmp_path_factory):
    place = tmp_path_factory.mktemp("earlier") / "run"
    assert fit(files, place)[0] == 0
    return place


@pytest.fixture
def small_disk(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", place], check=False,
                             capture_output=True)
    if mounted.returncode:
        pytest.skip("no permission to mount a small disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def copied(run, place):
    subprocess.run(["cp", "-a", run, place], check=True)
    return content(place)


def fill_up(disk, leave):
    with (disk / "ballast").open("wb") as stream:
        free = os.statvfs(disk)
        stream.write(b"x" * (free.f_bavail * free.f_frsize - leave))


@pytest.mark.parametrize("leave", [0, 20_000, 150_000])
def test_a_full_disk_is_a_message_and_the_earlier_run_stays(fit, leave, files, earlier, small_disk):
    before = copied(earlier, small_disk / "run")
    fill_up(small_disk, leave)
    code, error = fit(files, small_disk / "run", "--checkpoint-every", 1)
    assert code == 3
    assert re.search(rf"run: the disk is full \([\d.]+ MB are free in {small_disk}\)", error)
    assert content(small_disk / "run") == before
    assert {"ballast", "run"} <= {path.name for path in small_disk.iterdir()} <= {
        "ballast", "run", ".run.checkpoint"}


def test_without_room_for_a_checkpoint_the_fit_goes_on(fit, files, tmp_path, small_disk):
    fill_up(small_disk, 0)
    (tmp_path / ".run.checkpoint").symlink_to(small_disk)
    code, error = fit(files, tmp_path / "run", "--checkpoint-every", 1)
    assert code == 0
    assert "no checkpoint: " in error
    assert "the disk is full" in error


def test_a_read_only_disk_is_a_message_before_any_work(fit, files, earlier, small_disk):
    before = copied(earlier, small_disk / "run")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    code, error = fit(files, small_disk / "run")
    assert code == 3
    assert f"no permission to write in {small_disk}" in error
    assert content(small_disk / "run") == before


def test_a_disk_that_becomes_read_only_meanwhile(fit, files, earlier, tmp_path):
    before = copied(earlier, tmp_path / "run")
    fail = f"""
import halflabel.run.store as store
def render(*args):
    raise OSError({errno.EROFS}, "Read-only file system")
store.render_report = render
"""
    code, error = fit(files, tmp_path / "run", before=fail)
    assert code == 3
    assert "run: cannot be written (Read-only file system)" in error
    assert content(tmp_path / "run") == before
    assert set(os.listdir(tmp_path)) <= {"run", ".run.checkpoint"}  # the latter if it took seconds


def test_the_second_of_two_runs_into_one_directory_stops_at_once(fit, files, tmp_path):
    first, log = fit.start(files, tmp_path / "run", epochs=100_000)
    try:
        until(lambda: log.exists() and "features" in log.read_text())
        code, error = fit(files, tmp_path / "run")
        assert code == 3
        assert re.search(rf"run: is being written by process {first} since \d\d:\d\d", error)
    finally:
        os.kill(first, signal.SIGKILL)
        assert fit.ask(wait=first) == -signal.SIGKILL
    assert fit(files, tmp_path / "run")[0] == 0
    assert os.listdir(tmp_path) == ["run"]


VANISH = """
import halflabel.cli.inputs as inputs, shutil, pathlib
read = inputs.Inputs.read_graph
def read_and_lose(self):
    graph = read(self)
    {what}
    return graph
inputs.Inputs.read_graph = read_and_lose
"""


@pytest.mark.parametrize("name", ["known.txt", "edges.csv"])
def test_an_input_that_vanishes_while_it_is_read(fit, name, tmp_path):
    files = write_payments(tmp_path / "input")
    lose = VANISH.format(what=f"pathlib.Path({str(files / name)!r}).unlink()")
    code, error = fit(files, tmp_path / "run", before=lose)
    assert code == 3
    assert name in error
    assert "No such file" in error or "not found" in error or "does not exist" in error
    assert os.listdir(tmp_path) == ["input"]


def test_a_directory_that_is_removed_during_the_fit_is_made_again(fit, files, tmp_path):
    lose = VANISH.format(what=f"shutil.rmtree({str(tmp_path / 'results')!r})")
    code, error = fit(files, tmp_path / "results" / "run", before=lose)
    assert code == 0, error
    assert os.listdir(tmp_path / "results") == ["run"]


def test_interrupted_it_says_how_to_go_on(fit, files, tmp_path):
    process, log = fit.start(files, tmp_path / "run", "--checkpoint-every", 1, epochs=100_000)
    until((tmp_path / ".run.checkpoint" / "stage-00000.safetensors").exists)
    os.kill(process, signal.SIGINT)
    assert fit.ask(wait=process) == 130
    error = log.read_text()
    said = error.splitlines()
    assert re.match(r"the same command with --resume goes on from the checkpoint of \d\d:\d\d:\d\d", said[-2])
    assert said[-1] == "interrupted; nothing half-written was left behind."
    assert "Traceback" not in error
    assert os.listdir(tmp_path) == [".run.checkpoint"]
    code, error = fit(files, tmp_path / "run", "--resume", "--prior", 0.1, epochs=100_000)
    assert code == 3
    assert "the checkpoint is of another fit: prior 'auto', now 0.1" in error
    code, error = fit(files, tmp_path / "run", epochs=2)
    assert code == 0
    assert "starting at the beginning, though there is a checkpoint of" in error
    assert os.listdir(tmp_path) == ["run"]


def test_a_place_that_another_user_owns(fit, files, tmp_path):
    if os.getuid() != 0:
        pytest.skip("only root can become somebody else")
    place = tmp_path / "theirs"
    place.mkdir(mode=0o755)
    for path in [Path(files), *Path(files).iterdir()]:
        path.chmod(0o755)
    nobody = "import os; os.setuid(65534)"  # after the imports, which nobody may be unable to read
    code, error = fit(files, place / "run", before=nobody)
    assert code == 3
    assert "no permission to write in" in error or "Permission denied" in error
    assert os.listdir(place) == []
