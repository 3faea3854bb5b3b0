"""Auto's prior, which knows no negative, against BBE on the scores of networks that learned from all labels.

On the smallest graphs five splits tell little: fifteen of each. How folds are drawn is luck too, of which an
estimate on scores of one draw has most: each split is estimated several times, and a split's error is the
mean of the absolute ones.

    HALFLABEL_DATA=... python benchmarks/auto/supervised_prior.py [--graphs texas] [--seeds 15]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.priors import best_bin
from machine import describe_machine, write_json

GRAPHS = ("cornell", "wisconsin", "texas")
TIMES = {"auto": 3, "bbe, supervised gcn": 20, "bbe, supervised mlp": 20}  # that each split is estimated
RESULTS = Path(__file__).parent / "results"


def estimate(who: str, graph: hl.Graph, truth: np.ndarray, known: np.ndarray, random_state: int) -> float:
    if who == "auto":
        return hl.Auto(random_state=random_state).fit(graph, known).prior_
    scores = hl.cross_fit(graph, truth, who.split()[-1], random_state=random_state).scores
    return best_bin(scores[known], scores[~known])


def errors(name: str, seed: int) -> dict[str, np.ndarray]:
    """Estimates less truth, by who makes them; the first as the seed says."""
    graph, y = hl.load_dataset(name)
    truth, known = y == np.bincount(y).argmax(), hl.hide_positives(y, random_state=seed)
    return {who: np.array([estimate(who, graph, truth, known, seed + 1000 * time) for time in range(times)])
            - truth[~known].mean() for who, times in TIMES.items()}


def mean_and_error(values: np.ndarray) -> tuple[float, float]:
    """Over splits, and its standard error."""
    return round(float(values.mean()), 4), round(float(values.std(ddof=1) / np.sqrt(len(values))), 4)


def row_of(graph: str, who: str, splits: list[dict[str, np.ndarray]]) -> dict[str, object]:
    own, auto = (np.array([np.abs(split[one]).mean() for split in splits]) for one in (who, "auto"))
    return {"graph": graph, "who": who, "error": round(float(own.mean()), 4),
            "error_of_the_first_five": round(float(own[:5].mean()), 4),
            "auto_errs_more_by": mean_and_error(auto - own),
            "auto_errs_more_by_in_the_first_five": mean_and_error((auto - own)[:5]),
            "first_estimate": [round(float(split[who][0]), 4) for split in splits],
            "error_by_split": own.round(4).tolist()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--out", type=Path, default=RESULTS / "supervised-prior.json")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for graph in arguments.graphs.split(","):
        splits = [errors(graph, seed) for seed in range(arguments.seeds)]
        for who in TIMES:
            rows.append(row_of(graph, who, splits))
            print(f"{graph:10s} {who:22s} {rows[-1]['error']:.3f}", flush=True)
    write_json(arguments.out, {"machine": describe_machine(threads=1), "times": TIMES, "rows": rows})


if __name__ == "__main__":
    main()
