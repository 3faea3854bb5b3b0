"""An id that a spreadsheet would run is text in scores.csv, is exact in Parquet, and is read back."""

import csv

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import halflabel as hl
from halflabel.files.formulas import guard, unguard
from halflabel.ids import NodeIds
from halflabel.run.store import write_run

IDS = ['=HYPERLINK("x")', "+1+1", "-2+3", "@SUM(1)", "-5", "'=x", "plain", "'tis", "=a,b", "-"]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    rng = np.random.default_rng(0)
    ids = NodeIds([*IDS, *(f"n{i}" for i in range(20))])
    graph = hl.Graph.from_edges(*rng.integers(30, size=(2, 90)), rng.random((30, 3)), ids=ids)
    known = np.arange(30) < 10
    model = hl.Naive(epochs=1, hidden=4, folds=2).fit(graph, known)
    place = tmp_path_factory.mktemp("csv") / "run"
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return graph, known, place


def test_no_cell_is_a_formula_and_parquet_is_exact(written):
    _, _, place = written
    with (place / "scores.csv").open(newline="", encoding="utf-8") as stream:
        found = {row["id"] for row in csv.DictReader(stream)}
    assert {"'=HYPERLINK(\"x\")", "'+1+1", "'-2+3", "'@SUM(1)", "-5", "''=x", "plain", "'tis"} <= found
    assert not [cell for cell in found if cell[0] in "=+@" or (cell[0] == "-" and cell != "-5")]
    assert set(IDS) <= set(pyarrow.parquet.read_table(place / "scores.parquet")["id"].to_pylist())


@pytest.mark.parametrize("name", ["scores.csv", "scores.parquet"])
def test_positives_are_read_back_from_the_scores(written, tmp_path, name):
    graph, known, place = written
    table = hl.open_run(place).scores
    table = table.filter(table["known_positive"]).select(["id"])
    if name.endswith("csv"):
        rows = (place / name).read_text(encoding="utf-8").splitlines()
        (tmp_path / name).write_text("\n".join([rows[0], *(row for row in rows if ",true," in row)]))
    else:
        pyarrow.parquet.write_table(table, tmp_path / name)
    assert (hl.Naive(epochs=1, hidden=4, folds=2).fit(graph, tmp_path / name)._known == known).all()


def test_an_id_that_the_graph_has_stands_for_itself(tmp_path):
    graph = hl.Graph.from_edges([0, 1], [1, 2], np.eye(12), ids=NodeIds(["'=x", *map(str, range(11))]))
    (tmp_path / "known.txt").write_text("'=x\n1\n2\n3\n")
    model = hl.Naive(epochs=1, hidden=4, folds=2).fit(graph, tmp_path / "known.txt")
    assert np.flatnonzero(model._known).tolist() == [0, 2, 3, 4]


@given(st.lists(st.text(st.sampled_from("'=+-@\t\ra5.e\uff1d"), max_size=5)))
def test_guarding_is_undone_exactly(texts):
    column = pa.array(texts, pa.string())
    assert unguard(guard(pa.table({"id": column}))["id"].combine_chunks()).to_pylist() == texts


def test_numbers_are_left_alone():
    table = pa.table({"id": [-5, 6], "score": [-1.5, 2.0]})
    assert guard(table) is table or guard(table).equals(table)
