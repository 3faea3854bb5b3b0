"""A mark that was confirmed is on the disk, whatever happens next."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from halflabel.errors import DataError
from halflabel.explore.journal import Journal, NotSaved
from halflabel.explore.place import check_marks, marks_path
from halflabel.marks import read_marks


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.marks.csv"


def said(path):
    return [(row.id, row.mark, row.source) for row in read_marks(path)]


def test_the_file_begins_with_the_known_positives(path):
    with Journal(path, ["ann", "bob"]) as journal:
        assert journal.marked() == {}
    assert said(path) == [("ann", "positive", "known"), ("bob", "positive", "known")]


def test_rows_are_only_ever_added(path):
    with Journal(path, ["ann"]) as journal:
        before = path.read_bytes()
        for mark in ("positive", "negative", "none"):
            journal.add("eve", mark)
            assert path.read_bytes().startswith(before)
            before = path.read_bytes()
    assert [mark for id, mark, _ in said(path) if id == "eve"] == ["positive", "negative", "none"]


def test_a_mark_is_on_the_disk_before_it_is_confirmed(path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(path.read_bytes()))
    with Journal(path, ["ann"]) as journal:
        journal.add("eve", "positive")
    assert b"eve" in synced[-1]


@pytest.mark.parametrize("kept", range(1, 47))
def test_a_torn_last_row_is_left_out_wherever_it_was_torn(path, kept):
    with Journal(path, ["ann"]) as journal:
        journal.add("bob", "negative")
        whole = path.read_bytes()
        journal.add('a "\n" b', "positive")
    torn = path.read_bytes()[len(whole):]
    assert kept < len(torn)
    path.write_bytes(whole + torn[:kept])
    assert len(read_marks(path)) == 2
    with Journal(path, ["ann"]) as journal:
        assert path.read_bytes() == whole
        journal.add("eve", "positive")
    assert said(path)[1:] == [("bob", "negative", "review"), ("eve", "positive", "review")]


def test_a_file_of_something_else_is_refused(path):
    path.write_text("id,ma")
    with pytest.raises(DataError, match="not a file of marks"):
        Journal(path, ["ann"])


def test_taking_back_makes_a_known_positive_one_again(path):
    with Journal(path, ["ann"]) as journal:
        journal.add("ann", "negative")
        assert journal.positives() == 0
        journal.add("ann", "none")
        assert (journal.positives(), journal.marked()) == (1, {})


def test_known_positives_of_a_later_run_are_added_and_a_review_is_not_overruled(path):
    with Journal(path, ["ann", "bob"]) as journal:
        journal.add("ann", "negative")
    with Journal(path, ["ann", "bob", "eve"]) as journal:
        assert journal.positives() == 2
        assert journal.marked()["ann"].mark == "negative"


def test_two_explorers_do_not_share_a_file(path):
    with Journal(path, ["ann"]), ThreadPoolExecutor() as threads:
        other = threads.submit(Journal, path, ["ann"])
        with pytest.raises(DataError, match="being written by process"):
            other.result()
    with Journal(path, ["ann"]):
        pass


@pytest.mark.parametrize("change", [
    lambda path: path.unlink(),
    lambda path: path.write_bytes(path.read_bytes() + b"eve,positive,hand,\n"),
    lambda path: path.rename(path.with_name("elsewhere.csv")),
    lambda path: (path.with_name("new").write_bytes(path.read_bytes()), path.with_name("new").replace(path)),
])
def test_nothing_is_confirmed_once_something_else_has_changed_the_file(path, change):
    with Journal(path, ["ann"]) as journal:
        change(path)
        with pytest.raises(NotSaved, match="Start the explorer again"):
            journal.add("bob", "positive")
        assert journal.marked() == {}


def test_a_full_disk_leaves_no_half_row(path, monkeypatch):
    write = os.write
    with Journal(path, ["ann"]) as journal:
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:5]))
        with pytest.raises(NotSaved, match="only a part"):
            journal.add("bob", "positive")
        assert path.read_bytes() == before
        monkeypatch.undo()
        journal.add("bob", "positive")
    assert len(read_marks(path)) == 2


def test_the_file_is_beside_the_run_and_never_in_it(tmp_path):
    assert marks_path(tmp_path / "run") == tmp_path / "run.marks.csv"
    assert marks_path(tmp_path / "run", tmp_path / "mine.csv") == tmp_path / "mine.csv"
    with pytest.raises(DataError, match="in the run directory"):
        marks_path(tmp_path / "run", tmp_path / "run" / "mine.csv")
    with pytest.raises(DataError, match=r"ends in \.csv"):
        marks_path(tmp_path / "run", tmp_path / "mine.txt")


def test_marks_of_another_run_are_refused(path):
    with Journal(path, ["ann"]):
        pass
    check_marks(path, ["ann", "bob"])
    with pytest.raises(DataError, match="another run"):
        check_marks(path, ["bob"])
