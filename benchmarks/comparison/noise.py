"""Is a comparison right? Its verdicts and its F1 beside the truth, which it does not see.

    HALFLABEL_DATA=... python benchmarks/comparison/noise.py [--only GRAPH ...]

Other known positives are drawn each time. The truth is AUC and F1 among the unlabelled nodes of a method that
was fitted with all known positives. With --only, rows of the other graphs are kept from earlier results.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.auc import pu_auc
from halflabel.comparison.contestants import contestants
from halflabel.comparison.noise import mean_difference
from machine import describe_machine, write_json

METHODS = ("gpl", "naive", "naive:mlp", "cvir")
FOLDS = 5
# Share of the positives that is known.
GRAPHS = {"texas": 0.5, "wisconsin": 0.5, "payments": 0.3, "cora": 0.1}


def one_draw(name: str, seed: int) -> dict[str, object]:
    """Verdicts, and how often intervals of paired differences hold the true difference, with what width."""
    graph, y = hl.load_dataset(name)
    positive = 1 if name == "payments" else int(np.bincount(y).argmax())
    known = hl.hide_positives(y, GRAPHS[name], random_state=seed, positive_class=positive)
    found = hl.compare(graph, known, METHODS, folds=FOLDS, random_state=seed)
    auc, f1 = {}, {}
    for method, model in contestants(METHODS, random_state=seed).items():
        card = hl.score_unlabelled(model.fit(graph, known), y == positive, known)
        hidden = (y == positive) & ~known
        auc[method], f1[method] = pu_auc(model.scores_[hidden], model.scores_[~known]), card.f1
    rows = {row.method: row for row in found.rows}
    pairs = [pair(rows[a].placements, rows[b].placements, auc[a] - auc[b]) for a, b in combinations(rows, 2)]
    true_best = max(auc, key=lambda method: auc[method])
    return {
        "graph": name, "seed": seed, "known": found.known, "unlabelled": found.unlabelled,
        "best": found.best, "tied": found.tied, "worse": found.worse, "true_best": true_best,
        "prior": round(found.prior.value, 4), "true_prior": round(float((y[~known] == positive).mean()), 4),
        "pairs": pairs,
        "methods": {method: {"auc": round(row.mean("auc").value, 4), "true_auc": round(auc[method], 4),
                             "f1": round(row.mean("f1").value, 4), "true_f1": round(f1[method], 4)}
                    for method, row in rows.items()},
    }


def pair(first: tuple[float, ...], second: tuple[float, ...], truth: float) -> dict[str, float]:
    """The estimated and the true difference, and the margins with and without the correction."""
    gap = mean_difference(first, second, FOLDS, comparisons=1)
    plain = gap.margin / np.sqrt(1 + FOLDS / (FOLDS - 1))
    return {"gap": round(gap.value, 4), "truth": round(truth, 4), "margin": round(gap.margin, 4),
            "uncorrected": round(plain, 4)}


def summary(rows: list[dict]) -> dict[str, float]:
    """Shares over draws and pairs."""
    pairs = [pair for row in rows for pair in row["pairs"]]
    claims = [pair for pair in pairs if abs(pair["gap"]) > pair["margin"]]
    methods = [method for row in rows for method in row["methods"].values()]
    held, held_uncorrected = (float(np.mean([abs(p["gap"] - p["truth"]) <= p[margin] for p in pairs]))
                              for margin in ("margin", "uncorrected"))
    return {
        "draws": len(rows),
        "coverage": held,
        "coverage_uncorrected": held_uncorrected,
        "differences_claimed": len(claims) / len(pairs),
        "wrong_direction": sum(p["gap"] * p["truth"] < 0 for p in claims) / len(pairs),
        "true_best_called_worse": float(np.mean([row["true_best"] in row["worse"] for row in rows])),
        "auc_bias": float(np.mean([m["auc"] - m["true_auc"] for m in methods])),
        "auc_error": float(np.mean([abs(m["auc"] - m["true_auc"]) for m in methods])),
        "f1_error": float(np.mean([abs(m["f1"] - m["true_f1"]) for m in methods])),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "noise.json")
    parser.add_argument("--only", nargs="+", choices=GRAPHS, default=list(GRAPHS), metavar="GRAPH")
    parser.add_argument("--draws", type=int, default=10)
    arguments = parser.parse_args()
    earlier = json.loads(arguments.out.read_text())["rows"] if arguments.out.exists() else []
    rows = [row for row in earlier if row["graph"] not in arguments.only]
    for name in arguments.only:
        rows += [one_draw(name, seed) for seed in range(arguments.draws)]
        own = summary([row for row in rows if row["graph"] == name])
        print(name, {key: round(value, 3) for key, value in own.items()}, flush=True)
        means = {graph: summary([row for row in rows if row["graph"] == graph])
                 for graph in GRAPHS if any(row["graph"] == graph for row in rows)}
        write_json(arguments.out, {"machine": describe_machine(threads=1), "folds": FOLDS,
                                   "summary": {"all": summary(rows), **means}, "rows": rows})


if __name__ == "__main__":
    main()
