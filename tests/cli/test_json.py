"""--json: one object on the standard output and nothing else there, whatever the command."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from halflabel.cli.show import say_json
from halflabel.run.record import RunRecord


@pytest.fixture
def parsed(halflabel):
    """parsed("fit", ...) runs a command with --json and gives what it printed, parsed strictly."""

    def run(*args):
        outcome = halflabel(*args, "--json")
        assert outcome.code == 0, outcome.err
        return json.loads(outcome.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))

    return run


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


@pytest.mark.usefixtures("short_fits")
def test_fit(parsed, arguments, out):
    said = parsed("fit", *arguments, "--out", out)
    record = asdict(RunRecord.read(out))
    assert {name: said[name] for name in record} == record
    assert said["directory"] == str(out)
    assert said["answer"].startswith("About ")
    assert [row["rank"] for row in said["top"]] == list(range(1, 11))
    assert isinstance(said["top"][0]["probability"], float)


@pytest.mark.usefixtures("short_fits")
def test_fit_distributed(parsed, files, out):
    parsed("partition", files / "edges.csv", out / "parts", "--nodes", files / "nodes.csv", "--parts", 1)
    said = parsed("fit", out / "parts", "--positives", files / "known.txt", "--distributed",
                  "--out", out / "run")
    assert said["method"] == "auto"


@pytest.mark.usefixtures("short_fits")
def test_demo(parsed, out):
    said = parsed("demo", "--out", out)
    assert said["truth"]["frauds"] == 100
    assert 0 <= said["truth"]["found"] <= 100
    assert said["directory"] == str(out / "run")


@pytest.mark.usefixtures("short_fits")
def test_report_and_explain(parsed, arguments, out):
    parsed("fit", *arguments, "--method", "naive", "--out", out)
    said = parsed("report", out)
    assert (out / "report.html").stat().st_size == said["bytes"]
    assert parsed("explain", out, "n01")["node"] == "n01"


def test_check(parsed, arguments):
    said = parsed("check", *arguments)
    assert said["graph"]["nodes"] == 40
    assert (said["known_positives"], said["unlabelled"]) == (8, 32)
    assert any("only 8 known positives" in warning for warning in said["warnings"])
    assert 0 <= said["prior"]["prior"] <= 1
    assert said["prior"]["words"]
    assert parsed("check", *arguments, "--files-only")["prior"] is None


def test_convert(parsed, files, out):
    said = parsed("convert", files / "edges.csv", "--nodes", files / "nodes.csv", "--out", out)
    assert said["directory"] == str(out)
    assert said["graph"]["features"] == 3


def test_partition(parsed, files, out):
    said = parsed("partition", files / "edges.csv", out, "--nodes", files / "nodes.csv", "--parts", 2,
                  "--how", "contiguous")
    assert sum(said["nodes_in_parts"]) == said["nodes"] == 40
    assert 0 < said["share_of_edges_between_parts"] < 1


def test_prior(parsed, arguments, tmp_path):
    said = parsed("prior", *arguments, "--methods", "bbe,roc", "--folds", 2, "--out", tmp_path / "p.png")
    assert [row["method"] for row in said["estimates"]] == ["bbe", "roc"]


def test_compare(parsed, arguments, tmp_path):
    said = parsed("compare", *arguments, "--methods", "labelprop", "--folds", 2, "--out", tmp_path / "c.png")
    assert said["words"]


def test_bench(parsed, tmp_path):
    said = parsed("bench", "smoke", "--datasets", "payments", "--methods", "naive", "--seeds", 1, "--jobs", 1,
                  "--out", tmp_path / "bench")
    assert said["jobs"] == said["run_now"] > 0
    (table,) = said["tables"]
    cell = next(iter(table["rows"].values()))["payments"]
    assert (cell["splits"], 0 < cell["mean"] <= 100) == (1, True)
    assert said["failed"] == said["no_data"] == []


def test_data(parsed):
    names = {row["name"]: row for row in parsed("data", "list")["datasets"]}
    assert (names["payments"]["nodes"], names["payments"]["available"]) == (2000, True)
    assert parsed("data", "get", "payments")["graph"]["nodes"] == 2000


def test_bad_data_leaves_the_output_empty(halflabel, arguments, files):
    (files / "known.txt").write_text("n01\n")
    outcome = halflabel("check", *arguments, "--json")
    assert (outcome.code, outcome.out) == (3, "")
    assert "known positive" in outcome.err


def test_what_is_no_number_is_null(capsys):
    say_json({"a": float("nan"), "b": np.float32(0.5), "c": [np.int64(3), True, None], "d": np.inf})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": 0.5, "c": [3, True, None], "d": None}
