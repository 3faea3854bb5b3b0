"""Every case that ever failed under fuzzing, by what was wrong."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from halflabel.convert import read_graph
from halflabel.convert.columns import edge_columns
from halflabel.errors import DataError
from halflabel.labels import as_positive_mask
from halflabel.thresholds import goal_of


@pytest.fixture
def read(tmp_path):
    def read(edges, nodes=None, **options):
        paths = []
        for name, text in (("edges.csv", edges), ("nodes.csv", nodes)):
            if text is not None:
                (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            paths.append(None if text is None else tmp_path / name)
        return read_graph(*paths, **options)

    return read


def test_a_header_may_hold_a_line_break(read):
    graph = read('"so\nurce",target\na,b\n')
    assert graph.ids.to_arrow().to_pylist() == ["a", "b"]


def test_a_line_of_spaces_before_the_header_is_a_message(read):
    with pytest.raises(DataError, match=r"edges\.csv row 1: blank"):
        read("  \nsource,target\na,b\n")
    with pytest.raises(DataError, match=r"nodes\.csv row 1: blank"):  # not: "the file is empty"
        read("source,target\na,b\n", "  \nid\na\nb\n")
    with pytest.raises(DataError, match=r"nodes\.csv row 1: blank"):
        read("source,target\na,b\n", '""\na\nb\n')


def test_an_endless_name_in_the_header_is_a_message(read):
    with pytest.raises(DataError, match=r"edges\.csv row 1: not a header"):
        read(f"{'a' * 200_000},target\na,b\n")


@pytest.mark.parametrize("more", ["", ",kind"])
def test_an_open_quote_does_not_swallow_the_rest(read, more):
    """Arrow takes the end of the file for the end of the value."""
    with pytest.raises(DataError, match=r"edges\.csv row 3: a quote is opened and never closed"):
        read(f'source,target{more}\na,b{more}\nb,{more[:1]}"c\nc,d{more}\n')


def test_an_open_quote_in_positives_does_not_swallow_the_rest(read, tmp_path):
    graph = read("source,target\na,b\nb,c\n")
    (tmp_path / "known.csv").write_text('id\na\n"b\nc\n')
    with pytest.raises(DataError, match=r"known\.csv row 3: a quote is opened"):
        as_positive_mask(tmp_path / "known.csv", graph)


def test_a_quoted_line_break_in_the_last_value_is_fine(read):
    graph = read('source,target\na,"b\nc"\n')
    assert graph.ids.to_arrow().to_pylist() == ["a", "b\nc"]


def test_weights_that_add_up_to_infinity_are_refused(read):
    with pytest.raises(DataError, match=r"edges\.csv: the column of weights adds up to inf, more"):
        read("source,target,weight\na,b,3e38\na,b,3e38\n")


def test_weights_too_large_for_the_spectral_embedding_are_refused(read):
    """Each fits, the sum over the neighbours of a node does not."""
    with pytest.raises(DataError, match=r"edges\.csv: the column of weights"):
        read("source,target,weight\na,b,3e38\na,c,3e38\n")


def test_a_weight_that_is_zero_in_32_bits_is_an_edge_of_weight_zero(read):
    graph = read("source,target,weight\na,b,1e-60\nb,c,1\n")
    assert graph.n_edges == 1
    assert "dropped 1 edge of weight zero" in graph.notes


def test_one_column_cannot_be_both_ends(read):
    with pytest.raises(DataError, match=r"edges\.csv: column 'source' is named twice"):
        read("source,target\na,b\n", source="source", target="source")
    assert edge_columns(["b", "source"], target="source")[:2] == ("b", "source")
    assert edge_columns(["source", "target"], source="target")[:2] == ("target", "source")


@pytest.mark.parametrize("numbers", [(" 1", " 2"), ("1 ", "2 "), ("1", " 2")])
def test_spaces_around_numbers_do_not_make_them_categories(read, numbers):
    graph = read("source,target\na,b\n", "id,x\na,{}\nb,{}\n".format(*numbers))
    assert graph.X.tolist() == [[1.0], [2.0]]


def test_spaces_around_weights(read):
    assert read("source,target,weight\na,b, 3\n").edge_weight.tolist() == [3.0]


def test_positives_that_are_unknown_all_or_none_name_their_file(read, tmp_path):
    graph = read("source,target\na,b\n")
    for text, message in (("x\n", "1 of 1 ids are not"), ("a\nb\n", "All 2 nodes are positive")):
        (tmp_path / "known.txt").write_text(text)
        with pytest.raises(DataError, match=rf"known\.txt: {message}"):
            as_positive_mask(tmp_path / "known.txt", graph)


@pytest.mark.parametrize("odd", ["a\u2028b", "a\x85b", "a\x0cb", " padded", "pad "])
def test_positives_with_rare_line_breaks_and_spaces_are_one_id(read, tmp_path, odd):
    graph = read(f"source,target\n{odd},b\n{odd.strip()}x,c\n")
    (tmp_path / "known.txt").write_text(f"{odd}\n", encoding="utf-8")
    assert np.flatnonzero(as_positive_mask(tmp_path / "known.txt", graph)).tolist() == [0]


def test_spaces_around_positives_are_no_part_of_them_if_no_id_has_them(read, tmp_path):
    graph = read("source,target\na,b\n")
    (tmp_path / "known.txt").write_text(" a \n")
    assert as_positive_mask(tmp_path / "known.txt", graph).tolist() == [True, False]


def test_a_damaged_archive_of_positives_is_a_message(read, tmp_path):
    graph = read("source,target\na,b\n")
    whole = gzip.compress(b"id\na\n")
    for damaged in (whole[:-1], whole[:-4] + b"\r\0\0\0"):
        (tmp_path / "known.csv.gz").write_bytes(damaged)
        with pytest.raises(DataError, match=r"known\.csv\.gz: cannot be read"):
            as_positive_mask(tmp_path / "known.csv.gz", graph)


def test_long_ids_do_not_fill_the_screen(read):
    with pytest.raises(DataError) as refused:
        read(f"source,target\na,{'b' * 100_000}\n", "id,x\na,1\nc,2\n")
    assert len(str(refused.value)) < 300


def test_an_endless_budget_is_a_message():
    with pytest.raises(DataError, match="a whole number of nodes"):
        goal_of(("budget", float("inf")))


def test_a_column_named_twice_is_one_feature(read):
    assert read("source,target\na,b\n", "id,x\na,1\nb,2\n", features=["x", "x"]).feature_names == ("x",)


@pytest.mark.parametrize("width", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_many_columns_are_read(read, width):
    """The header is longer than the blocks that files are read in."""
    names = ",".join(map("column {}".format, range(width)))
    graph = read(f"source,target,{names}\na,b{',1' * width}\n")
    assert graph.n_edges == 1
    assert len(graph.notes[0]) < 1_000


def test_many_features_are_read(read):
    names = ",".join(map("column {}".format, range(2_000)))
    graph = read("source,target\na,b\n", f"id,{names}\na{',1' * 2_000}\nb{',2' * 2_000}\n")
    assert graph.X.shape == (2, 2_000)


def test_ids_that_are_floats_are_read_without_a_node_table():
    graph = read_graph(pa.table({"source": [1.5, 2.5], "target": [2.5, 3.5]}))
    assert graph.ids.to_arrow().to_pylist() == [1.5, 2.5, 3.5]


def test_not_a_number_is_not_a_node():
    with pytest.raises(DataError, match="edges row 1: source is empty"):
        read_graph(pa.table({"source": [1.5, float("nan")], "target": [2.5, 3.5]}))


@pytest.mark.parametrize("nodes", [None, pa.table({"id": ["a"], "x": [1]})])
def test_lists_are_no_ids(nodes):
    lists = pa.table({"source": [["a"]], "target": [["b"]]})
    with pytest.raises(DataError, match=r"edges: column 'source' has type list<.*Ids are numbers, text"):
        read_graph(lists, nodes)
    with pytest.raises(DataError, match=r"nodes: column 'source' has type list<"):
        read_graph(pa.table({"s": ["a"], "t": ["b"]}), lists, id="source")


def test_ends_of_types_that_do_not_go_together_are_a_message():
    with pytest.raises(DataError, match="edges: ids of type int64 at one end and binary at the other"):
        read_graph(pa.table({"source": [1], "target": [b"\xff"]}))


def test_times_are_not_found_among_dates():
    time = pa.array([1], pa.time64("us"))
    nodes = pa.table({"id": pa.array([1], pa.timestamp("us")), "x": [1]})
    with pytest.raises(DataError, match="edges row 0: source"):
        read_graph(pa.table({"source": time, "target": time}), nodes)


def test_a_data_frame_of_integers_beyond_64_bits_is_a_message():
    with pytest.raises(DataError, match="edges: Python int too large"):
        read_graph(pd.DataFrame({"source": [2**64], "target": [1]}, dtype=object))


def test_complex_positives_are_unknown_ids(read):
    with pytest.raises(DataError, match="1 of 1 ids are not in the graph"):
        as_positive_mask(np.array([1j]), read("source,target\na,b\n"))
