"""halflabel convert: a stored graph in place of the tables, for every command."""

import json

import pytest

import halflabel as hl


@pytest.fixture
def stored(halflabel, files, tmp_path):
    out = tmp_path / "stored.graph"
    outcome = halflabel("convert", files / "edges.csv", "--nodes", files / "nodes.csv", "--out", out)
    assert outcome.code == 0
    assert "40 nodes" in outcome.out
    assert f"halflabel check {out} --positives" in outcome.out.replace("\n", " ")
    assert outcome.err == ""
    return out


def test_every_command_takes_it_for_the_edge_table(halflabel, stored, files, arguments, tmp_path, short_fits):
    known = ["--positives", files / "known.txt"]
    assert "Usable." in halflabel("check", stored, *known, "--files-only").out
    for name, given in (("tables", arguments), ("stored", [stored, *known])):
        assert halflabel("fit", *given, "--method", "gpl", "--out", tmp_path / name).code == 0
    first, second = ((tmp_path / name / "scores.csv").read_bytes() for name in ("tables", "stored"))
    assert first == second
    record = json.loads((tmp_path / "stored" / "run.json").read_text())
    assert record["data"]["edges"]["path"] == str(stored / "graph.json")


def test_it_is_the_graph_of_the_tables(stored, files):
    tables = hl.read_graph(files / "edges.csv", files / "nodes.csv")
    assert hl.load_graph(stored).indices.tolist() == tables.indices.tolist()


def test_tables_beside_it_are_refused(halflabel, stored, arguments):
    outcome = halflabel("check", stored, *arguments[1:])
    assert outcome.code == 3
    assert "nodes can have no effect" in outcome.err


def test_results_do_not_replace_a_graph(halflabel, stored, files):
    known = ["--positives", files / "known.txt"]
    assert halflabel("fit", stored, *known, "--out", stored).code == 3
    assert (stored / "graph.json").exists()


def test_a_place_in_use_is_refused_before_reading(halflabel, files):
    outcome = halflabel("convert", "no-such.csv", "--out", files)
    assert outcome.code == 3
    assert "exists and is not a stored graph" in outcome.err
