"""What an order of the nodes with neighbours near each other is worth, and what it costs.

Two graphs of ten neighbours a node, listed in random order: in one of them neighbours come from a stretch of
200 nodes, in the other from anywhere. A product with the adjacency as listed, and as
`halflabel.order.arrange` has it, in turn in one process with one thread.

    python benchmarks/speed/locality.py [--sizes 1e6,1e7]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
from halflabel.edges.adjacency import Adjacency
from halflabel.graph import Graph
from halflabel.order import arrange
from machine import describe_machine, write_json

ROUNDS = 15


def listed_at_random(nodes: int, stretch: int) -> Graph:
    """Every node has five followers within the stretch after it, and so about ten neighbours."""
    rng = np.random.default_rng(0)
    source = np.repeat(np.arange(nodes), 5)
    target = (source + rng.integers(1, stretch, len(source))) % nodes
    number = rng.permutation(nodes)
    return Graph.from_edges(number[source], number[target], np.zeros((nodes, 1), dtype=np.float32))


def compare(size: int, kind: str) -> dict[str, object]:
    nodes = size // 10
    graph = listed_at_random(nodes, 200 if kind == "with locality" else nodes)
    start = time.perf_counter()
    arranged, _ = arrange(graph)
    cost = time.perf_counter() - start
    matrices = [Adjacency.from_scipy(each.symmetric()).weighted() for each in (graph, arranged)]
    vector, seconds = torch.rand(nodes), np.empty((ROUNDS, 2))
    for row in seconds:
        for place, matrix in enumerate(matrices):
            start = time.perf_counter()
            matrix.mv(vector)
            row[place] = time.perf_counter() - start
    listed, ordered = np.median(seconds, axis=0)
    kept = arranged is not graph
    print(f"{size:>11,} stored edges {kind:17s} order kept: {kept!s:5}  a product {listed / ordered:.2f}x as "
          f"fast, the order costs {cost / listed:.0f} products", flush=True)
    return {"stored_edges": size, "graph": kind, "kept": kept, "ratio": round(listed / ordered, 2),
            "cost_in_products": round(cost / listed), "seconds": {"listed": listed, "arranged": ordered}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "locality.json")
    parser.add_argument("--sizes", default="1e6,1e7")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = [compare(int(float(size)), kind) for size in arguments.sizes.split(",")
            for kind in ("with locality", "without locality")]
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
