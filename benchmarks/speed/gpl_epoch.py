"""How long GPL's parts take, against the same written with torch_geometric and autograd (`rivals.py`).

Three comparisons on random graphs of ten neighbours a node and 16 features, K = 10, one thread: a whole epoch
of GPL; a mask step, which is label propagation with its gradient; and a classifier step against
torch_geometric's GCN on a sparse matrix that was normalised beforehand, its best path. Contestants take turns
in one process, so that a busy moment hits both; what is reported is the ratio of their medians. A turn lasts
a tenth of a second, or one step if that is longer: steps follow each other in training, and if turns changed
after every short one, the filling of caches would be measured (`--least 0` does that). Both see the nodes in
the order in which a fit would have them, and memory as a fit would keep it.

    python benchmarks/speed/gpl_epoch.py [--sizes 1e4,1e5,1e6,1e7]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

import halflabel as hl  # before torch_geometric is at work, so that large tensors get large pages

sys.path.insert(0, str(Path(__file__).parents[1]))
from rivals import PlainEpoch, SparseNetworkStep, plain_propagation

from halflabel.losses import balanced_loss, mean_over
from halflabel.memory import check_room
from halflabel.methods.gpl import GPL, SELF_LOOP, Run
from halflabel.order import arrange
from halflabel.propagation import label_propagation_loss, propagate
from machine import describe_machine, write_json

Step = Callable[[], object]
DEGREE = 10


def whole_epoch(run: Run) -> Step:
    """As in `GPL.epochs_of`, after the warm-up."""
    def epoch() -> None:
        run.learn_edges(1)
        run.estimate_prior()
        run.select()
        run.step_classifier()

    return epoch


def propagation(run: Run, plain: PlainEpoch) -> dict[str, Step]:
    """The loss of label propagation and its gradient with respect to the mask."""
    start = torch.where(run.P[0], 1.0, 0.3)
    positive, negative = mean_over(run.P)[0], mean_over(run.U)[0]

    def ours() -> None:
        e = propagate(run.adjacency, torch.sigmoid(run.theta), start, steps=run.settings.K,
                      retain=run.settings.alpha, self_loop=SELF_LOOP)
        label_propagation_loss(e, positive, negative).backward()

    def theirs() -> None:
        E = plain_propagation(plain, start)
        (-(positive @ E[:, 0].log()) - negative @ E[:, 1].log()).backward()

    return {"halflabel": ours, "torch_geometric": theirs}


def classifier_step(run: Run, sparse: SparseNetworkStep) -> dict[str, Step]:
    """P against U, one step, the graph as it is."""
    positive, negative = mean_over(run.P), mean_over(run.U)
    return {"halflabel": lambda: run.descend(lambda f: balanced_loss(f, positive, negative)),
            "torch_geometric": sparse}


def in_turn(contestants: dict[str, Step], rounds: int, least: float) -> dict[str, float]:
    """Median seconds of each for a step, in turns of at least so many seconds."""
    seconds: dict[str, list[float]] = {label: [] for label in contestants}
    for _ in range(rounds + 2):
        for label, step in contestants.items():
            seconds[label].append(turn(step, least))
    return {label: float(np.median(times[2:])) for label, times in seconds.items()}


def turn(step: Step, least: float) -> float:
    """Seconds for a step, on average."""
    start, steps, passed = time.perf_counter(), 0, -1.0
    while passed < least:
        step()
        steps, passed = steps + 1, time.perf_counter() - start
    return passed / steps


def compare(size: int, least: float) -> list[dict[str, object]]:
    """All three comparisons on one graph of about so many stored edges."""
    listed, y = hl.synthetic(size // DEGREE, degree=DEGREE, features=16, random_state=0)
    settings = GPL(folds=1, K=10, guide=False)
    check_room(settings, listed)
    graph, _ = arrange(listed)
    problem = settings.pose(graph, hl.hide_positives(y, positive_class=1))
    torch.manual_seed(0)
    run = Run(settings, problem, graph)
    plain = PlainEpoch(problem, settings, held_out=torch.as_tensor(run.judged))
    sparse = SparseNetworkStep(problem, settings.hidden, run.graph.inverse_root_degree)
    contests = {
        "classifier step, sparse matrix": classifier_step(run, sparse),
        "propagation": propagation(run, plain),
        "whole epoch": {"halflabel": whole_epoch(run), "torch_geometric": plain},
    }
    rounds = int(np.clip(3e7 // size, 5, 30 if least else 100))
    rows = []
    for what, contestants in contests.items():
        medians = in_turn(contestants, rounds, least)
        ratio = medians["torch_geometric"] / medians["halflabel"]
        print(f"{size:>11,} stored edges   {what:31s} halflabel {1e3 * medians['halflabel']:9.2f} ms   "
              f"torch_geometric {1e3 * medians['torch_geometric']:9.2f} ms   {ratio:5.1f}x", flush=True)
        rows.append({"stored_edges": len(problem.adjacency.col), "what": what, "rounds": rounds,
                     "least_seconds": least, "ratio": round(ratio, 2), "median_seconds": medians})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "gpl-epoch.json")
    parser.add_argument("--sizes", default="1e4,1e5,1e6,1e7")
    parser.add_argument("--least", type=float, default=0.1, help="seconds of a turn")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = [row for size in arguments.sizes.split(",") for row in compare(int(float(size)), arguments.least)]
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
