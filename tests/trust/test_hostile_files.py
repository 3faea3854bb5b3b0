"""Files made with bad intentions, sealed and all: nothing runs, is allocated, or is read from elsewhere."""

import json
import os
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import torch
from safetensors.torch import load_file, save_file

import halflabel as hl
from halflabel.graphfiles.card import GRAPH
from halflabel.modelfiles.card import CONFIG
from halflabel.run.card import RUN
from halflabel.sealed import describe
from halflabel.sealed.tensorfile import tensors_in


@pytest.fixture
def run(runs, tmp_path):
    return shutil.copytree(runs[0], tmp_path / "run")


def forge(place, card, change):
    """Change the card of a directory as a forger would: with hashes that fit."""
    content = json.loads((place / card.name).read_text())
    change(content)
    del content["seal"]
    card.write(place, content)


def forge_weights(model, change):
    weights = model / "weights.safetensors"
    arrays = load_file(weights)
    change(arrays)
    save_file(arrays, weights)
    forge(model, CONFIG, lambda config: config.update(
        tensors=tensors_in(weights), files={weights.name: describe(weights)}))


@pytest.mark.parametrize(("name", "value", "message"), [
    ("hidden", 10**12, "not those of a network with these parameters"),
    ("hidden", 2**70, "damaged"),
    ("backbone", "os:system", "backbone"),
    ("backbone", "lsdan", "not those of a network|backbone"),
    ("device", "/etc/passwd", "damaged"),
    ("strange", 1, "parameters missing or unknown to Naive: 'strange'"),
    ("prior", 1.5, "prior"),
    ("threshold", ["budget", -1], "budget"),
    ("threshold", {"__reduce__": "os.system"}, "expected a list, got an object"),
])
def test_parameters_of_a_forged_model(run, name, value, message):
    forge(run / "model", CONFIG, lambda c: c["parameters"].update({name: value}))
    with pytest.raises(hl.DataError, match=message):
        hl.load(run / "model")


@pytest.mark.parametrize(("change", "message"), [
    (lambda c: c.pop("scaling"), "'scaling' missing"),
    (lambda c: c.update(extra=1), "'extra' not expected"),
    (lambda c: c["fitted"].update(prior_=1.2), "prior_: expected a number from 0 to 1, got 1.2"),
    (lambda c: c["fitted"].update(slope_="1"), "slope_: expected a number, got '1'"),
    (lambda c: c["fitted"].update(shift_=10**400), "shift_: expected a number, got a huge number"),
    (lambda c: c.update(prior_interval_=[0.1]), "prior_interval_: expected a list of 2"),
    (lambda c: c["scaling"].update(deviation=[0.0] * 3), "deviation: 0: expected a number of at least"),
    (lambda c: c["scaling"].update(mean=[0.0]), "means and deviations do not fit 3 features"),
    (lambda c: c["scaling"].update(names=["p"]), "means and deviations do not fit"),
    (lambda c: c.update(method="GPL; import os"), "no method 'GPL; import os'"),
    (lambda c: c["files"].update({"../x": {"bytes": 1, "blake2b": ""}}), "'../x' not expected"),
    (lambda c: c["tensors"]["scores"].update(shape=[10**15]), "does not hold the tensors that config.json"),
])
def test_values_of_a_forged_model(run, change, message):
    forge(run / "model", CONFIG, change)
    with pytest.raises(hl.DataError, match=message):
        hl.load(run / "model")


@pytest.mark.parametrize(("change", "message"), [
    (lambda a: a.update(scores=a["scores"] * torch.nan), "'scores' holds numbers that are not finite"),
    (lambda a: a.update({"edges.masks": torch.zeros(10**9, 0)}), "differ in number"),
    (lambda a: a.update({"edges.masks": torch.zeros(10**9, 0), "edges.keys": torch.zeros(0).long()}),
     "not those of a network"),
    (lambda a: a.update({"network.first": torch.zeros(1)}), "not those of a network"),
    (lambda a: a.pop("scores"), "scores"),
])
def test_weights_of_a_forged_model(run, change, message):
    forge_weights(run / "model", change)
    with pytest.raises(hl.DataError, match=message):
        hl.load(run / "model")


@pytest.mark.parametrize("head", [
    b"", b"\xff" * 8, (2**63).to_bytes(8, "little"), (30).to_bytes(8, "little") + b"[" * 30,
    (2).to_bytes(8, "little") + b"{}" + b"left over",
    (72).to_bytes(8, "little") + b'{"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}}',
    (59).to_bytes(8, "little") + b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}    ' + bytes(12),
])
def test_a_header_that_lies_is_refused_before_anything_is_loaded(tmp_path, head):
    (tmp_path / "weights.safetensors").write_bytes(head)
    with pytest.raises(ValueError):
        tensors_in(tmp_path / "weights.safetensors")


@pytest.mark.parametrize("name", ["../../../etc/passwd", "/etc/passwd", "letter.txt"])
def test_a_graph_names_no_files_but_its_own(run, name):
    forge(run / "graph", GRAPH, lambda c: c["files"].update({name: {"bytes": 1, "blake2b": "0"}}))
    with pytest.raises(hl.DataError, match="and others of a graph only"):
        hl.load_graph(run / "graph")


@pytest.mark.parametrize(
    "name", ["model/config.json", "graph/indices.npy", "scores.parquet", "graph", "run.json"])
def test_links_that_lead_out_are_not_followed(run, tmp_path, name):
    outside = tmp_path / "outside"
    (run / name).rename(outside)
    (run / name).symlink_to(outside)
    with pytest.raises(hl.DataError, match="leads out of the directory"):
        hl.open_run(run)


def test_a_pipe_is_not_waited_for(run):
    (run / "model" / "config.json").unlink()
    os.mkfifo(run / "model" / "config.json")
    with pytest.raises(hl.DataError, match=r"config.json is missing"):
        hl.load(run / "model")


@pytest.mark.parametrize(("name", "array", "message"), [
    ("indices", lambda a: np.where(a == a[0], 10**6, a), "outside of the graph"),
    ("indices", lambda a: np.where(a == a[0], -1, a), "outside of the graph"),
    ("indices", lambda a: a.astype(np.float32), "type <f4"),
    ("indptr", lambda a: np.concatenate([a[:1], a[1:-1][::-1], a[-1:]]), "outside of the graph"),
    ("indptr", lambda a: a + 1, "do not fit together"),
    ("X", lambda a: np.asfortranarray(a), "not an array as graphs have them"),
    ("X", lambda a: a[:, :2], "do not fit together"),
    ("X", lambda a: a.astype(object), "not an array as graphs have them"),
    ("edge_weight", lambda a: a[:-1], "do not fit together"),
])
def test_arrays_of_a_forged_graph(run, name, array, message):
    path = run / "graph" / f"{name}.npy"
    values = array(np.load(path))
    np.save(path, values.astype(np.int32) if name == "indices" and values.dtype.kind == "i" else values)
    forge(run / "graph", GRAPH, lambda c: c["files"].update({path.name: describe(path)}))
    with pytest.raises(hl.DataError, match=message):
        hl.load_graph(run / "graph")


@pytest.mark.parametrize(("change", "message"), [
    (lambda t: t.drop_columns(["rank"]), "columns id, score"),
    (lambda t: t.set_column(1, "score", pa.array(["1"] * len(t))), "columns id, score"),
    (lambda t: t.set_column(1, "score", pa.array([np.nan] * len(t))), "score: numbers that are not finite"),
    (lambda t: t.set_column(5, "flagged", pa.nulls(len(t), pa.bool_())), "flagged: 40 values missing"),
    (lambda t: t.set_column(0, "id", pa.array([f"x{i}" for i in range(len(t))])), "scores and graph are not"),
    (lambda t: t.slice(1), "rows where"),
    (lambda t: pa.concat_tables([t] * 1000), "40,000 rows where 40 are expected"),
])
def test_scores_of_a_forged_run(run, change, message):
    path = run / "scores.parquet"
    pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(path)), path)
    with pytest.raises(hl.DataError, match=r"was written|were written"):
        hl.open_run(run)
    forge(run, RUN, lambda c: c["files"].update({path.name: describe(path)}))
    with pytest.raises(hl.DataError, match=message):
        hl.open_run(run)


def test_one_long_id_for_all_rows_is_not_written_out(run, monkeypatch):
    path = run / "scores.parquet"
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.set_column(0, "id", pa.array(["x" * 1000] * len(table))), path)
    forge(run, RUN, lambda c: c["files"].update({path.name: describe(path)}))
    monkeypatch.setattr("halflabel.run.tables.MOST_TEXT", 39_999)
    with pytest.raises(hl.DataError, match="ids of 40,000 bytes where 39,999 are the most"):
        hl.open_run(run)


@pytest.mark.parametrize(("form", "message"), [
    (4, r"model written by a newer halflabel \(format 4; this one reads format 3\). Upgrade halflabel"),
    (2, r"model written by an older halflabel \(format 2; this one reads format 3\). Fit and save it again"),
    (3.0, "does not say its format"), (True, "does not say its format"), (10**30, "does not say its format"),
])
def test_other_formats_are_told_by_age(run, form, message):
    """Before the seal is looked at, for another format may have another."""
    path = run / "model" / "config.json"
    path.write_text(json.dumps({"format": form, "whatever": 1}))
    with pytest.raises(hl.DataError, match=message):
        hl.load(run / "model")


def test_a_card_may_not_be_endless(run, monkeypatch):
    monkeypatch.setattr("halflabel.sealed.strictjson.LARGEST", 1_000)
    with pytest.raises(hl.DataError, match="more than 1,000 bytes"):
        hl.load(run / "model")
