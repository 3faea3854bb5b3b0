"""What the paper leaves open in GPL, decided: each choice against its alternatives, five splits a graph.

"PU AUC" is the area under the curve of held-out known positives against unlabelled nodes, by out-of-fold
scores: it sees no hidden label. F1, average precision (AP) and the error of the prior do, and show what a
choice was worth.

    HALFLABEL_DATA=... python benchmarks/paper/gpl_choices.py
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.methods import gpl
from machine import describe_machine, write_json

GRAPHS = ("texas", "cornell", "wisconsin", "cora", "citeseer", "chameleon")
CHOICES: dict[str, dict[str, object]] = {
    "defaults": {},
    "K=2": {"K": 2},
    "K=3": {"K": 3},
    "loss as printed": {"loss": "printed"},
    "S fed back as positives": {"feed_back": True},
    "only P in LPL": {"use_selected": False},
    "no LPL": {"edge_learning": False},
    "two stages": {"bilevel": False},
    "mask moves faster (.05)": {"mask_learning_rate": 0.05},
    "warm-up 20": {"warmup": 20},
    "one network, a fifth of P held out": {"folds": 1},
}


class FreePriorRun(gpl.Run):
    """Follows the running mean of the estimates instead of its minimum."""

    def estimate_prior(self) -> None:
        super().estimate_prior()
        self.prior = self.smoothed
        self.record.update(prior=self.prior)


class LastEpochRun(gpl.Run):
    """Ends where training ends."""

    def return_to_best(self) -> None:
        pass


RUNS = {"prior may rise again": FreePriorRun, "last epoch instead of the best": LastEpochRun}


def one_split(
    name: str, seed: int, parameters: dict[str, object], method: str = "gpl"
) -> tuple[float, float, float, float]:
    graph, y = hl.load_dataset(name)
    known = hl.hide_positives(y, random_state=seed)
    model = hl.methods()[method](random_state=seed, **parameters).fit(graph, known)
    honest = ~np.isnan(model.out_of_fold_)
    pu_auc = float(roc_auc_score(known[honest], model.out_of_fold_[honest]))
    card = hl.score_unlabelled(model, y == np.bincount(y).argmax(), known)
    return pu_auc, card.f1, card.average_precision, card.prior_error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "gpl-choices.json")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", help="run this choice alone, and keep the other rows of the results")
    arguments = parser.parse_args()
    rows = []
    if arguments.only:
        kept = json.loads(arguments.out.read_text())["rows"]
        rows = [row for row in kept if row["choice"] != arguments.only]
    for choice in [arguments.only] if arguments.only else [*CHOICES, *RUNS]:
        print(choice)
        original = gpl.Run
        gpl.Run = RUNS.get(choice, original)
        for name in GRAPHS:
            splits = [one_split(name, seed, CHOICES.get(choice, {})) for seed in range(arguments.seeds)]
            pu_auc, f1, ap, error = (round(float(value), 4) for value in np.mean(splits, axis=0))
            rows.append({"choice": choice, "graph": name, "pu_auc": pu_auc, "f1": f1,
                         "average_precision": ap, "prior_error": error})
            print(f"  {name:10s} PU AUC {pu_auc:.3f}   F1 {f1:.3f}   AP {ap:.3f}   prior error {error:.3f}",
                  flush=True)
        gpl.Run = original
    content = {"machine": describe_machine(threads=1), "seeds": arguments.seeds, "rows": rows}
    write_json(arguments.out, content)


if __name__ == "__main__":
    main()
