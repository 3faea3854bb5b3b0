"""Auto's prior, which knows no negative, against BBE on the scores of networks that learned from all labels.

On the smallest graphs five splits tell little: fifteen of each.

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
RESULTS = Path(__file__).parent / "results"


def errors(name: str, seed: int) -> dict[str, float]:
    """Estimate less truth, by who makes it."""
    graph, y = hl.load_dataset(name)
    truth, known = y == np.bincount(y).argmax(), hl.hide_positives(y, random_state=seed)
    found = {"auto": hl.Auto(random_state=seed).fit(graph, known).prior_}
    for backbone in ("gcn", "mlp"):
        scores = hl.cross_fit(graph, truth, backbone, random_state=seed).scores
        found[f"bbe, supervised {backbone}"] = best_bin(scores[known], scores[~known])
    return {who: value - float(truth[~known].mean()) for who, value in found.items()}


def more_than(other: list[float], splits: list[dict[str, float]]) -> tuple[float, float]:
    """How much larger Auto's errors are, split by split: the mean and its standard error."""
    auto = np.abs([split["auto"] for split in splits[: len(other)]])
    more = auto - np.abs(other)
    return round(float(more.mean()), 4), round(float(more.std(ddof=1) / np.sqrt(len(more))), 4)


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
        for who in splits[0]:
            by_split = [round(split[who], 4) for split in splits]
            rows.append({"graph": graph, "who": who, "error": round(float(np.mean(np.abs(by_split))), 4),
                         "error_of_the_first_five": round(float(np.mean(np.abs(by_split[:5]))), 4),
                         "auto_errs_more_by": more_than(by_split, splits),
                         "auto_errs_more_by_in_the_first_five": more_than(by_split[:5], splits),
                         "by_split": by_split})
            print(f"{graph:10s} {who:22s} {rows[-1]['error']:.3f}", flush=True)
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
