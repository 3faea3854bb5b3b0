"""Progress goes to the standard error, and only if asked for."""

import sys

import pytest

from halflabel.progress import track


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("total", [0, 1, 7, 100])
def test_every_step_is_yielded(total, shown):
    assert list(track(total, "counting", shown)) == list(range(total))


def test_silent_unless_shown(capsys):
    list(track(10, "counting", shown=False))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("total", [1, 3, 7, 100])
def test_a_few_plain_lines_where_there_is_no_terminal(capsys, total):
    list(track(total, "counting", shown=True))
    out, err = capsys.readouterr()
    assert out == ""
    assert 1 <= len(err.splitlines()) <= 5
    assert err.splitlines()[-1] == f"counting: {total}/{total}"


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert list(track(3, "counting", shown=True)) == [0, 1, 2]
    out, err = capsys.readouterr()
    assert out == ""
    assert "counting" in err
