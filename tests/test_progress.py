"""Progress goes to the standard error, and only if asked for."""

import sys

import pytest

from halflabel.progress import meter, track


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


def test_a_meter_is_quiet_while_work_is_short(capsys):
    with meter("reading", shown=True) as show:
        show(1.0)
    with meter("reading", shown=False, patience=0) as show:
        show(1.0)
    assert capsys.readouterr() == ("", "")


def test_a_meter_tells_a_few_shares(capsys):
    with meter("reading", shown=True, patience=0) as show:
        for i in range(101):
            show(i / 100)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [f"reading: {share} %" for share in (0, 20, 40, 60, 80, 100)]


def test_a_meter_is_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with meter("reading", shown=True, patience=0) as show:
        show(0.5)
    assert "reading" in capsys.readouterr().err
