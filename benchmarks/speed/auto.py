"""What Auto costs, in trainings of a plain graph network: two layers of torch_geometric, 200 epochs.

Both run in turn, in one process and one thread.

    HALFLABEL_DATA=... python benchmarks/speed/auto.py --out benchmarks/speed/results/auto.json
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

GRAPHS = ("cora", "pubmed")
EPOCHS = 200
HIDDEN = 16


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "auto.json")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name in GRAPHS:
        graph, y = hl.load_dataset(name)
        known = hl.hide_positives(y, random_state=0)
        times = [[seconds(work, graph, known) for work in (plain_training, auto_fit)]
                 for _ in range(arguments.rounds)]
        plain, auto = np.median(times, axis=0).tolist()
        rows.append({"graph": name, "plain_seconds": plain, "auto_seconds": auto, "trainings": auto / plain})
        print(f"{name}: training {plain:.1f} s, Auto {auto:.1f} s, {auto / plain:.1f} trainings", flush=True)
    write_json(arguments.out,
               {"machine": describe_machine(threads=1), "rounds": arguments.rounds, "rows": rows})


if __name__ == "__main__":
    main()
