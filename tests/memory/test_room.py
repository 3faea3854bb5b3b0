"""A fit that would not fit is refused with a way out; under a real limit the way out works."""

import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow.parquet import write_table

import halflabel as hl
from halflabel.memory import estimated_peak, room
from halflabel.memory.limits import Room

GRAPH, Y = hl.synthetic(20_000, degree=20, features=1000)  # many: these are what mini-batches spare
KNOWN = hl.hide_positives(Y, positive_class=1)


@pytest.fixture
def free(monkeypatch):
    """free(bytes) sets how much memory there is."""

    def limit(amount):
        monkeypatch.setattr(room, "available", lambda: amount and Room(int(amount), "a test"))

    return limit


def test_enough_is_enough(free):
    for amount in (None, estimated_peak(hl.GPL(), GRAPH)):
        free(amount)
        room.check_room(hl.GPL(), GRAPH)


@pytest.mark.parametrize(("model", "smaller", "offer"), [
    (hl.Naive(), hl.Naive(batch_size=1024),
     r"Mini-batches \(batch_size=1024; --batch-size 1024\) would need about \d+ MB\."),
    (hl.Auto(), hl.GPL(batch_size=1024),
     r"GPL by mini-batches \(.*; --method gpl --batch-size 1024 --folds 5\)"),
])
def test_mini_batches_are_offered(free, model, smaller, offer):
    free(estimated_peak(smaller, GRAPH))
    with pytest.raises(hl.NotEnoughMemoryError, match=offer) as told:
        model.fit(GRAPH, KNOWN)
    assert re.search(r"on 20,000 nodes and [\d,]+ edges would need about \d+ MB more memory, and \d+ MB are "
                     r"free \(bounded by a test\)", str(told.value))
    assert "HALFLABEL_MEMORY=64G says" in str(told.value)
    assert not hasattr(model, "scores_")


def test_where_nothing_fits_other_machines_are_named(free):
    free(1000)
    with pytest.raises(hl.NotEnoughMemoryError, match=r"Nothing smaller fits either.*halflabel partition"):
        hl.Naive().fit(GRAPH, KNOWN)


def test_the_offer_comes_in_time_for_those_who_catch_memory_errors(free):
    free(1000)
    with pytest.raises(MemoryError):
        hl.LabelProp().fit(GRAPH, KNOWN)


# The limit comes after reading, so that it is about the fit.
LIMITED = """
import resource, sys
from halflabel.cli import app, fitting

def limited(*args, fit=fitting._fit):
    lines = open("/proc/self/status").read().splitlines()
    data = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData"))
    resource.setrlimit(resource.RLIMIT_DATA, (data + int(sys.argv[1]), resource.RLIM_INFINITY))
    return fit(*args)

fitting._fit = limited
app(sys.argv[2:], prog_name="halflabel")
"""


def limited_fit(place: Path, amount: int, *more: str) -> subprocess.CompletedProcess[str]:
    """halflabel fit in a process that may have so many bytes besides what it has when fitting begins."""
    command = ["fit", place / "edges.parquet", "--nodes", place / "nodes.parquet", "--positives",
               place / "known.txt", "--out", place / "run", "--method", "naive", "--epochs", "1", *more]
    return subprocess.run([sys.executable, "-c", LIMITED, str(amount), *map(str, command)],
                          capture_output=True, text=True, check=False)


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_DATA") or sys.platform != "linux",
                    reason="only Linux counts what RLIMIT_DATA limits")
def test_under_a_limit_it_is_refused_and_the_offer_works(tmp_path):
    graph, y = hl.synthetic(40_000, degree=20, features=60)
    known = np.flatnonzero(hl.hide_positives(y, positive_class=1))
    (tmp_path / "known.txt").write_text("".join(f"{i}\n" for i in known))
    source = np.repeat(np.arange(40_000), np.diff(graph.indptr))
    write_table(pa.table({"source": source, "target": graph.indices}), tmp_path / "edges.parquet")
    columns = dict(zip(graph.names(), graph.X.T, strict=True))
    write_table(pa.table({"id": np.arange(40_000), **columns}), tmp_path / "nodes.parquet")
    least, most = (estimated_peak(hl.Naive(folds=folds), graph) for folds in (1, 5))
    amount = (least + 2 * most) // 3
    refused = limited_fit(tmp_path, amount)
    assert refused.returncode == 3, refused.stderr
    assert "the limit of this process (ulimit)" in refused.stderr
    offered = re.search(r"; (--[^)]*)\) would need", refused.stderr)[1].split()
    done = limited_fit(tmp_path, amount, *offered)
    assert done.returncode == 0, done.stderr
    assert hl.open_run(tmp_path / "run").record.method == "naive"
