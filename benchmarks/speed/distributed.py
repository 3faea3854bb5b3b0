"""Two processes of one thread against one process of one thread, on a graph with locality.

Each fits GPL, with its five networks, in a fresh process: the one on the whole graph, as anybody would; the
two under torchrun, each on its part. Reported: the largest difference of scores, seconds per epoch, how much
of them is communication (waiting for the other process included), seconds of the processor, which other work
on the machine does not lengthen, and the peak memory of every process.

    python benchmarks/speed/distributed.py --edges 10000000
    python benchmarks/speed/distributed.py --method auto --edges 2000000    # whole fits instead of epochs

The one process with its five networks takes a gigabyte for each million edges; --folds 2 less than half.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

DEGREE, FEATURES, REACH = 10, 32, 1_000  # neighbours are at most REACH numbers apart
WARMUP = 3
HERE = Path(__file__)


def make(place: Path, edges: int, parts: int) -> None:
    """Write the graph whole and in parts; homophilic, a fifth of the nodes positive, half of them known."""
    from halflabel.distributed import partition_graph
    from halflabel.graph import Graph

    rng = np.random.default_rng(0)
    n = edges // DEGREE
    y = rng.random(n) < 0.2
    X = rng.standard_normal((n, FEATURES), dtype=np.float32) + y[:, None] * np.float32(0.3)
    # A fifth of the pairs of unlike nodes stays; an edge is stored in both directions.
    source = rng.integers(n, size=round(edges / 2 / 0.745))
    target = (source + rng.integers(1, REACH, size=len(source))) % n
    kept = (y[source] == y[target]) | (rng.random(len(source)) < 0.2)
    source, target = source[kept], target[kept]
    graph = Graph.from_edges(np.concatenate([source, target]), np.concatenate([target, source]), X)
    for name in ("indptr", "indices", "X"):
        np.save(place / f"{name}.npy", getattr(graph, name))
    np.save(place / "known.npy", y & (rng.random(n) < 0.5))
    made = partition_graph(graph, parts, place / "parts", how="contiguous")
    print(f"{graph}: {200 * made.cut / made.stored:.2f} % of the edges between {parts} parts", flush=True)


def fit(place: Path, settings: dict) -> None:
    """What is measured: one fit, alone or together with the other processes that torchrun started."""
    import torch

    import halflabel as hl
    from halflabel.distributed import read_part
    from halflabel.distributed.group import Group
    from halflabel.distributed.team import Team
    from halflabel.graph import Graph
    from halflabel.ids import NodeIds
    from halflabel.run.machine import peak_memory_bytes
    from halflabel.training.team import Alone

    torch.set_num_threads(1)
    stamps: list[tuple[float, float, float]] = []
    rank, together = int(os.environ.get("RANK", "0")), "RANK" in os.environ

    def stamp(self: Alone, *_: object) -> None:
        stamps.append((perf_counter(), Group.join("cpu").seconds if together else 0.0, process_time()))

    Alone.epoch_done = Team.epoch_done = stamp  # pyright: ignore
    if together:
        data = read_part(place / "parts")
    else:
        indptr, indices, X = (np.load(place / f"{name}.npy") for name in ("indptr", "indices", "X"))
        data = Graph(indptr=indptr, indices=indices, X=X, ids=NodeIds.range(len(X)))
    known = np.load(place / "known.npy")
    start = perf_counter()
    whole_fit = settings["method"] == "auto"
    model = (hl.Auto if whole_fit else hl.GPL)(**settings["parameters"]).fit(data, known)
    seconds = perf_counter() - start
    name = f"process-{rank}" if together else "alone"
    np.save(place / f"{name}.npy", model.scores_)
    epochs = np.diff(np.array(stamps), axis=0)  # the first epoch warms up caches as well, and has no start
    talking = Group.join("cpu").seconds if together else 0.0
    step = [seconds, talking, process_time()] if whole_fit else np.median(epochs[WARMUP:], axis=0)
    (place / f"{name}.json").write_text(json.dumps({
        "fit_seconds": seconds, "prior": float(model.prior_), "step_seconds": float(step[0]),
        "communication_seconds": float(step[1]), "processor_seconds": float(step[2]),
        "peak_memory_bytes": peak_memory_bytes()}))


def launch(place: Path, settings: dict, processes: int | None) -> list[dict]:
    """Run `fit` in fresh processes, and read what they wrote; this one stays small: peaks are inherited."""
    worker = [str(HERE), "--worker", "fit", "--place", str(place), "--settings", json.dumps(settings)]
    runner = [] if processes is None else [
        "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    subprocess.run([sys.executable, *runner, *worker], check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    names = ["alone"] if processes is None else [f"process-{rank}" for rank in range(processes)]
    return [json.loads((place / f"{name}.json").read_text()) for name in names]


def compare(place: Path, arguments: argparse.Namespace) -> dict[str, object]:
    """Both, in turn, `rounds` times; the fastest step of each counts, since other work only slows down. A
    step is an epoch of GPL after its warm-up, or a whole fit of Auto."""
    parameters = {"epochs": arguments.epochs}
    if arguments.method == "gpl":
        parameters |= {"folds": arguments.folds, "K": arguments.K, "warmup": WARMUP, "guide": False}
    settings = {"method": arguments.method, "parameters": parameters}
    alone, together = [], []
    for _ in range(arguments.rounds):
        alone += launch(place, settings, None)
        together.append(launch(place, settings, arguments.processes))
    one = min(run["step_seconds"] for run in alone)
    fastest = min(together, key=lambda ranks: max(rank["step_seconds"] for rank in ranks))
    several = max(rank["step_seconds"] for rank in fastest)
    talking = min(rank["communication_seconds"] for rank in fastest)
    scores = [np.load(place / f"process-{rank}.npy") for rank in range(arguments.processes)]
    difference = float(max(np.abs(found - np.load(place / "alone.npy")).max() for found in scores))
    memory = max(rank["peak_memory_bytes"] for ranks in together for rank in ranks)
    row = {
        "edges": int(np.load(place / "indptr.npy", mmap_mode="r")[-1]), "settings": settings,
        "processes": arguments.processes, "rounds": arguments.rounds,
        "largest_score_difference": difference,
        "prior_difference": abs(alone[0]["prior"] - fastest[0]["prior"]),
        "one_step_seconds": one, "several_step_seconds": several, "speedup": round(one / several, 2),
        "communication_seconds": talking, "compute_seconds": several - talking,
        "one_peak_bytes": alone[0]["peak_memory_bytes"], "several_peak_bytes": memory,
        "memory_share": round(memory / alone[0]["peak_memory_bytes"], 3),
        "alone": alone, "together": together}
    print(f"{row['edges']:,} stored edges   one {one:.3f} s   {arguments.processes} processes "
          f"{several:.3f} s, of which {talking:.3f} s communication   {row['speedup']}x   "
          f"memory {100 * row['memory_share']:.0f} %   scores within {difference:.1e}", flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE.parent / "results" / "distributed.json")
    parser.add_argument("--edges", type=int, default=10_000_000, help="stored edges, both directions counted")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--method", choices=["gpl", "auto"], default="gpl")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--K", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", choices=["make", "fit"], help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--settings", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker == "make":
        make(arguments.place, arguments.edges, arguments.processes)
    elif arguments.worker == "fit":
        fit(arguments.place, arguments.settings)
    else:
        with tempfile.TemporaryDirectory() as directory:
            place = Path(directory)
            subprocess.run([sys.executable, str(HERE), "--worker", "make", "--place", directory, "--edges",
                            str(arguments.edges), "--processes", str(arguments.processes)], check=True)
            row = compare(place, arguments)
        rows = json.loads(arguments.out.read_text())["rows"] if arguments.out.exists() else []
        rows = [other for other in rows if other["settings"]["method"] != arguments.method] + [row]
        write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
