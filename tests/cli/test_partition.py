"""halflabel partition, and fit --distributed by one process; several are in tests/distributed."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

import halflabel as hl


@pytest.fixture
def parts(halflabel, files):
    outcome = halflabel("partition", files / "edges.csv", files / "parts", "--nodes", files / "nodes.csv",
                        "--parts", 1)
    assert outcome.code == 0, outcome.err
    return files / "parts"


def test_parts_are_described(halflabel, files):
    outcome = halflabel("partition", files / "edges.csv", files / "parts", "--nodes", files / "nodes.csv",
                        "--parts", 2, "--how", "contiguous")
    assert outcome.code == 0
    assert "40 nodes" in outcome.out
    assert "2 parts, contiguous" in outcome.out
    assert "torchrun --nproc-per-node 2" in outcome.out
    assert {path.name for path in (files / "parts").iterdir()} == {"parts.json", "part-00000", "part-00001"}


@pytest.mark.parametrize(("method", "alone", "rounding"), [
    ("auto", hl.Auto(epochs=3), 1e-6), ("gpl", hl.GPL(warmup=4, epochs=3), 0),
], ids=["auto", "gpl"])
@pytest.mark.usefixtures("short_fits")
def test_a_run_directory_like_any_other(halflabel, parts, files, method, alone, rounding):
    out = files.parent / "run"
    outcome = halflabel("fit", parts, "--positives", files / "known.txt", "--distributed", "--out", out,
                        "--method", method)
    assert outcome.code == 0, outcome.err
    assert f"Answer, by {method}" in outcome.out
    assert "model/" in outcome.out
    assert "graph/" not in outcome.out  # of which nobody has the whole
    graph = hl.read_graph(files / "edges.csv", nodes=files / "nodes.csv")
    known = np.isin(graph.ids.to_arrow().to_pylist(), (files / "known.txt").read_text().splitlines())
    model = alone.fit(graph, known)
    record = json.loads((out / "run.json").read_text())
    assert record["prior"] == pytest.approx(model.prior_, rel=0, abs=rounding)
    assert record["counts"]["edges"] == graph.n_edges
    assert record["counts"]["known_positives"] == 8
    scores = pq.read_table(out / "scores.parquet").to_pylist()
    place = {name: i for i, name in enumerate(graph.ids.to_arrow().to_pylist())}
    expected = model.scores_[[place[row["id"]] for row in scores]]
    np.testing.assert_allclose([row["score"] for row in scores], expected, rtol=0, atol=rounding)
    edges = pq.read_table(out / "edges.parquet").to_pylist()
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    weight = dict(zip(zip(source, graph.indices, strict=True), model.edge_weight_, strict=True))
    assert len(edges) == graph.n_edges
    for edge in edges:
        ends = place[edge["source"]], place[edge["target"]]
        assert edge["weight"] == pytest.approx(weight[ends], rel=0, abs=rounding)
    assert not out.with_name("run.checkpoints").exists()
    fresh = hl.read_graph(files / "edges.csv", nodes=files / "nodes.csv")
    again = hl.load(out / "model").predict_proba(fresh)
    np.testing.assert_allclose(again, model.predict_proba(fresh), atol=1e-6)


@pytest.mark.parametrize(("more", "message"), [
    (["--nodes", "nodes.csv"], "--nodes: tables are read by halflabel partition"),
    (["--missing", "mean"], "--missing: tables are read by halflabel partition"),
    (["--unknown-nodes", "drop"], "--unknown-nodes: tables are read by halflabel partition"),
    (["--method", "nnpu"], "NNPU needs the whole graph in one process; several fit Auto, GPL, Naive"),
    (["--method", "gpl", "--backbone", "arma"], "backbone='arma' needs the whole graph in one process"),
])
def test_what_is_refused(halflabel, parts, files, more, message):
    outcome = halflabel("fit", parts, "--positives", files / "known.txt", "--distributed",
                        "--out", files.parent / "run", *more)
    assert outcome.code == 3
    assert message in outcome.err


def test_a_file_is_no_partitioned_graph(halflabel, files):
    outcome = halflabel("fit", files / "edges.csv", "--positives", files / "known.txt", "--distributed",
                        "--out", files.parent / "run")
    assert outcome.code == 3
    assert "expected a directory that halflabel partition wrote" in outcome.err


@pytest.mark.parametrize("more", [["--patience", "60"]])
def test_options_of_several_processes_are_refused_in_one(halflabel, files, more):
    outcome = halflabel("fit", files / "edges.csv", "--positives", files / "known.txt",
                        "--out", files.parent / "run", *more)
    assert outcome.code == 3
    assert "is for fits by several processes. Add --distributed" in outcome.err


def test_parts_are_no_edge_table(halflabel, parts, files):
    outcome = halflabel("fit", parts, "--positives", files / "known.txt", "--out", files.parent / "run")
    assert outcome.code == 3
    assert "the parts of a graph, for several processes" in outcome.err
