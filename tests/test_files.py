"""Whole or not at all."""

import os

import pytest

from halflabel.errors import DataError
from halflabel.files import whole_directory


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
