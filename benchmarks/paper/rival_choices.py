"""Where our settings of the rivals differ from their authors', and the alternatives; two splits a graph.

"PU AUC" sees no hidden label; F1, average precision (AP) and the error of the prior do. Rivals that take a
prior are told the true one, so that the choice of the loss is all that differs.

    HALFLABEL_DATA=... python benchmarks/paper/rival_choices.py
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from gpl_choices import one_split

import halflabel as hl
from machine import describe_machine, write_json

SEEDS = 2
GRAPHS = ("cora", "chameleon", "texas")
CHOICES: list[tuple[str, str, dict[str, object]]] = [
    ("nnpu", "defaults: logistic loss, no weight decay", {}),
    ("nnpu", "sigmoid loss", {"surrogate": "sigmoid"}),
    ("nnpu", "weight decay 5e-4", {"weight_decay": 5e-4}),
    ("labelprop", "defaults: walks chosen by held-out positives", {}),
    ("labelprop", "all walks", {"walks": "all"}),
    ("labelprop", "even walks", {"walks": "even"}),
    ("lsdan", "defaults: 100 epochs", {}),
    ("lsdan", "200 epochs", {"epochs": 200}),
    ("pugnn", "defaults: both shares estimated", {}),
    ("pugnn", "shares .6 and .3", {"near_prior": 0.6, "far_prior": 0.3}),
]


def true_prior(name: str, seed: int) -> float:
    y = hl.load_dataset(name)[1]
    known = hl.hide_positives(y, random_state=seed)
    return float((y[~known] == np.bincount(y).argmax()).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "rival-choices.json")
    arguments = parser.parse_args()
    rows = []
    for method, choice, parameters in CHOICES:
        print(f"{method}: {choice}")
        for name in GRAPHS:
            splits = []
            for seed in range(SEEDS):
                told = {} if method == "labelprop" else {"prior": true_prior(name, seed)}
                splits.append(one_split(name, seed, parameters | told, method))
            pu_auc, f1, ap, error = (round(float(value), 4) for value in np.mean(splits, axis=0))
            rows.append({"method": method, "choice": choice, "graph": name, "pu_auc": pu_auc, "f1": f1,
                         "average_precision": ap, "prior_error": error})
            print(f"  {name:10s} PU AUC {pu_auc:.3f}   F1 {f1:.3f}   AP {ap:.3f}", flush=True)
    write_json(arguments.out, {"machine": describe_machine(threads=1), "seeds": SEEDS, "rows": rows})


if __name__ == "__main__":
    main()
