"""Auto and the floor on tasks besides the nine graphs (elsewhere_tasks.py); half of the positives are known.

Auto flags as many nodes as promise the largest F1. "At its share" is F1 if it flagged as many as it takes for
positive, "at the true share" if the prior were known, which tells what its estimate costs.

    HALFLABEL_DATA=... python benchmarks/auto/elsewhere.py [--kinds tables,planted] [--jobs 2] [--seed 1]

Graphs and tables of packages (packaged_tasks.py, record_tasks.py) are among the tasks if $HALFLABEL_PACKAGES
is where they are. What has been measured is kept: stopped, the same command goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import f1_score

sys.path.insert(0, str(Path(__file__).parents[1]))
from elsewhere_tasks import Task, tasks_made_here
from packaged_tasks import packaged_tasks
from record_tasks import record_tasks

import halflabel as hl
from halflabel.metrics import all_positive_f1
from machine import describe_machine, write_json

RESULTS = Path(__file__).parent / "results" / "elsewhere.json"
Row = dict[str, Any]


def all_tasks() -> Iterator[tuple[str, str, Task]]:
    """Kind, name and task; a graph is read or made when its task is called."""
    yield from tasks_made_here()
    if packages := os.environ.get("HALFLABEL_PACKAGES"):
        yield from packaged_tasks(Path(packages))
        yield from record_tasks(Path(packages))


def measure(kind: str, name: str, seed: int) -> Row:
    """Both methods on one task."""
    torch.set_num_threads(1)
    graph, truth = {(kind, name): task for kind, name, task in all_tasks()}[kind, name]()
    known = hl.hide_positives(truth, positive_class=True, random_state=seed)
    prior = float(truth[~known].mean())
    row: Row = {"kind": kind, "task": name, "seed": seed, "nodes": graph.n_nodes, "known": int(known.sum()),
                "true_prior": round(prior, 4), "all_positive": round(all_positive_f1(prior), 4)}
    for method in ("auto", "naive"):
        model = hl.methods()[method](random_state=seed).fit(graph, known)
        row[method] = judged(model, truth, known)
    return row


def judged(model: Any, truth: np.ndarray, known: np.ndarray) -> dict[str, Any]:
    """What is known of it in the end."""
    card, (low, high) = hl.score_unlabelled(model, truth, known), model.prior_interval_
    y, probability = truth[~known], model.predict_proba()[~known, 1]
    best = np.argsort(-model.scores_[~known], kind="stable")[: int(y.sum())]
    at_its_share = f1_score(y, hl.flag(probability, "prior"))
    return {"f1": round(card.f1, 4), "f1_at_its_share": round(float(at_its_share), 4),
            "f1_at_the_true_share": round(float(y[best].mean()), 4),
            "ap": round(card.average_precision, 4), "prior": round(card.prior, 4),
            "interval": [round(low, 4), round(high, 4)], "held": bool(low <= card.true_prior <= high),
            "prior_error": round(card.prior_error, 4)}


def summary(rows: list[Row]) -> str:
    """A table with a line for each kind of task, F1 in percent."""
    heads = ("", "tasks", "all positive", "floor", "Auto", "at its share", "at the true share",
             "prior errs by", "floor's", "interval holds the truth")
    lines = [" | ".join(heads), " | ".join(["---"] * len(heads))]
    for kind in dict.fromkeys(row["kind"] for row in rows):
        chosen = [row for row in rows if row["kind"] == kind]
        auto, naive = ([row[method] for row in chosen] for method in ("auto", "naive"))
        f1 = [mean(chosen, "all_positive"), mean(naive, "f1"), mean(auto, "f1"),
              mean(auto, "f1_at_its_share"), mean(auto, "f1_at_the_true_share")]
        errors = [mean(auto, "prior_error"), mean(naive, "prior_error")]
        lines.append(" | ".join([
            kind, str(len(chosen)), *(f"{100 * value:.1f}" for value in f1), *(f"{by:.3f}" for by in errors),
            f"{sum(one['held'] for one in auto)} of {len(chosen)}"]))
    return "\n".join(f"| {line} |" for line in lines)


def mean(rows: list[Row], what: str) -> float:
    return float(np.mean([row[what] for row in rows]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", help="tables,planted,...; all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    order = [(kind, name) for kind, name, _ in all_tasks()]
    place = {task: at for at, task in enumerate(order)}
    rows = json.loads(arguments.out.read_text())["rows"] if arguments.out.exists() else []
    done = {(row["kind"], row["task"], row["seed"]) for row in rows}
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(measure, kind, name, arguments.seed) for kind, name in order
                   if (kind, name, arguments.seed) not in done
                   and (not arguments.kinds or kind in arguments.kinds.split(","))]
        for count, future in enumerate(as_completed(running), start=1):
            rows.append(future.result())
            rows.sort(key=lambda row: place.get((row["kind"], row["task"]), len(place)))
            print(f"{count} of {len(running)}: {future.result()}", flush=True)
            write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})
    print(summary(rows))


if __name__ == "__main__":
    main()
