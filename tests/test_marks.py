"""The table a review writes, read as known positives."""

import csv

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.labels import as_positive_mask, read_positives
from halflabel.marks import HEADER, Mark, as_lines, complete_length, read_marks


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.marks.csv"


def write(path, *rows):
    lines = as_lines([Mark(id, mark, "review", "") for id, mark in rows])
    path.write_text(HEADER + lines, encoding="utf-8")
    return path


def test_the_last_mark_of_a_node_counts(path):
    write(path, ("a", "positive"), ("b", "positive"), ("a", "negative"), ("c", "negative"), ("c", "positive"),
          ("d", "positive"), ("d", "none"))
    assert read_positives(path).to_pylist() == ["b", "c"]


def test_whole_numbers_name_the_nodes_they_did(path):
    graph = Graph.from_edges([0, 1], [1, 2], np.eye(3), ids=NodeIds([10, 7, 9223372036854775807]))
    write(path, ("9223372036854775807", "positive"), ("7", "negative"))
    assert as_positive_mask(path, graph).tolist() == [False, False, True]


def test_a_torn_last_row_is_no_label(path):
    write(path, ("a", "positive"))
    path.write_bytes(path.read_bytes() + b'"b",posit')
    assert read_positives(path).to_pylist() == ["a"]


def test_a_file_saved_by_a_spreadsheet_is_still_one_of_marks(path):
    write(path, ("a", "positive"), ("b", "negative"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n").replace(b'"', b""))
    assert read_positives(path).to_pylist() == ["a"]


def test_marks_in_another_format_are_refused_rather_than_all_taken_for_positive(tmp_path):
    columns = {"id": ["a", "b"], "mark": ["positive", "negative"], "source": ["review"] * 2, "time": [""] * 2}
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "marks.parquet")
    with pytest.raises(DataError, match="another format"):
        read_positives(tmp_path / "marks.parquet")


def test_a_table_that_happens_to_have_a_mark_is_read_as_before(tmp_path):
    (tmp_path / "known.csv").write_text("id,mark\na,1.3\nb,2.0\n")
    assert read_positives(tmp_path / "known.csv").to_pylist() == ["a", "b"]


@pytest.mark.parametrize(("row", "message"), [
    ("a,maybe,review,\n", "row 2: mark 'maybe'"), ("a,positive\n", "row 2: 2 values"),
    ("a,negative,review,\n", "no ids")])
def test_what_is_wrong_is_told(path, row, message):
    path.write_text(HEADER + row)
    with pytest.raises(DataError, match=message):
        read_positives(path)


def test_no_id_is_a_formula_for_a_spreadsheet(path):
    ids = ["=1+1", "'=1+1", "@SUM(1)", "-5", "'tis", "\tx"]
    write(path, *((id, "positive") for id in ids))
    with path.open(newline="", encoding="utf-8") as stream:
        cells = [row["id"] for row in csv.DictReader(stream)]
    assert cells == ["'=1+1", "''=1+1", "'@SUM(1)", "-5", "'tis", "'\tx"]
    assert read_positives(path).to_pylist() == ids


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.integers(0, 10))
def test_any_id_comes_back_and_no_piece_of_a_row_does(tmp_path_factory, ids, cut):
    path = tmp_path_factory.mktemp("marks") / "run.marks.csv"
    lines = as_lines([Mark(id, "positive", "review", "") for id in ids])
    data = (HEADER + lines).encode()
    assert complete_length(data) == len(data)
    path.write_bytes(data[: len(data) - cut] if cut and lines else data)
    expected = ids[:-1] if cut and lines else ids  # a row is longer than ten bytes
    assert [mark.id for mark in read_marks(path)] == expected
