"""Tables from files and frames: ids come through, faults are named."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from halflabel.convert.columns import edge_columns, feature_columns, id_column
from halflabel.convert.tables import NamedTable, as_table, is_frame, read_table
from halflabel.convert.textfiles import parse_text
from halflabel.errors import DataError

HARD_IDS = ["001", "1e5", "9223372036854775808", "NA", "null", "true", "2020-01-01", " padded"]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(("name", "delimiter"), [
    ("a.csv", ","), ("a.TSV", "\t"), ("a.txt", "\t"), ("b.txt", ","),
])
def test_text_stays_text(write, name, delimiter):
    path = write(name, f"id{delimiter}x\n" + "".join(f"{value}{delimiter}1\n" for value in HARD_IDS))
    assert read_table(path)["id"].to_pylist() == HARD_IDS


def test_compressed_parquet_bom_crlf_and_quotes(write, tmp_path):
    text = b'\xef\xbb\xbfid,name \r\n1,"a, ""b""\nc"\r\n'
    wanted = [{"id": "1", "name": 'a, "b"\nc'}]
    assert read_table(write("a.csv", text)).to_pylist() == wanted
    assert read_table(write("a.csv.gz", gzip.compress(text))).to_pylist() == wanted
    pyarrow.parquet.write_table(pa.table({"id": [1]}), tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").to_pylist() == [{"id": 1}]


@pytest.mark.parametrize(("name", "content", "message"), [
    ("a.xlsx", "x", r"a.xlsx: cannot read '.xlsx'. Give .csv"),
    ("noext", "x", "cannot read 'a file without extension'"),
    ("a.csv", "", "a.csv: the file is empty"),
    ("a.csv", "\n\n", "a.csv: the file is empty"),
    ("a.csv", "id,x\n", r"a.csv: a header \(id, x\) but no rows"),
    ("a.csv", "id,x\n1,2\n1,2,3\n", "a.csv row 3: 3 values where the header has 2 columns"),
    ("a.csv", b"id,x\n1,2\n\xff,2\n", "a.csv row 3: not UTF-8"),
    ("a.csv", "id,x\n1,2\n".encode("utf-16"), "a.csv row 1: not UTF-8"),
    ("a.csv", "id,x,id\n1,2,3\n", "a.csv: column names must be unique; repeated: 'id'"),
    ("a.csv", "1,2\n1,3\n", r"first row \(1, 2\) holds numbers, not names. Add a header"),
    ("a.csv.gz", "id\n1\n", "a.csv.gz: cannot be read"),
    ("a.parquet", "nonsense", "a.parquet: not a readable Parquet file"),
])
def test_bad_files_are_named(write, name, content, message):
    with pytest.raises(DataError, match=message):
        read_table(write(name, content))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none.csv: the file does not exist \(looked in"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(DataError, match="is a directory"):
        read_table(tmp_path)


def test_parsing_is_all_or_nothing_for_a_column():
    table = pa.table({
        "number": ["1e5", "NaN", "-3"],
        "flag": ["true", "False", ""],
        "day": ["2020-01-01", "", "2020-01-02"],
        "text": ["1", "2", "x"], "empty": ["", "NA", ""],
    })
    parsed = parse_text(table)
    assert parsed.schema.types == [pa.float64(), pa.bool_(), pa.timestamp("s"), pa.string(), pa.null()]
    assert parsed["number"].to_pylist() == [1e5, None, -3]
    assert parsed["text"].to_pylist() == ["1", "2", "x"]


@pytest.mark.parametrize("frame", [
    pd.DataFrame({"id": ["a", "b"], "x": [1.0, np.nan]}),
    pl.DataFrame({"id": ["a", "b"], "x": [1.0, None]}),
    pa.table({"id": ["a", "b"], "x": [1.0, None]}),
    pa.record_batch({"id": ["a", "b"], "x": [1.0, None]}),
])
def test_every_frame_is_the_same_table(frame):
    assert as_table(frame).to_pylist() == [{"id": "a", "x": 1.0}, {"id": "b", "x": None}]
    assert is_frame(frame)


def test_a_pandas_index_of_ids_is_kept():
    frame = pd.DataFrame({"x": [1, 2]}, index=["a", "b"])
    assert as_table(frame).column_names == ["id", "x"]
    assert as_table(frame.rename_axis("who")).column_names == ["who", "x"]
    assert as_table(frame.reset_index(drop=True)[1:]).column_names == ["x"]
    assert as_table(pd.DataFrame({0: [1], "b": [2]})).column_names == ["0", "b"]
    assert list(frame.columns) == ["x"]


def test_bad_frames_are_named():
    with pytest.raises(DataError, match="nodes: Conversion failed for column a with type object"):
        as_table(pd.DataFrame({"a": ["x", 1]}), "nodes")
    with pytest.raises(DataError, match="repeated: 'a'"):
        as_table(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(DataError, match=r"got LazyFrame. Call .collect\(\) first"):
        as_table(pl.DataFrame({"a": [1]}).lazy())
    with pytest.raises(DataError, match="edges: the table has no rows"):
        NamedTable.open(pd.DataFrame({"a": []}), "edges")


def test_numbers_of_a_column(write):
    table = NamedTable.open(write("edges.csv", "s,w\na,1\nb,\nc,heavy\n"), "edges")
    with pytest.raises(DataError, match=r"edges.csv: column 'w' must hold numbers; row 4 has 'heavy'\."):
        table.numbers("w")
    with pytest.raises(DataError, match="its type is bool"):
        NamedTable(pa.table({"w": [True]}), "edges").numbers("w")
    assert NamedTable(pa.table({"w": [2, 3]}), "edges").numbers("w").tolist() == [2.0, 3.0]


def test_columns_are_recognised():
    assert edge_columns(["id", "Target", "SRC"])[:3] == ("SRC", "Target", None)
    assert edge_columns(["a", "b", "c"], source="c") == ("c", "a", None, ["b"])
    assert edge_columns(["from", "x"])[:2] == ("from", "x")
    assert id_column(["x", "NAME"]) == "NAME"
    assert feature_columns(["a", "b", "Class"], ignore=["b"])[0] == ["a"]
    assert feature_columns(["a", "b"], features=["b", "a"], ignore=["a"]) == (["b"], [])


def test_unknown_columns_are_named():
    message = r"e.csv: no column 'wieght'. Did you mean 'weight'\? There is: a, b, weight"
    with pytest.raises(DataError, match=message):
        edge_columns(["a", "b", "weight"], weight="wieght", where="e.csv")
    with pytest.raises(DataError, match=r"e.csv: edges need two columns, source and target; there is: a;b"):
        edge_columns(["a;b"], where="e.csv")
    with pytest.raises(DataError, match=r"n.csv: no column 'ID'"):
        id_column(["id"], "ID", where="n.csv")
    with pytest.raises(DataError, match=r"features='a': give a list of columns, features=\['a'\]"):
        feature_columns(["a"], features="a")
