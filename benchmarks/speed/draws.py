"""Five draws of GPL's folds against one, in turn in one process with one thread: fits of Texas and Cora.

    HALFLABEL_DATA=... python benchmarks/speed/draws.py
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from machine import describe_machine, write_json

DRAWS = (1, 5)


def seconds(name: str, draws: int, seed: int) -> float:
    graph, y = hl.load_dataset(name)
    known = hl.hide_positives(y, random_state=seed)
    start = time.perf_counter()
    hl.GPL(draws=draws, random_state=seed).fit(graph, known)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "draws.json")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name in ("texas", "cora"):
        seconds(name, 1, 0)  # what is loaded once
        rounds = range(arguments.rounds)
        taken = np.array([[seconds(name, draws, seed) for draws in DRAWS] for seed in rounds])
        one, five = np.median(taken, axis=0)
        print(f"{name:8s} five draws cost {five / one:.2f} times one", flush=True)
        rows.append({"graph": name, "ratio": round(five / one, 2), "median_seconds": {"1": one, "5": five}})
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
