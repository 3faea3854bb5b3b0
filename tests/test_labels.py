"""Positives in every form give the same mask."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.labels import as_positive_mask, hide_positives, read_positives

WANTED = [True, False, True, False]


@pytest.fixture
def graph():
    return Graph.from_edges([0, 1, 2], [1, 2, 3], np.eye(4), ids=NodeIds(["a", "b", "c", "d"]))


@pytest.fixture
def numbered():
    return Graph.from_edges([0, 1, 2], [1, 2, 3], np.eye(4), ids=NodeIds([10, 11, 12, 13]))


@pytest.mark.parametrize("positives", [
    WANTED, np.array(WANTED), torch.tensor(WANTED), pd.Series(WANTED), pl.Series(WANTED), pa.array(WANTED),
    pd.Series(WANTED, dtype=object), [1, 0, 1, 0], [1.0, -1.0, 1.0, -1.0], np.array([1, 0, 1, 0], np.uint8),
    torch.tensor([1, -1, 1, -1]), pa.chunked_array([[1, 0], [1, 0]]), (1, 0, 1, 0),
    ["c", "a", "a"], {"a", "c"}, np.array(["a", "c"]), pd.Series(["a", "c"], index=[7, 9]),
    pa.array(["a", "c"]), {"a": 1, "c": 1}.keys(),
])
def test_every_form_gives_the_same_mask(graph, positives):
    mask = as_positive_mask(positives, graph)
    assert mask.dtype == bool
    assert mask.tolist() == WANTED


@pytest.mark.parametrize("positives", [
    [10, 12], ["10", "12"], np.array([12, 10]), torch.tensor([10, 12]), {10.0, 12.0},
])
def test_numbers_can_be_ids(numbered, positives):
    assert as_positive_mask(positives, numbered).tolist() == WANTED


def test_numbers_of_which_some_are_neither_label_are_ids_however_many(numbered):
    assert as_positive_mask([10, 12, 12, 10], numbered).tolist() == WANTED
    by_position = Graph.from_edges([0, 1, 2], [1, 2, 3], np.eye(4))
    assert as_positive_mask([0, 1], by_position).tolist() == [True, True, False, False]


def test_the_mask_is_a_copy(graph):
    given_mask = np.array(WANTED)
    as_positive_mask(given_mask, graph)[:] = False
    assert given_mask.tolist() == WANTED


def test_focus(graph):
    part = graph[[2, 1]]
    assert as_positive_mask(["a", "c"], part).tolist() == [True, False]
    assert as_positive_mask([0, 1], part).tolist() == [False, True]
    with pytest.raises(DataError, match="None of the 2 nodes is positive"):
        as_positive_mask(["a"], part)


@pytest.mark.parametrize(("positives", "message"), [
    ([1, 0, -1, 1], r"^y contains 1, 0 and -1. Positive-unlabelled labels have two values; pass y == 1.$"),
    ([1, np.nan, 1, np.nan], "y has 2 missing values. .* pass y == 1"),
    ([True, False], "a mask of 2 values for 4 nodes"),
    ([1, 0, 0, 1, 0], "y has 5 values for 4 nodes"),
    ([1, 0, 1], "y has 3 values for 4 nodes"),
    ([0, 0, 0, 0], "^None of the 4 nodes is positive"),
    ([], "None of the 4 nodes is positive"),
    ([1, 1, 1, 1], "All 4 nodes are positive: nothing is left to find"),
    (["a", "b", "c", "d"], "All 4 nodes are positive"),
    (np.eye(4), r"expected a list of values; got an array of shape \(4, 4\)"),
    (7, "expected a mask, labels, ids or a path; got int"),
    ({"a": 1}, "got dict"),
    ([5, 6], "positives: 2 of 2 ids are not in the graph: 5, 6. Are ids strings"),
    (np.array([5, 6]), "not in the graph: 5, 6"),
    (pa.array(["a", "x1"]), "1 of 2 ids are not in the graph: 'x1'"),
])
def test_bad_positives_are_named(graph, positives, message):
    with pytest.raises(DataError, match=message):
        as_positive_mask(positives, graph)


def test_unknown_ids_are_quoted(graph):
    with pytest.raises(DataError) as error:
        as_positive_mask(["a", "x1", "x9", "y3", "z7"], graph)
    assert str(error.value) == (
        "positives: 4 of 5 ids are not in the graph: 'x1', 'x9', 'y3', 'z7'. "
        "Are ids strings in one file and integers in the other?"
    )


@pytest.mark.parametrize(("name", "content"), [
    ("known.txt", b"\xef\xbb\xbfa\r\n\r\nc\r\n"),
    ("known.csv", b"score,id\n1,a\n2,c\n"),
    ("known.tsv", b"who\tx\na\t1\nc\t2\n"),
])
def test_files(graph, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert as_positive_mask(tmp_path / name, graph).tolist() == WANTED
    assert as_positive_mask(str(tmp_path / name), graph).tolist() == WANTED


def test_files_of_integers(numbered, tmp_path):
    (tmp_path / "known.txt").write_text("10\n12\n")
    assert as_positive_mask(tmp_path / "known.txt", numbered).tolist() == WANTED
    pyarrow.parquet.write_table(pa.table({"node": [10, 12]}), tmp_path / "known.parquet")
    assert as_positive_mask(tmp_path / "known.parquet", numbered).tolist() == WANTED


def test_spaces_around_an_id_in_a_file_are_no_part_of_it_unless_the_graph_has_them(tmp_path):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], np.eye(4), ids=NodeIds([" a", "a", "b", "c"]))
    (tmp_path / "known.txt").write_text(" a\n b \n")
    assert as_positive_mask(tmp_path / "known.txt", graph).tolist() == [True, False, True, False]


@pytest.mark.parametrize(("name", "content", "message"), [
    ("known.txt", b"\n\n", "known.txt: no ids"),
    ("known.txt", b"\xff\xfe", "known.txt: not UTF-8"),
    ("known.csv", b"id\n", r"known.csv: a header \(id\) but no rows"),
])
def test_bad_files_are_named(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_positives(tmp_path / name)
    with pytest.raises(DataError, match="does not exist"):
        read_positives(tmp_path / "none.txt")


@given(st.lists(st.sampled_from(["x", "y", "z"]), min_size=4), st.integers(50, 100), st.integers(0, 99))
def test_hidden_positives_are_a_share_of_the_largest_class(y, percent, seed):
    y, ratio = np.array(y), percent / 100
    mask = hide_positives(y, ratio=ratio, random_state=seed)
    [chosen] = set(y[mask])
    size = np.count_nonzero(y == chosen)
    assert size == max(np.count_nonzero(y == name) for name in "xyz")
    assert mask.sum() == percent * size // 100, "whatever floating point makes of .29 times 100"
    assert np.array_equal(mask, hide_positives(y, ratio=ratio, random_state=seed))


def test_half_of_the_positives_stay_known_by_default_and_always_the_same():
    y = np.repeat([0, 1], [20, 30])
    assert np.array_equal(hide_positives(y), hide_positives(y, ratio=0.5, random_state=0))
    assert hide_positives(y).sum() == 15


def test_hide_positives_of_a_chosen_class():
    y = torch.tensor([0, 0, 0, 1, 1])
    assert hide_positives(y, ratio=1, positive_class=1).tolist() == [False, False, False, True, True]


@pytest.mark.parametrize(("y", "options", "message"), [
    ([0, 1], {"ratio": 0}, "ratio=0: expected a share"),
    ([0, 1], {"ratio": 1.5}, "ratio=1.5: expected a share"),
    ([0, 1], {"ratio": float("nan")}, "ratio=nan"),
    ([0, 1], {"ratio": 0.5}, "ratio=0.5 of 1 positives leaves none known"),
    ([0, 1], {"positive_class": 3}, "positive_class=3 does not occur in y. There is: 0, 1"),
    ([], {}, "y is empty"),
])
def test_bad_splits_are_named(y, options, message):
    with pytest.raises(DataError, match=message):
        hide_positives(y, **options)
