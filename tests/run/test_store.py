"""Run directories: complete, consistent, and never half there."""

import csv
import json
import subprocess
import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import halflabel as hl
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.progress import meter
from halflabel.run.destination import RUN_FILES, check_destination
from halflabel.run.machine import InputFile
from halflabel.run.ranking import score_table
from halflabel.run.record import RunRecord
from halflabel.run.store import _write_history, edge_table, write_run


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    ends = rng.integers(60, size=(200, 2))
    graph = Graph.from_edges(*ends.T, rng.normal(size=(60, 4)), ids=NodeIds(np.arange(1000, 1060)))
    known = np.zeros(60, dtype=bool)
    known[::6] = True
    return graph, hl.GPL(warmup=4, epochs=3).fit(graph, known), known


def write(place, fitted, seconds=1.0):
    return write_run(place, *fitted, seconds=seconds, inputs={})


@pytest.mark.parametrize("verbose", [False, True])
def test_progress_is_shown_if_somebody_wants_it(tmp_path, fitted, capfd, monkeypatch, verbose):
    monkeypatch.setattr("halflabel.run.store.meter", partial(meter, patience=0.0))
    write_run(tmp_path / "run", *fitted, seconds=1.0, inputs={}, **({"verbose": True} if verbose else {}))
    said = capfd.readouterr().err.splitlines()
    assert said == ([f"writing the run: {share} %" for share in (20, 40, 60, 80)] if verbose else [])


def test_what_is_in_a_run(tmp_path, fitted):
    graph, model, known = fitted
    record = write(tmp_path / "run", fitted)
    place = tmp_path / "run"
    assert {path.name for path in place.iterdir()} == RUN_FILES
    table = pyarrow.parquet.read_table(place / "scores.parquet")
    assert table.column_names == ["id", "score", "probability", "rank", "known_positive", "flagged",
                                  "out_of_fold", "fold"]
    assert table["id"].type == pa.int64()
    ranks = table["rank"].to_pylist()
    assert ranks == [*range(1, 51), *[None] * 10]
    assert table["known_positive"].to_pylist() == [False] * 50 + [True] * 10
    unlabelled = table["score"].to_numpy()[:50]
    assert (np.diff(unlabelled) <= 0).all()
    flagged = table["flagged"].to_numpy()
    assert flagged.sum() == record.counts["flagged"] == (model.predict() == 1)[~known].sum()
    assert flagged[: flagged.sum()].all()
    by_id = dict(zip(table["id"].to_pylist(), table["score"].to_pylist(), strict=True))
    assert [by_id[i] for i in graph.ids.take(graph.nodes)] == model.scores_.tolist()
    edges = pyarrow.parquet.read_table(place / "edges.parquet")
    assert edges.column_names == ["source", "target", "weight"]
    assert edges["weight"].to_pylist() == model.edge_weight_.tolist()
    assert edges["source"].type == pa.int64()
    assert (hl.load(place / "model").scores_ == model.scores_).all()


def test_csv_says_what_parquet_says(tmp_path, fitted):
    write(tmp_path / "run", fitted)
    with (tmp_path / "run" / "scores.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["id", "score", "probability", "rank", "known_positive", "flagged"]
    table = pyarrow.parquet.read_table(tmp_path / "run" / "scores.parquet").to_pylist()
    for text, row in zip(rows, table, strict=True):
        assert int(text["id"]) == row["id"]
        assert np.float32(text["score"]) == np.float32(row["score"])
        assert float(text["probability"]) == row["probability"]
        assert text["rank"] == ("" if row["rank"] is None else str(row["rank"]))
        assert text["flagged"] == str(row["flagged"]).lower()


def test_record_and_history(tmp_path, fitted):
    (tmp_path / "edges.csv").write_text("source,target\n")
    inputs = {"edges": InputFile.of(tmp_path / "edges.csv")}
    write_run(tmp_path / "run", *fitted, seconds=2.5, inputs=inputs)
    raw = json.loads((tmp_path / "run" / "run.json").read_text())
    assert raw.keys() >= {"prior", "prior_low", "prior_high", "threshold", "method", "parameters", "versions",
                          "seed", "data", "seconds", "peak_memory_bytes", "notes", "counts"}
    record = RunRecord.read(tmp_path / "run")
    graph, model, _ = fitted
    assert (record.prior, record.threshold, record.seconds) == (model.prior_, model.threshold_, 2.5)
    assert record.prior_low <= record.prior <= record.prior_high
    assert record.data["edges"]["sha256"] == InputFile.of(tmp_path / "edges.csv").sha256
    assert record.versions.keys() == {"halflabel", "torch", "numpy", "sklearn", "python"}
    assert record.counts["unlabelled"] + record.counts["known_positives"] == graph.n_nodes
    with (tmp_path / "run" / "history.csv").open(newline="") as stream:
        history = list(csv.DictReader(stream))
    assert [int(row["epoch"]) for row in history] == list(range(7))
    assert history[0]["prior"] == ""
    assert float(history[-1]["prior"]) == model.history_[-1]["prior"]


def contents(place):
    return {path.relative_to(place): path.read_bytes() for path in place.rglob("*") if path.is_file()}


@pytest.mark.parametrize("step", ["render_report", "_write_history", "edge_table"])
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failed_write_leaves_the_earlier_run(tmp_path, fitted, monkeypatch, step, error):
    def fail(*args):
        raise error

    write(tmp_path / "run", fitted)
    before = contents(tmp_path / "run")
    monkeypatch.setattr(f"halflabel.run.store.{step}", fail)
    with pytest.raises(error):
        write(tmp_path / "run", fitted, seconds=9.0)
    with pytest.raises(error):
        write(tmp_path / "fresh", fitted)
    assert contents(tmp_path / "run") == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_killed_write_leaves_the_earlier_run(tmp_path, fitted):
    write(tmp_path / "run", fitted)
    before = contents(tmp_path / "run")
    script = """
import os, signal, sys
import halflabel as hl, halflabel.run.store as store
from halflabel.datasets import payments, payments_positives
store.render_report = lambda *args: os.kill(os.getpid(), signal.SIGKILL)
graph, y = payments()
known = payments_positives(y)
model = hl.GPL(warmup=1, epochs=1).fit(graph, known)
store.write_run(sys.argv[1], graph, model, known, seconds=1.0, inputs={})
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "run")], check=False)
    assert done.returncode == -9
    assert contents(tmp_path / "run") == before
    write(tmp_path / "run", fitted, seconds=7.0)
    assert RunRecord.read(tmp_path / "run").seconds == 7.0


def test_destinations_that_would_lose_something(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("x")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text('{"versions": {"halflabel": "0.1.0"}}')
    assert check_destination(tmp_path / "run") == tmp_path / "run"
    assert check_destination(tmp_path / "new" / "deep") == tmp_path / "new" / "deep"
    with pytest.raises(DataError, match=r"is a file\. Results are a directory"):
        check_destination(file)
    with pytest.raises(DataError, match="is a file, so nothing can be written below it"):
        check_destination(file / "run")
    with pytest.raises(DataError, match=r"holds the input .*scores\.csv, which would be lost"):
        check_destination(tmp_path / "run", [tmp_path / "run" / "scores.csv"])
    (tmp_path / "run" / "notes.md").write_text("mine")
    with pytest.raises(DataError, match=r"holds 'notes.md' beside an earlier run"):
        check_destination(tmp_path / "run")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "run.json").write_text('{"name": "something else"}')
    with pytest.raises(DataError, match="is not an earlier run"):
        check_destination(tmp_path / "other")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(DataError, match="is the current directory"):
        check_destination(".")


def test_a_link_to_a_run_stays_a_link(tmp_path, fitted):
    write(tmp_path / "real", fitted)
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", fitted, seconds=5.0)
    assert (tmp_path / "link").is_symlink()
    assert RunRecord.read(tmp_path / "real").seconds == 5.0


def test_equal_scores_keep_the_order_of_the_graph(fitted):
    graph, model, known = fitted
    flat = hl.GPL(**model.get_params()).fit(graph, known)
    flat.scores_ = np.zeros_like(flat.scores_)
    table = score_table(graph, flat, known)
    assert table["id"].to_pylist()[:50] == graph.ids.take(np.flatnonzero(~known))


def test_not_a_run(tmp_path):
    with pytest.raises(DataError, match=r"it has no run\.json"):
        RunRecord.read(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(DataError, match=r"the saved run is damaged .it does not say its format"):
        RunRecord.read(tmp_path)


def test_both_ends_of_every_edge_are_named(fitted):
    graph, model, _ = fitted
    edges = edge_table(graph, model).to_pylist()
    for source in (1000, 1007, 1059):
        row = slice(*graph.indptr[source - 1000 : source - 998])
        targets = [edge["target"] for edge in edges if edge["source"] == source]
        assert targets == (1000 + graph.indices[row]).tolist()


def test_a_method_without_edge_weights_trusts_every_edge_alike(fitted):
    graph = fitted[0]
    weight = edge_table(graph, SimpleNamespace())["weight"]
    assert weight.type == pa.float32()
    assert set(weight.to_pylist()) == {1.0}
    assert len(weight) == graph.n_edges


def test_edges_of_a_graph_in_parts_are_written_one_part_after_another(tmp_path, fitted):
    whole = edge_table(*fitted[:2])
    parts = [whole.slice(0, 50), whole.slice(50, 1), whole.slice(51)]
    sizes = {"nodes": 60, "edges": 123456, "isolated": 0, "features": 4}
    record = write_run(tmp_path / "run", *fitted, seconds=1.0, inputs={}, edges=iter(parts), sizes=sizes)
    assert pyarrow.parquet.read_table(tmp_path / "run" / "edges.parquet").equals(whole)
    assert record.counts["edges"] == 123456
    assert not (tmp_path / "run" / "graph").exists()


def test_history_is_plain_text_with_the_columns_of_all_epochs(tmp_path):
    history = [{"epoch": 0, "loss": 0.5}, {"epoch": 1, "loss": float("nan"), "prior": 0.25}]
    _write_history(tmp_path / "history.csv", history)
    assert (tmp_path / "history.csv").read_bytes() == b"epoch,loss,prior\n0,0.5,\n1,,0.25\n"
    _write_history(tmp_path / "none.csv", [])
    assert (tmp_path / "none.csv").read_bytes() == b"epoch\n"
