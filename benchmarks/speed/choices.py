"""Choices made for speed, each against its alternative, in turn in one process with one thread.

    HALFLABEL_DATA=... python benchmarks/speed/choices.py
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
from growth import ring

import halflabel as hl
from halflabel.edges.adjacency import Adjacency
from halflabel.edges.csr import csr_tensor, product
from halflabel.methods.gpl import GPL, Run
from halflabel.nets import FeatureMatrix, layout
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.gcn import convolve
from halflabel.training.adam import Adam
from machine import describe_machine, write_json

ROUNDS, WARM_UP = 100, 5


def medians(contestants: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Median seconds of each, one call of each in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds + WARM_UP):
        for name, call in contestants.items():
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return {name: float(np.median(times[WARM_UP:])) for name, times in seconds.items()}


def start() -> dict[str, float]:
    """A process that takes one step: what the optimiser imports counts."""
    step = "; x = torch.zeros(1, requires_grad=True); x.sum().backward(); {}([x], lr=0.1).step()"
    kinds = {"torch.optim.Adam": "import torch" + step.format("torch.optim.Adam"),
             "Adam": "import torch; from halflabel.training.adam import Adam" + step.format("Adam")}
    return medians({name: lambda code=code: subprocess.run([sys.executable, "-c", code], check=True)
                    for name, code in kinds.items()}, rounds=5)


def dropout() -> dict[str, float]:
    """A step's dropout at 10^6 edges: 100,000 nodes, 16 hidden units."""
    x = torch.randn(100_000, 16)
    theirs, ours = torch.nn.Dropout(0.5), ByteDropout(0.5)
    return medians({"torch.nn.Dropout": lambda: theirs(x), "ByteDropout": lambda: ours(x)})


def adam() -> dict[str, float]:
    """A step on the first layer of 25 networks for Texas: 1,703 features, 16 hidden units."""
    weights = [torch.nn.Parameter(torch.randn(25, 1703, 16)) for _ in range(2)]
    theirs = torch.optim.Adam(weights[:1], lr=0.01, weight_decay=5e-4)
    ours = Adam(weights[1:], lr=0.01, weight_decay=5e-4)

    def step(weight: torch.nn.Parameter, optimiser: Any) -> Callable[[], None]:
        def once() -> None:
            weight.grad = torch.empty_like(weight).fill_(0.1)  # as fresh as after a backward pass
            optimiser.step()

        return once

    return medians({"torch.optim.Adam": step(weights[0], theirs), "Adam": step(weights[1], ours)})


def folds() -> dict[str, float]:
    """An epoch of GPL on Texas with one network, and with five side by side."""
    graph, y = hl.load_dataset("texas")
    known = hl.hide_positives(y)

    def epoch(members: int) -> Callable[[], None]:
        settings = GPL(folds=members, guide=False)
        run = Run(settings, settings.pose(graph, known), graph)

        def step() -> None:
            run.learn_edges(1)
            run.estimate_prior()
            run.select()
            run.step_classifier()

        return step

    return medians({"one network": epoch(1), "five networks": epoch(5)})


def products() -> dict[str, dict[str, float]]:
    """A sparse matrix times a dense one: the features of Texas times the weights of 25 networks, and a graph
    of 10^6 edges, neighbours anywhere or within 200 places, times 16 and 80 columns."""
    X = hl.load_dataset("texas")[0].X
    features = csr_tensor(*map(torch.as_tensor, (X.indptr.astype(np.int32), X.indices.astype(np.int32),
                                                 X.data.astype(np.float32))), X.shape)
    anywhere = hl.synthetic(100_000, degree=10, features=16)[0]
    graphs = {"anywhere": anywhere, "within 200": ring(100_000)[0]}
    pairs = {"features of Texas, 25 networks": (features, torch.rand(X.shape[1], 400))}
    for kind, graph in graphs.items():
        matrix = Adjacency.from_scipy(graph.symmetric()).weighted()
        pairs |= {f"neighbours {kind}, {k} columns": (matrix, torch.rand(graph.n_nodes, k)) for k in (16, 80)}
    return {what: medians({"torch": partial(torch.mm, A, B), "bags": partial(product, A, B, far=True)}, 20)
            for what, (A, B) in pairs.items()}


def networks() -> dict[str, dict[str, float]]:
    """Fifteen networks on PubMed, the columns of all of them at once, or some at a time."""
    graph, y = hl.load_dataset("pubmed")
    problem = hl.Naive().pose(graph, hl.hide_positives(y))
    X, A = FeatureMatrix(problem.X), problem.adjacency.masked()
    G, W = torch.rand(15, X.n_nodes, 48), torch.rand(15, X.n_features, 48)
    h = torch.rand(15, X.n_nodes, 16)
    works = {"X^T G": lambda: X.transposed_product(G), "X W": lambda: X._product(W),
             "graph times h": lambda: convolve(A.csr, A.inverse_root_degree, h)}

    def at(columns: int, work: Callable[[], object]) -> Callable[[], None]:
        def call() -> None:
            with mock.patch.object(layout, "AT_ONCE", columns):
                work()

        return call

    return {f"fifteen networks, {what}": medians(
                {"at once": at(10**6, work), "some at a time": at(layout.AT_ONCE, work)}, 20)
            for what, work in works.items()}


def main() -> None:
    torch.set_num_threads(1)
    results = {"start": start(), "dropout": dropout(), "adam": adam(), "folds": folds(), **products(),
               **networks()}
    for what, found in results.items():
        first, second = found.values()
        print(f"{what}: " + ", ".join(f"{name} {1e3 * value:.2f} ms" for name, value in found.items())
              + f"; the second takes {second / first:.2f} times as long as the first")
    content = {"machine": describe_machine(threads=1), "median_seconds": results}
    write_json(Path(__file__).parent / "results" / "choices.json", content)


if __name__ == "__main__":
    main()
