"""How far a run is, on the standard error."""

import sys

from halflabel.bench import progress
from halflabel.bench.progress import watched, words

RESULTS = [{"status": "done"}, {"status": "failed"}, {"status": "done"}]


def test_results_pass_through(capsys):
    assert list(watched(iter(RESULTS), 3, shown=False)) == RESULTS
    assert capsys.readouterr() == ("", "")


def test_a_line_at_the_end_and_now_and_then(capsys, monkeypatch):
    assert list(watched(iter(RESULTS), 3, shown=True)) == RESULTS
    assert capsys.readouterr().err == "3 of 3 jobs, 1 failed, done\n"
    monkeypatch.setattr(progress, "EVERY", 0.0)
    list(watched(iter(RESULTS), 3, shown=True))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("1 of 3 jobs, about ")


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert list(watched(iter(RESULTS), 3, shown=True)) == RESULTS
    out, err = capsys.readouterr()
    assert out == ""
    assert "3 of 3 jobs, 1 failed" in err


def test_durations():
    assert words(1, 3, 0, 1.0) == "1 of 3 jobs, about 2 seconds left"
    assert words(1, 3, 0, 3600.0) == "1 of 3 jobs, about 2.0 hours left"
