"""Whole or not at all."""

import errno
import os
import threading
from pathlib import Path

import pytest
from safetensors import SafetensorError

from halflabel.errors import DataError
from halflabel.files import whole_directory, whole_file, writing


def fill(place, text="new"):
    with whole_directory(place) as filling:
        (filling / "a.txt").write_text(text)


def test_nothing_appears_before_it_is_complete(tmp_path):
    with whole_directory(tmp_path / "out") as filling:
        (filling / "a.txt").write_text("half")
        assert not (tmp_path / "out").exists()
    assert (tmp_path / "out" / "a.txt").read_text() == "half"
    assert os.listdir(tmp_path) == ["out"]


def test_parents_are_made_and_others_may_read(tmp_path):
    fill(tmp_path / "deep" / "er" / "out")
    assert (tmp_path / "deep" / "er" / "out").stat().st_mode & 0o777 == 0o755


def test_an_earlier_result_is_replaced_altogether(tmp_path):
    with whole_directory(tmp_path / "out") as filling:
        (filling / "old.txt").write_text("old")
    fill(tmp_path / "out")
    assert os.listdir(tmp_path / "out") == ["a.txt"]
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_on_failure_the_earlier_result_stays_and_no_debris(tmp_path, error):
    fill(tmp_path / "out", "old")

    def fail_half_way():
        with whole_directory(tmp_path / "out") as filling:
            (filling / "a.txt").write_text("new")
            raise error

    with pytest.raises(error):
        fail_half_way()
    assert (tmp_path / "out" / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_a_place_that_cannot_be_written_is_a_data_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"file/out: cannot be written .* Choose another place"):
        fill(tmp_path / "file" / "out")


def leave_behind(place, **parts):
    """What a process leaves that was killed while it wrote."""
    work = place.with_name(f".{place.name}.abcd1234")
    work.mkdir()
    (work / "made-by-halflabel").touch()
    for name, text in parts.items():
        (work / name).mkdir()
        (work / name / "a.txt").write_text(text)


def test_what_a_killed_writer_left_is_removed_and_what_is_not_ours_stays(tmp_path):
    fill(tmp_path / "out", "old")
    leave_behind(tmp_path / "out", new="half")
    (tmp_path / ".out.12345678").mkdir()
    (tmp_path / ".out.backup").mkdir()
    fill(tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == [".out.backup", "out"]


def test_an_earlier_result_that_a_killed_writer_had_moved_away_comes_back(tmp_path):
    leave_behind(tmp_path / "out", new="new", previous="old")
    with writing(tmp_path / "out"):
        assert (tmp_path / "out" / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_where_directories_cannot_change_places_they_are_renamed(tmp_path, monkeypatch):
    monkeypatch.setattr("halflabel.files.whole.exchange", lambda one, other: False)
    fill(tmp_path / "out", "old")
    fill(tmp_path / "out", "new")
    assert (tmp_path / "out" / "a.txt").read_text() == "new"
    assert os.listdir(tmp_path) == ["out"]


def test_the_earlier_result_is_back_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr("halflabel.files.whole.exchange", lambda one, other: False)
    fill(tmp_path / "out", "old")
    rename = Path.rename

    def fail(self, target):
        if self.name == "new":
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "out", "new")
    assert (tmp_path / "out" / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_two_writers_of_one_directory_cannot_interleave(tmp_path):
    said = []

    def second():
        try:
            fill(tmp_path / "out", "second")
        except DataError as error:
            said.append(str(error))

    with whole_directory(tmp_path / "out") as filling:
        (filling / "a.txt").write_text("first")
        other = threading.Thread(target=second)
        other.start()
        other.join()
    assert "is being written by process" in said[0]
    assert (tmp_path / "out" / "a.txt").read_text() == "first"


FULL_DISKS = [
    OSError(errno.ENOSPC, "No space left on device"),
    RuntimeError("[enforce fail at inline_container.cc:1] . PytorchStreamWriter failed: errno 28"),
    OSError("4096 requested and 1024 written"),
    SafetensorError("Error while serializing: I/O error: No space left on device (os error 28)"),
]


@pytest.mark.parametrize("error", FULL_DISKS, ids=["system", "torch", "numpy", "safetensors"])
@pytest.mark.parametrize("write", [whole_directory, whole_file])
def test_a_full_disk_is_called_that_whoever_notices_it(write, error, tmp_path):
    with pytest.raises(DataError, match=r"the disk is full \([\d.]+ MB are free in"), write(tmp_path / "out"):
        raise error
    assert os.listdir(tmp_path) == []


def test_an_error_about_another_file_is_not_about_the_result(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"edges\.csv"), whole_directory(tmp_path / "out"):
        (tmp_path / "edges.csv").read_text()
