"""How long GRAB takes, against the same written down as it is printed, and where the time goes.

The rival has a message for every pair of nodes in dense n x n tensors, and networks of torch_geometric's
GCNConv, 1,000 epochs an iteration. Its whole fit would take the machine for minutes, so epochs and sweeps of
both are timed in turn, in one process and one thread, and a fit is counted from their medians: as many
trainings and sweeps as our default fit of the same split needed. Ours then has five networks, and the rival
one; the same single network for the same 1,000 epochs is compared too.

    python benchmarks/speed/grab.py --out benchmarks/speed/results/grab.json
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
from halflabel.edges.beliefs import node_log_odds, propagate_beliefs
from halflabel.methods.grab import GRAB, Run
from machine import describe_machine, write_json

CHUNK = 10  # epochs at a time
SWEEPS = 3
AGREEMENT = 0.9


class Plain:
    """GRAB with the layers of torch_geometric and dense messages."""

    def __init__(self, problem: Problem):
        adjacency, X = problem.adjacency, problem.X
        self.edge_index = torch.stack([adjacency.rows, adjacency.col]).long()
        self.A = adjacency.weighted().to_dense() > 0
        self.x = torch.as_tensor(X if isinstance(X, np.ndarray) else X.toarray())
        self.P, self.U = (torch.as_tensor(mask) for mask in (problem.positive, problem.unlabelled))
        self.first, self.second, self.head = GCNConv(self.x.shape[1], 16), GCNConv(16, 16), nn.Linear(16, 1)
        self.network = nn.ModuleList([self.first, self.second, self.head])
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=1e-3)
        self.belief = torch.zeros(len(self.x))
        self.lowest, self.kept = np.inf, {}

    def logits(self) -> Tensor:
        h = torch.relu(self.first(self.x, self.edge_index))
        return self.head(torch.relu(self.second(h, self.edge_index)))[:, 0]

    def train(self, epochs: int) -> None:
        for _ in range(epochs):
            f, b = self.logits(), self.belief[self.U]
            on_u = b * torch.sigmoid(-f[self.U]) + (1 - b) * torch.sigmoid(f[self.U])
            loss = torch.sigmoid(-f[self.P]).mean() + on_u.mean()
            if loss.item() < self.lowest:
                self.lowest = loss.item()
                self.kept = {name: value.clone() for name, value in self.network.state_dict().items()}
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()

    def propagate(self, log_odds: Tensor, sweeps: int) -> Tensor:
        """Message [i, j] is what i tells j; where there is no edge it says nothing."""
        e = AGREEMENT
        psi = torch.tensor([[e / 2, (1 - e) / 2], [(1 - e) / 2, e / 2]])
        phi = torch.stack([torch.sigmoid(-log_odds), torch.sigmoid(log_odds)], dim=-1).float()
        m, b = torch.full((len(phi), len(phi), 2), 0.5), phi
        for _ in range(sweeps):
            m = (b[:, None] / m.transpose(0, 1)) @ psi
            m = torch.where(self.A[..., None], m / m.sum(dim=-1, keepdim=True), 0.5)
            b = torch.softmax(phi.log() + m.log().sum(dim=0), dim=-1)
        return b[:, 1]


def sigmoid_loss_chunk(run: Run) -> Callable[[], object]:
    """Some epochs of our training, from where the last ones ended."""
    nobody = torch.zeros(run.P.shape)
    return lambda: run.train(nobody)


def measure(graph: hl.Graph, known: np.ndarray, rounds: int) -> tuple[dict[str, float], float]:
    """Median seconds of an epoch or a sweep of each, taken in turn; and how far the beliefs are apart."""
    torch.manual_seed(0)
    model, single = GRAB(epochs=CHUNK), GRAB(epochs=CHUNK, folds=0)
    problem = model.pose(graph, known)
    ours, alone, plain = Run(model, problem), Run(single, problem), Plain(problem)
    called = torch.as_tensor(known) | (torch.rand(ours.P.shape) < 0.1)
    odds = node_log_odds(ours.P, called, torch.full((len(ours.P), 1), 0.15, dtype=torch.float64))

    def our_sweeps() -> Tensor:
        return propagate_beliefs(
            problem.adjacency, odds, agreement=AGREEMENT, tolerance=0.0, most_sweeps=SWEEPS).positive

    apart = (our_sweeps()[0] - plain.propagate(odds[0], SWEEPS)).abs().max().item()
    work: dict[str, tuple[Callable[[], object], int]] = {
        "halflabel, epoch of five networks": (sigmoid_loss_chunk(ours), CHUNK),
        "halflabel, epoch of one network": (sigmoid_loss_chunk(alone), CHUNK),
        "plain, epoch of one network": (lambda: plain.train(CHUNK), CHUNK),
        "halflabel, sweep for five networks": (our_sweeps, SWEEPS),
        "plain, sweep for one network": (lambda: plain.propagate(odds[0], SWEEPS), SWEEPS),
    }
    seconds: dict[str, list[float]] = {label: [] for label in work}
    for _ in range(rounds + 1):
        for label, (run, units) in work.items():
            start = time.perf_counter()
            run()
            seconds[label].append((time.perf_counter() - start) / units)
    return {label: float(np.median(times[1:])) for label, times in seconds.items()}, apart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "grab.json")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--graph", default="cora")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    graph, y = hl.load_dataset(arguments.graph)
    known = hl.hide_positives(y)

    start = time.perf_counter()
    model = GRAB().fit(graph, known)
    whole = time.perf_counter() - start
    trainings = 1 + int(model.history_[-1]["iteration"])
    sweeps = sum({record["iteration"]: record.get("sweeps", 0) for record in model.history_}.values())

    medians, apart = measure(graph, known, arguments.rounds)
    paper_epochs = GRAB.paper_settings()["epochs"]
    ours = {"training": trainings * model.epochs * medians["halflabel, epoch of five networks"],
            "belief propagation": sweeps * medians["halflabel, sweep for five networks"]}
    plain = {"training": trainings * paper_epochs * medians["plain, epoch of one network"],
             "belief propagation": sweeps * medians["plain, sweep for one network"]}
    single = trainings * paper_epochs * medians["halflabel, epoch of one network"]
    one_training = paper_epochs * medians["halflabel, epoch of one network"]
    total = sum(ours.values())
    ratios = {
        "whole fit, ours by default": sum(plain.values()) / total,
        "whole fit, ours as published": sum(plain.values()) / (single + ours["belief propagation"]),
        "epoch of one network": medians["plain, epoch of one network"]
                                / medians["halflabel, epoch of one network"],
        "sweep of one network": medians["plain, sweep for one network"]
                                / (medians["halflabel, sweep for five networks"] / model.folds),
    }
    for label, ratio in ratios.items():
        print(f"{label:32s} {ratio:8.1f}x")
    print(f"a default fit costs {total / one_training:.1f} trainings of {paper_epochs} epochs")
    write_json(arguments.out, {
        "machine": describe_machine(threads=1), "graph": arguments.graph, "rounds": arguments.rounds,
        "trainings": trainings, "sweeps": sweeps, "ratios": {k: round(v, 2) for k, v in ratios.items()},
        "cost_in_full_trainings": round(total / one_training, 2),
        "share_of_belief_propagation": {"halflabel": round(ours["belief propagation"] / total, 4),
                                        "plain": round(plain["belief propagation"] / sum(plain.values()), 4)},
        "largest_difference_of_beliefs": apart, "median_seconds": medians,
        "counted_seconds": {"halflabel": ours, "plain": plain}, "seconds_of_our_fit": round(whole, 2)})


if __name__ == "__main__":
    main()
