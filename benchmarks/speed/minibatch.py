"""Mini-batches against the full batch: F1 on PubMed, and memory on a feature matrix that stays on disk.

F1 is that of the top estimated share of the unlabelled nodes. A run in mini-batches makes far fewer passes,
each of many steps. Splits 0 and 1 were on screen while the sampling was chosen: others are measured. Memory
is tried in processes that are not given more than six tenths of the matrix in private memory, besides what
they start with (RLIMIT_DATA; Linux only).

    HALFLABEL_DATA=... python benchmarks/speed/minibatch.py --out benchmarks/speed/results/minibatch.json
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from machine import describe_machine, write_json

BATCH = 1024
# Parameters of the full batch (the defaults), and of passes in batches.
RUNS = {
    "naive": ({}, {"batch_size": BATCH, "epochs": 20}),
    "gpl": ({}, {"batch_size": BATCH, "warmup": 10, "epochs": 20, "inner_steps": 15}),
}
# LSDAN is left out: the views of every sample are built anew, which is slow.
PAIRS = ("naive:gcn", "naive:hops", "gpl:gcn", "gpl:hops", "naive:appnp", "naive:mlp", "naive:arma",
         "naive:gat", "naive:gcn_head")
NODES, FEATURES, DEGREE = 60_000, 2_000, 10
HOW = ("in memory, no limit", "in memory", "on disk, full batch", "on disk, mini-batches")
SHARE = 0.6  # of the matrix, that a process may have in private memory besides what it starts with


def accuracy(pairs: list[str], splits: range) -> Iterator[dict[str, object]]:
    """F1 of both, split by split."""
    graph, y = hl.load_dataset("pubmed")
    truth = (y == np.bincount(y).argmax()).astype(int)
    for pair, split in product(pairs, splits):
        name, backbone = pair.split(":")
        known = hl.hide_positives(y, random_state=split)
        row: dict[str, object] = {"method": name, "backbone": backbone, "split": split}
        for label, parameters in zip(("full", "mini"), RUNS[name], strict=True):
            model = hl.methods()[name](backbone=backbone, random_state=split, **parameters)
            start = time.perf_counter()
            model.fit(graph, known)
            row[f"{label}_seconds"] = round(time.perf_counter() - start, 1)
            row[f"{label}_f1"] = round(hl.score_unlabelled(model, truth, known).f1, 4)
        print(f"{pair:15s}split {split}   F1 full {row['full_f1']:.4f} ({row['full_seconds']} s)   "
              f"mini {row['mini_f1']:.4f} ({row['mini_seconds']} s)", flush=True)
        yield row


def means(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Over the splits, and the difference in F1 points."""
    found = []
    for method, backbone in dict.fromkeys((row["method"], row["backbone"]) for row in rows):
        here = [row for row in rows if (row["method"], row["backbone"]) == (method, backbone)]
        full, mini = (float(np.mean([row[f"{label}_f1"] for row in here])) for label in ("full", "mini"))
        found.append({"method": method, "backbone": backbone, "splits": len(here), "full_f1": round(full, 4),
                      "mini_f1": round(mini, 4), "points": round(100 * (mini - full), 2)})
    return found


def make_graph(directory: Path) -> None:
    """A synthetic graph whose features are written to disk a block of rows at a time."""
    graph, y = hl.synthetic(NODES, degree=DEGREE, features=0, random_state=0)
    X = np.lib.format.open_memmap(directory / "X.npy", "w+", np.float32, (NODES, FEATURES))
    rng = np.random.default_rng(0)
    for first in range(0, NODES, 1000):
        some = y[first : first + 1000]
        X[first : first + 1000] = rng.standard_normal((len(some), FEATURES), dtype=np.float32)
        X[first : first + 1000, :20] += some[:, None]
    X.flush()
    np.savez(directory / "graph.npz", indptr=graph.indptr, indices=graph.indices, y=y)


def fit_within_limits(directory: Path, how: str) -> dict[str, object]:
    """In a process of its own: what the peak of private memory was, or that it was not enough."""
    stored = np.load(directory / "graph.npz")
    bare = hl.synthetic(100, degree=4)[0]
    X = np.load(directory / "X.npy", mmap_mode="r")
    graph = replace(bare, indptr=stored["indptr"], indices=stored["indices"], X=X,
                    ids=type(bare.ids).range(NODES))
    y = stored["y"]
    known = hl.hide_positives(y, positive_class=1, random_state=0)
    hl.Naive(epochs=1).fit(bare, np.arange(100) < 20)  # everything is imported before memory is counted
    before, allowed = private_bytes(), None if "no limit" in how else int(SHARE * X.nbytes)
    if allowed is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (data_bytes() + allowed, resource.RLIM_INFINITY))
    peak = Peak()
    batched = {"epochs": 1, "batch_size": 256} if "mini-batches" in how else {"epochs": 2}
    model = hl.Naive(folds=1, **batched)
    if "in memory" in how:
        graph = replace(graph, X=X.view(np.ndarray))
    start = time.perf_counter()
    try:
        with peak:
            model.fit(graph, known)
        outcome = f"AUC {hl.score_unlabelled(model, y, known).auc:.3f}"
    except (MemoryError, RuntimeError) as error:
        outcome = f"not enough memory: {type(error).__name__}"
    return {"how": how, "matrix_mb": X.nbytes >> 20, "allowed_mb": allowed and allowed >> 20,
            "peak_mb": (peak.bytes - before) >> 20, "outcome": outcome,
            "seconds": round(time.perf_counter() - start, 1)}


class Peak:
    """The largest private memory while it runs, looked at every few milliseconds."""

    def __init__(self) -> None:
        self.bytes, self._done = private_bytes(), threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._done.wait(0.005):
            self.bytes = max(self.bytes, private_bytes())

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def private_bytes() -> int:
    return _status("RssAnon")


def data_bytes() -> int:
    return _status("VmData")


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{key}:"))


def memory() -> list[dict[str, object]]:
    rows = []
    with tempfile.TemporaryDirectory() as place:
        make_graph(Path(place))
        for how in HOW:
            run = subprocess.run([sys.executable, __file__, "--within", place, how], text=True,
                                 capture_output=True, check=True)
            rows.append(json.loads(run.stdout.splitlines()[-1]))
            print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "minibatch.json")
    parser.add_argument("--pairs", default=",".join(PAIRS), help="method:backbone, separated by commas")
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--first-split", type=int, default=5)
    parser.add_argument("--within", nargs=2, metavar=("PLACE", "HOW"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.within:
        print(json.dumps(fit_within_limits(Path(arguments.within[0]), arguments.within[1])))
        return
    limits, rows = memory(), []
    splits = range(arguments.first_split, arguments.first_split + arguments.splits)
    for row in accuracy(arguments.pairs.split(","), splits):
        rows.append(row)
        # After every row: a stopped run leaves what it has.
        write_json(arguments.out, {"machine": describe_machine(threads=1), "settings": RUNS,
                                   "means": means(rows), "rows": rows, "memory": limits})
    for mean in means(rows):
        print(mean)


if __name__ == "__main__":
    main()
