"""halflabel score: new nodes scored by a run, and every refusal."""

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import halflabel as hl

pytestmark = pytest.mark.usefixtures("short_fits")


@pytest.fixture
def run(halflabel, arguments, tmp_path):
    assert halflabel("fit", *arguments, "--method", "naive", "--out", tmp_path / "run").code == 0
    return tmp_path / "run"


@pytest.fixture
def new(tmp_path):
    """new_edges.csv and new_nodes.csv of five nodes, one of them of a strange name."""
    rng = np.random.default_rng(1)
    place = tmp_path / "new"
    place.mkdir()
    ids = ["[red]x[/red]", "new1", "new2", "new3", "new4"]
    write_rows(place / "edges.csv", [("source", "target"), (ids[0], "n01"), ("a,b", ids[1]), (ids[1], ids[2]),
                                     (ids[3], "n02"), (ids[3], "n03")])
    write_rows(place / "nodes.csv", [("id", "age", "income", "city"),
                                     *((name, *row) for name, row in
                                       zip(ids, rng.normal(size=(5, 3)).round(3), strict=True))])
    return place


@pytest.fixture
def words(run, new, tmp_path):
    return ["score", run, new / "edges.csv", "--nodes", new / "nodes.csv", "--out", tmp_path / "s.parquet"]


def write_rows(path, rows):
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_new_nodes_are_scored_and_ranked(halflabel, words, run, new, tmp_path):
    outcome = halflabel(*words)
    assert outcome.code == 0
    assert "5 nodes, 5 directed edges" in outcome.out
    assert "of the 5 new nodes" in outcome.out
    assert "[red]x[/red]" in outcome.out
    table = pyarrow.parquet.read_table(tmp_path / "s.parquet")
    assert table.column_names == ["id", "score", "probability", "rank", "flagged"]
    assert table["rank"].to_pylist() == [1, 2, 3, 4, 5]
    assert set(table["id"].to_pylist()) == {"[red]x[/red]", "new1", "new2", "new3", "new4"}
    opened = hl.open_run(run)
    grown = hl.append(opened.graph, new / "edges.csv", new / "nodes.csv")
    probability = opened.model.predict_proba(grown)[:, 1]
    assert table["probability"].to_pylist() == pytest.approx(sorted(probability, reverse=True))
    flagged = dict(zip(table["id"].to_pylist(), table["flagged"].to_pylist(), strict=True))
    called = opened.model.predict(grown) == 1
    assert [flagged[name] for name in grown.ids.take(grown.nodes)] == called.tolist()


def test_the_run_stays_as_it_was(halflabel, words, run):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    halflabel(*words)
    assert before == {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}


def test_csv_and_a_budget(halflabel, words, tmp_path):
    outcome = halflabel(*words[:-1], tmp_path / "s.csv", "--threshold", "budget:2")
    assert "2 of the 5 new nodes are flagged" in outcome.out
    with (tmp_path / "s.csv").open(newline="", encoding="utf-8") as stream:
        assert [row["flagged"] for row in csv.DictReader(stream)] == ["true"] * 2 + ["false"] * 3


def test_json(halflabel, words, new):
    edited(new / "nodes.csv", "id,age", "id,shoe,age")
    text = (new / "nodes.csv").read_text().splitlines()
    (new / "nodes.csv").write_text("\n".join([text[0], *(line.replace(",", ",9,", 1) for line in text[1:])]))
    outcome = halflabel(*words, "--json")
    answer = json.loads(outcome.out)
    assert (answer["nodes"], answer["drift"]) == (5, [])
    assert answer["notes"] == ["nodes.csv: columns never seen before are not used: 'shoe'"]
    assert outcome.err == ""


def test_drift_is_told(halflabel, words, new):
    edited(new / "nodes.csv", "new1,", "new1,9e9,")
    edited(new / "nodes.csv", "age,income,city", "age,income,city,more")
    lines = (new / "nodes.csv").read_text(encoding="utf-8").splitlines()
    full = [line if line.count(",") == 4 else f"{line},0" for line in lines]
    (new / "nodes.csv").write_text("\n".join(full), encoding="utf-8")
    outcome = halflabel(*words)
    assert outcome.code == 0
    assert "unlike those that were fitted: age (" in outcome.out
    assert "age" in json.loads(halflabel(*words, "--json").out)["drift"][0]


def test_a_graph_of_its_own(halflabel, words, new, tmp_path):
    edited(new / "edges.csv", "n01", "new4")
    outcome = halflabel(*words, "--alone")
    assert outcome.code == 3
    assert "row 3: source 'a,b' is not in nodes.csv (5 ids)" in outcome.err
    assert halflabel(*words, "--alone", "--unknown-nodes", "drop").code == 0
    assert pyarrow.parquet.read_table(tmp_path / "s.parquet").num_rows == 5


def test_a_run_without_features_needs_no_table(halflabel, files, new, tmp_path):
    run, out = tmp_path / "bare", tmp_path / "s.parquet"
    words = [files / "edges.csv", "--positives", files / "known.txt", "--method", "naive"]
    assert halflabel("fit", *words, "--out", run).code == 0
    assert halflabel("score", run, new / "edges.csv", "--out", out).code == 0
    found = set(pyarrow.parquet.read_table(out)["id"].to_pylist())
    assert {"[red]x[/red]", "new1", "new2", "new3"} <= found
    assert "new4" not in found  # it has no edges
    listed = ["--nodes", new / "nodes.csv", "--unknown-nodes", "drop"]
    assert halflabel("score", run, new / "edges.csv", *listed, "--out", out).code == 0
    assert pyarrow.parquet.read_table(out).num_rows == 5
    alone = halflabel("score", run, new / "edges.csv", "--alone", "--out", out)
    assert (alone.code, "its structure stood in" in alone.err) == (3, True)


@pytest.mark.parametrize(("change", "message"), [
    (("nodes.csv", "id,age", "id,agee"), "nodes.csv: no column 'age'. Did you mean 'agee'?"),
    (("nodes.csv", "new1,", "new1,old"), "nodes.csv: column 'age' must hold numbers; row 3 has 'old"),
    (("nodes.csv", "new2", "n01"), "1 node of the fitted graph with other features than then: 'n01'"),
    (("edges.csv", "n02", "nobody"), "target 'nobody' is not in nodes.csv or the fitted graph (45 ids)"),
])
def test_bad_files(halflabel, words, new, tmp_path, change, message):
    if change[2] == "n01":
        edited(new / "edges.csv", "new2", "new4")
    edited(new / change[0], *change[1:])
    outcome = halflabel(*words)
    assert outcome.code == 3
    assert message in " ".join(outcome.err.split())
    assert not (tmp_path / "s.parquet").exists()


def test_missing_values_name_the_option(halflabel, words, new):
    text = (new / "nodes.csv").read_text().splitlines()
    first = text[1].split(",")
    (new / "nodes.csv").write_text("\n".join([text[0], ",".join([first[0], "", *first[2:]]), *text[2:]]))
    outcome = halflabel(*words)
    assert (outcome.code, "--missing mean" in outcome.err) == (3, True)
    assert halflabel(*words, "--missing", "mean").code == 0


def test_the_table_of_nodes_is_asked_for(halflabel, words):
    outcome = halflabel(*words[:3], *words[5:])
    assert (outcome.code, "(--nodes)" in outcome.err) == (3, True)


def test_places_that_would_lose_something_are_refused(halflabel, words, run, new, tmp_path):
    (tmp_path / "d.csv").mkdir()
    for place, message in ((run / "scores.parquet", "in the directory of the run"),
                           (tmp_path / "d.csv", "is a directory"),
                           (new / "nodes.csv", "one of the files to be read")):
        outcome = halflabel(*words[:-1], place)
        assert (outcome.code, message in outcome.err) == (3, True)
    assert halflabel(*words[:-1], tmp_path / "s.txt").code == 2
    assert halflabel("score", tmp_path / "nowhere", *words[2:]).code == 3


def test_a_method_for_one_graph_only_says_so(halflabel, arguments, words, run):
    halflabel("fit", *arguments, "--method", "labelprop", "--out", run)
    outcome = halflabel(*words)
    assert outcome.code == 3
    assert "scores only the graph it was fitted on" in outcome.err
