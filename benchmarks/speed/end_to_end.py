"""`halflabel fit` from files to a run directory on a large graph: time of each phase, and memory.

A random graph of ten neighbours a node, every edge listed in both directions, and 16 features, as Parquet;
one positive in twenty known. The command runs in a process of its own whose memory is looked at four times a
second; every line that it prints goes into the log with the seconds since the start and the most memory since
the line before.

    python benchmarks/speed/end_to_end.py [--edges 1e8] [-- --method gpl --epochs 10 ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

RESULTS = Path(__file__).parent / "results"
DEGREE, FEATURES, CHUNK = 10, 16, 1_000_000
KNOWN_SHARE = 0.05
FIT = ["--method", "gpl", "--epochs", "10"]


def write_tables(place: Path, edges: int) -> None:
    """edges.parquet, nodes.parquet and known.txt, chunk by chunk."""
    import halflabel as hl

    graph, y = hl.synthetic(edges // DEGREE, degree=DEGREE, features=FEATURES, random_state=0)
    write(place / "edges.parquet", edge_chunks(graph.indptr, graph.indices))
    write(place / "nodes.parquet", node_chunks(graph.X))
    positive = np.flatnonzero(y)
    known = np.random.default_rng(0).choice(positive, int(KNOWN_SHARE * len(positive)), replace=False)
    np.savetxt(place / "known.txt", np.sort(known), fmt="%d")


def edge_chunks(indptr: np.ndarray, indices: np.ndarray) -> Iterator[pa.Table]:
    for start in range(0, len(indptr) - 1, CHUNK):
        bounds = indptr[start : start + CHUNK + 1]
        rows = np.repeat(np.arange(start, start + len(bounds) - 1), np.diff(bounds))
        yield pa.table({"source": rows, "target": indices[bounds[0] : bounds[-1]].astype(np.int64)})


def node_chunks(X: np.ndarray) -> Iterator[pa.Table]:
    for start in range(0, len(X), CHUNK):
        part = X[start : start + CHUNK]
        columns = {f"x{k}": np.ascontiguousarray(part[:, k]) for k in range(FEATURES)}
        yield pa.table({"id": np.arange(start, start + len(part)), **columns})


def write(path: Path, chunks: Iterator[pa.Table]) -> None:
    first = next(chunks)
    with pa.parquet.ParquetWriter(path, first.schema) as writer:
        writer.write_table(first)
        for chunk in chunks:
            writer.write_table(chunk)


class Watch:
    """The most memory that a process has had, in all and since it was asked last."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process, self.peak, self.recent = process, 0, 0
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self) -> None:
        status = Path(f"/proc/{self.process.pid}/status")
        while self.process.poll() is None:
            lines = status.read_text().splitlines()
            held = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon")), 0)
            self.peak, self.recent = max(self.peak, held), max(self.recent, held)
            time.sleep(0.25)

    def since_last(self) -> int:
        recent, self.recent = self.recent, 0
        return recent


def fit(place: Path, options: list[str]) -> tuple[list[str], dict[str, object]]:
    """The log, and what there is to say of it in numbers."""
    command = [sys.executable, "-u", "-m", "halflabel", "fit", "edges.parquet", "--nodes", "nodes.parquet",
               "--positives", "known.txt", "--out", "run", *options]
    log = ["$ halflabel " + " ".join(command[4:])]
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    watch = Watch(process)
    assert process.stdout is not None

    def note(what: str) -> None:
        now, held = time.perf_counter() - begin, watch.since_last()
        log.append(f"{now:7.0f} s {held / 2**30:5.1f} GB  {what}".rstrip())
        print(log[-1], flush=True)

    for line in process.stdout:
        note(line.rstrip())
    code = process.wait()
    note(f"exit code {code}")
    seconds = time.perf_counter() - begin
    return log, {"seconds": round(seconds), "peak_gb": round(watch.peak / 2**30, 2), "exit_code": code}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edges", type=float, default=1e8)
    parser.add_argument("--place", type=Path, help="where the tables are, or are to be kept")
    parser.add_argument("--out", type=Path, default=RESULTS / "end-to-end.json")
    parser.add_argument("options", nargs="*", default=FIT, help="of halflabel fit, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.place or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        if not (place / "known.txt").exists():
            command = [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1])\n"
                       "from end_to_end import *; write_tables(Path(sys.argv[2]), int(sys.argv[3]))",
                       str(Path(__file__).parent), str(place), str(int(arguments.edges))]
            subprocess.run(command, check=True)
        log, figures = fit(place, arguments.options)
    arguments.out.with_suffix(".log").write_text("\n".join(log) + "\n", encoding="utf-8")
    write_json(arguments.out, {"machine": describe_machine(2), "edges": int(arguments.edges),
                               "nodes": int(arguments.edges) // DEGREE, **figures})


if __name__ == "__main__":
    main()
