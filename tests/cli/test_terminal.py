"""Terminals and pipes: a bar on a terminal only, and no complaint when nobody reads any more."""

import os
import pty
import subprocess
import sys

import pytest

from halflabel.cli.streams import Unbroken


def start(*args, **streams):
    return subprocess.Popen([sys.executable, "-m", "halflabel", *map(str, args)],
                            env={**os.environ, "OMP_NUM_THREADS": "1", "TERM": "xterm"}, **streams)


@pytest.fixture
def fit(arguments, tmp_path):
    """A short fit."""
    return ["fit", *arguments, "--method", "naive", "--epochs", 20, "--out", tmp_path / "run"]


def read_all(terminal):
    text = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the other side is closed
            return text.decode()
        text += block


def test_a_bar_on_a_terminal(fit):
    ours, theirs = pty.openpty()
    with start(*fit, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        shown = read_all(ours)
        assert process.stdout is not None
        printed = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    assert "━" in shown
    assert "\x1b[" in shown  # it is drawn over itself
    assert "\x1b" not in printed
    assert "fitting P against U: 20/20" not in shown


def unread(*args):
    """Exit code and standard error of a command whose output nobody reads."""
    read, write = os.pipe()
    os.close(read)
    with start(*args, stdout=write, stderr=subprocess.PIPE, text=True) as process:
        os.close(write)
        _, error = process.communicate()
    return process.returncode, error


@pytest.mark.parametrize("command", [["--help"], ["--version"], ["data", "list"], ["data", "list", "--json"]])
def test_nobody_reads(command):
    assert unread(*command) == (0, "")


def test_a_fit_goes_on_when_nobody_reads_with_plain_lines_where_there_is_no_terminal(fit, tmp_path):
    code, error = unread(*fit)
    assert code == 0
    assert error.splitlines() == [f"fitting P against U: {i}/20" for i in (4, 8, 12, 16, 20)]
    assert (tmp_path / "run" / "run.json").exists()


def test_a_stream_goes_on_into_nothing():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        unbroken = Unbroken(stream)
        for _ in range(3):
            assert unbroken.write("x" * 100_000) == 100_000
            unbroken.flush()
        assert unbroken.fileno() == stream.fileno()
