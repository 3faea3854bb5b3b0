"""How an epoch of GPL (K = 10, one network) grows with the graph: seconds, and memory above the features.

Two kinds of graphs with ten neighbours a node and 16 features: in one, neighbours are anywhere, which no
order of the nodes can mend; in the other, within 200 places. Each size is a process of its own; memory is the
most it ever had, from making the graph to the last epoch, less what it had with its libraries loaded and less
the features. The slope is that of a line through the logarithms of seconds and stored edges.

    python benchmarks/speed/growth.py [--sizes 1e5,1e6,1e7,1e8] [--threads 1]
    python benchmarks/speed/growth.py --threads 0 --out ...    # as many as a fit takes: one below 10^6 edges
    python benchmarks/speed/growth.py --rival --sizes 1e7,5e7 --kinds anywhere    # in torch_geometric's style
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

import halflabel as hl  # before torch_geometric is at work, so that large tensors get large pages

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

DEGREE, FEATURES = 10, 16
EPOCHS = 4
KINDS = ("anywhere", "within 200")


def status(key: str) -> int:
    """A line of /proc/self/status, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def ring(nodes: int) -> tuple[Any, np.ndarray]:
    """Nodes in a circle, each joined to five others at either side, at most 200 places away."""
    from halflabel.ids import NodeIds

    rng = np.random.default_rng(0)
    steps = rng.choice(np.arange(1, 200), DEGREE // 2, replace=False)
    steps = np.r_[steps, -steps].astype(np.int32)
    indices = np.empty((nodes, DEGREE), dtype=np.int32)
    for start in range(0, nodes, 100_000):
        block = indices[start : start + 100_000]
        block[:] = (np.arange(start, start + len(block), dtype=np.int32)[:, None] + steps) % nodes
        block.sort(axis=1)
    y = (rng.random(nodes) < 0.2).astype(np.int64)
    X = rng.standard_normal((nodes, FEATURES), dtype=np.float32)
    X += y[:, None].astype(np.float32) / 4
    indptr = np.arange(nodes + 1, dtype=np.int64) * DEGREE
    return hl.Graph(indptr=indptr, indices=indices.ravel(), X=X, ids=NodeIds.range(nodes)), y


def measure(size: int, kind: str, threads: int, rival: bool) -> dict[str, float]:
    """In a process of its own: median seconds of an epoch, and bytes an edge above the features."""
    import torch
    from gpl_epoch import whole_epoch
    from rivals import PlainEpoch

    from halflabel.memory import check_room
    from halflabel.methods.gpl import GPL, Run
    from halflabel.order import arrange
    from halflabel.training.threads import threads_for

    torch.set_num_threads(threads or os.cpu_count() or 1)
    settings = GPL(folds=1, K=10, guide=False)
    before = status("VmRSS")
    phases, start = {}, time.perf_counter()

    def lap(phase: str) -> None:
        nonlocal start
        now = time.perf_counter()
        phases[phase], start = now - start, now

    if kind == "within 200":
        graph, y = ring(size // DEGREE)
    else:
        graph, y = hl.synthetic(size // DEGREE, degree=DEGREE, features=FEATURES, random_state=0)
    lap("generate")
    check_room(settings, graph)
    graph, listing = arrange(graph)  # kept until the answer is put back, as in a fit
    lap("arrange")
    problem = settings.pose(graph, hl.hide_positives(y, positive_class=1))
    lap("pose")
    torch.manual_seed(0)
    if rival:
        held_out = problem.positive & (np.random.default_rng(0).random(graph.n_nodes) < 0.2)
        epoch = PlainEpoch(problem, settings, torch.as_tensor(held_out))
    else:
        epoch = whole_epoch(Run(settings, problem, graph))
    lap("set up")
    seconds = []
    with nullcontext() if threads else threads_for(len(problem.adjacency.col)):
        for _ in range(EPOCHS if size >= 10**7 else 10 * EPOCHS):
            epoch()
            lap("epoch")
            seconds.append(phases["epoch"])
    edges = len(problem.adjacency.col)
    del listing
    above = status("VmHWM") - before - graph.X.nbytes
    return {"stored_edges": edges, "seconds": float(np.median(seconds[1:])), "phases": phases,
            "peak_bytes_an_edge": round(above / edges, 1), "peak_mb": round(status("VmHWM") / 2**20)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rival", action="store_true", help="gathering, scattering and autograd instead")
    parser.add_argument("--sizes", default="1e5,1e6,1e7")
    parser.add_argument("--threads", type=int, default=1, help="0: as many as a fit takes")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--one", type=int, help="measure this size here, and print it")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one, arguments.kinds, arguments.threads, arguments.rival)))
        return
    results = Path(__file__).parent / "results"
    out = arguments.out or results / ("growth-rival.json" if arguments.rival else "growth.json")
    rows, slopes = [], {}
    for kind in arguments.kinds.split(","):
        found = []
        for size in arguments.sizes.split(","):
            command = [sys.executable, __file__, "--one", str(int(float(size))), "--kinds", kind,
                       "--threads", str(arguments.threads), *(["--rival"] if arguments.rival else [])]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found.append({"neighbours": kind, **json.loads(done.stdout.splitlines()[-1])})
            print(found[-1], flush=True)
        edges, seconds = (np.log([row[key] for row in found]) for key in ("stored_edges", "seconds"))
        slopes[kind] = round(float(np.polyfit(edges, seconds, 1)[0]), 3) if len(found) > 1 else None
        rows += found
    print(f"slopes {slopes}")
    write_json(out, {"machine": describe_machine(arguments.threads), "slopes": slopes, "rows": rows})


if __name__ == "__main__":
    main()
