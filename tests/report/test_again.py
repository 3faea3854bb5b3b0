"""halflabel report: the page that fit wrote, from what it stored."""

import shutil

import pytest

import halflabel as hl
from halflabel.cli import app
from halflabel.report.again import report_again
from halflabel.run.record import RunRecord
from halflabel.run.store import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    graph, y = hl.load_dataset("payments")
    known = hl.payments_positives(y)
    model = hl.GPL(epochs=3, warmup=5).fit(graph, known)
    place = tmp_path_factory.mktemp("runs") / "run"
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return place


def command(*args):
    with pytest.raises(SystemExit) as end:
        app([str(arg) for arg in args], prog_name="halflabel")
    return end.value.code or 0


def test_the_same_page_again(run):
    assert report_again(run) == (run / "report.html").read_text(encoding="utf-8")


def test_the_command_writes_it_where_it_is_told(run, tmp_path, capsys):
    before = (run / "report.html").read_bytes()
    assert command("report", run, "--out", tmp_path / "page.html") == 0
    assert (tmp_path / "page.html").read_bytes() == before
    (run / "report.html").unlink()
    assert command("report", run) == 0
    assert (run / "report.html").read_bytes() == before
    assert "report.html" in capsys.readouterr().out


@pytest.fixture
def in_parts(run, tmp_path):
    """The same run as several processes would have written it: without a graph."""
    place = tmp_path / "parts"
    shutil.copytree(run, place)
    shutil.rmtree(place / "graph")
    RunRecord.read(run).write(place)
    return place


def test_a_run_without_its_graph_has_a_report_without_neighbourhoods(in_parts):
    page = report_again(in_parts)
    assert '<svg class="graph"' not in page
    assert "No process held the whole graph" in page
    assert "<h2>How many are left" in page


def test_what_is_no_run_is_bad_data(tmp_path, capsys):
    assert command("report", tmp_path) == 3
    assert "not a run directory" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["scores.parquet", "history.csv"])
def test_a_damaged_run_is_bad_data(in_parts, name):
    (in_parts / name).write_bytes(b"PAR1\x00,\xff")
    with pytest.raises(hl.DataError, match=f"{name}: .*Fit again"):
        report_again(in_parts)
