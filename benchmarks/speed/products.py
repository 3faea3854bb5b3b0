"""Whole fits, in trainings of a plain graph network: GPL, Auto and GRAB with their defaults.

All of them and the training (`auto.py`: two layers of torch_geometric, 200 epochs) take turns in one process
and one thread.

    HALFLABEL_DATA=... python benchmarks/speed/products.py
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from auto import auto_fit, plain_training, seconds
from machine import describe_machine, write_json


def gpl_fit(graph: hl.Graph, known: np.ndarray) -> None:
    hl.GPL().fit(graph, known)


def grab_fit(graph: hl.Graph, known: np.ndarray) -> None:
    hl.GRAB().fit(graph, known)


FITS = {"training": plain_training, "gpl": gpl_fit, "auto": auto_fit, "grab": grab_fit}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "products.json")
    parser.add_argument("--graphs", default="cora,pubmed,squirrel")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name in arguments.graphs.split(","):
        graph, y = hl.load_dataset(name)
        known = hl.hide_positives(y, random_state=0)
        times = [[seconds(fit, graph, known) for fit in FITS.values()] for _ in range(arguments.rounds)]
        medians = dict(zip(FITS, np.median(times, axis=0).tolist(), strict=True))
        trainings = {fit: round(taken / medians["training"], 2) for fit, taken in medians.items()}
        print(name, ", ".join(f"{fit} {count:.1f}" for fit, count in trainings.items()), flush=True)
        rows.append({"graph": name, "trainings": trainings, "median_seconds": medians})
    write_json(arguments.out,
               {"machine": describe_machine(threads=1), "rounds": arguments.rounds, "rows": rows})


if __name__ == "__main__":
    main()
