"""Whole fits, in trainings of a plain graph network: GPL, Auto and GRAB with their defaults.

All of them and the training (two layers of torch_geometric, 200 epochs) take turns in one process and one
thread.

    HALFLABEL_DATA=... python benchmarks/speed/products.py
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, dropout
from torch_geometric.nn import GCNConv

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from machine import describe_machine, write_json

EPOCHS, HIDDEN = 200, 16


def plain_training(graph: hl.Graph, known: np.ndarray) -> None:
    """What a user would write: known positives against the rest."""
    symmetric = graph.symmetric().tocoo()
    edge_index = torch.as_tensor(np.stack([symmetric.row, symmetric.col]).astype(np.int64))
    X = torch.as_tensor(graph.X if isinstance(graph.X, np.ndarray) else graph.X.toarray())
    y = torch.as_tensor(known, dtype=torch.float32)
    first, second = GCNConv(X.shape[1], HIDDEN), GCNConv(HIDDEN, 1)
    network = torch.nn.ModuleList([first, second])
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01, weight_decay=5e-4)
    for _ in range(EPOCHS):
        h = dropout(torch.relu(first(X, edge_index)), 0.5)
        loss = binary_cross_entropy_with_logits(second(h, edge_index)[:, 0], y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def auto_fit(graph: hl.Graph, known: np.ndarray) -> None:
    hl.Auto().fit(graph, known)


def seconds(work: Callable[[hl.Graph, np.ndarray], None], graph: hl.Graph, known: np.ndarray) -> float:
    start = time.perf_counter()
    work(graph, known)
    return time.perf_counter() - start


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
