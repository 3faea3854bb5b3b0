"""How long an epoch of GPL takes, against the same written with torch_geometric and autograd.

Both run in one process, one thread, epoch by epoch in turn, so that a busy moment of the machine hits both;
what is reported is the ratio of their medians. The rival is given less to do: no prior, no selection, no
second look at the posterior. It is what a user would write first: a two-layer GCNConv network with edge
weights, and label propagation by gathering and scattering, differentiated by autograd.

    python benchmarks/speed/gpl_epoch.py --out benchmarks/speed/results/gpl-epoch.json
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.nn import GCNConv

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.base import Problem
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.methods.gpl import GPL, SELF_LOOP, Run
from machine import describe_machine, write_json

GRAPHS = ("cora", "pubmed", "synthetic-1e6")


class PlainEpoch:
    """One mask step and one classifier step, as torch_geometric and autograd do them."""

    def __init__(self, problem: Problem, settings: GPL):
        adjacency = problem.adjacency
        self.K, self.alpha = settings.K, settings.alpha
        self.edge_index = torch.stack([adjacency.rows, adjacency.col]).long()
        self.edge = adjacency.edge.long()
        X = problem.X
        self.x = torch.as_tensor(X if isinstance(X, np.ndarray) else X.toarray())
        self.P, self.U = (torch.as_tensor(mask) for mask in (problem.positive, problem.unlabelled))
        self.first, self.second = GCNConv(self.x.shape[1], settings.hidden), GCNConv(settings.hidden, 1)
        self.network = nn.ModuleList([self.first, self.second])
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=0.01, weight_decay=5e-4)
        self.theta = torch.full((adjacency.n_edges,), 3.0, requires_grad=True)
        self.mask_optimiser = torch.optim.Adam([self.theta], lr=0.01)
        self.posterior = torch.full((len(self.x),), 0.5)

    def logits(self, weight: Tensor, training: bool) -> Tensor:
        h = torch.relu(self.first(self.x, self.edge_index, weight))
        h = nn.functional.dropout(h, 0.5, training)
        return self.second(h, self.edge_index, weight)[:, 0]

    def __call__(self) -> None:
        self.learn_edges()
        weight = torch.sigmoid(self.theta.detach())[self.edge]
        logits = self.logits(weight, training=True)
        loss = nn.functional.softplus(-logits[self.P]).mean() + nn.functional.softplus(logits[self.U]).mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.posterior = torch.sigmoid(logits.detach())

    def learn_edges(self) -> None:
        row, col = self.edge_index
        weight = torch.sigmoid(self.theta)[self.edge]
        degree = torch.zeros(len(self.x)).scatter_add(0, row, weight) + SELF_LOOP
        e = torch.where(self.P, 1.0, self.posterior)
        E = torch.stack([e, 1 - e], dim=1)
        for _ in range(self.K):
            gathered = torch.zeros_like(E).index_add(0, row, weight[:, None] * E[col]) + SELF_LOOP * E
            E = self.alpha * E + (1 - self.alpha) * gathered / degree[:, None]
        loss = -E[self.P, 0].log().mean() - E[self.U, 1].log().mean()
        self.mask_optimiser.zero_grad()
        loss.backward()
        self.mask_optimiser.step()


def our_epoch(run: Run) -> Callable[[], None]:
    def epoch() -> None:
        run.learn_edges(1)
        run.estimate_prior()
        run.select()
        run.step_classifier()

    return epoch


def load(name: str) -> tuple[Graph, np.ndarray]:
    if name == "synthetic-1e6":
        graph, y = hl.synthetic(100_000, degree=10, features=64, random_state=0)
        return graph, hl.hide_positives(y, positive_class=1)
    graph, y = hl.load_dataset(name)
    return graph, hl.hide_positives(y)


def compare(name: str, K: int, rounds: int) -> dict[str, object]:
    """Median seconds of both, taken in turn, and their ratio."""
    graph, known = load(name)
    settings = GPL(folds=1, K=K, guide=False)
    problem = settings.pose(graph, known)
    torch.manual_seed(0)
    ours, plain = our_epoch(Run(settings, problem, graph)), PlainEpoch(problem, settings)
    seconds: dict[str, list[float]] = {"halflabel": [], "torch_geometric": []}
    for _ in range(rounds + 3):
        for label, epoch in (("halflabel", ours), ("torch_geometric", plain)):
            start = time.perf_counter()
            epoch()
            seconds[label].append(time.perf_counter() - start)
    medians = {label: float(np.median(times[3:])) for label, times in seconds.items()}
    ratio = medians["torch_geometric"] / medians["halflabel"]
    edges = len(problem.adjacency.col)
    print(f"{name:14s} K={K:<2d} {edges:>9,} stored edges   "
          f"halflabel {1e3 * medians['halflabel']:8.1f} ms   "
          f"torch_geometric {1e3 * medians['torch_geometric']:8.1f} ms   {ratio:5.1f}x", flush=True)
    return {"graph": name, "K": K, "stored_edges": edges, "rounds": rounds, "ratio": round(ratio, 2),
            "median_seconds": medians}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "gpl-epoch.json")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for name in arguments.graphs.split(","):
        for K in (1, 10):
            try:
                rows.append(compare(name, K, arguments.rounds))
            except DataError as error:
                print(f"{name}: skipped, {error}")
                break
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
