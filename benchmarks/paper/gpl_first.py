"""GPL with its defaults on the paper's graphs: five splits each, one configuration for all.

The seed decides the P/U split and the weights. Labels of unlabelled nodes are used in the last step only, by
`score_unlabelled`. Graphs whose files are absent are named in the result.

    HALFLABEL_DATA=... python benchmarks/paper/gpl_first.py
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.errors import DataError
from machine import describe_machine, write_json

# Table 1 of the paper, F1 of GPL in percent.
PUBLISHED_F1 = {
    "cora": 81.9, "pubmed": 79.1, "citeseer": 74.1, "wikics": 82.3, "cornell": 37.9,
    "chameleon": 36.2, "squirrel": 37.7, "actor": 48.0, "wisconsin": 45.2, "texas": 46.3,
}
# Table 2, absolute error of the prior.
PUBLISHED_PRIOR_ERROR = {
    "cora": 0.01, "pubmed": 0.008, "citeseer": 0.01, "wikics": 0.01, "cornell": 0.04,
    "chameleon": 0.07, "squirrel": 0.02, "actor": 0.02, "wisconsin": 0.03, "texas": 0.08,
}


def one_split(name: str, seed: int) -> dict[str, float]:
    """Fit on the split of this seed; score on the unlabelled nodes."""
    graph, y = hl.load_dataset(name)
    known = hl.hide_positives(y, ratio=0.5, random_state=seed)
    start = time.perf_counter()
    model = hl.GPL(random_state=seed).fit(graph, known)
    seconds = time.perf_counter() - start
    truth = y == np.bincount(y).argmax()
    card = hl.score_unlabelled(model, truth, known)
    low, high = model.prior_interval_
    weights = edge_weights_by_kind(model, graph, truth)
    return {"seed": seed, **card._asdict(), "prior_error": card.prior_error, "prior_low": low,
            "prior_high": high, **weights, "seconds": round(seconds, 2)}


def edge_weights_by_kind(model: hl.GPL, graph: hl.Graph, truth: np.ndarray) -> dict[str, float]:
    """Mean learned weight of edges that join a positive to a negative, and of the others."""
    sources = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    mixed = truth[sources] != truth[graph.indices]
    weight = model.edge_weight_
    return {"weight_pn": float(weight[mixed].mean()), "weight_same": float(weight[~mixed].mean())}


def summarise(name: str, splits: list[dict[str, float]]) -> dict[str, object]:
    """Mean and standard deviation over splits, beside the lines to compare with."""
    def mean(key: str) -> float:
        return round(float(np.mean([split[key] for split in splits])), 4)

    return {
        "graph": name,
        "f1": mean("f1"),
        "f1_sd": round(float(np.std([split["f1"] for split in splits], ddof=1)), 4),
        "average_precision": mean("average_precision"),
        "auc": mean("auc"),
        "prior": mean("prior"),
        "true_prior": mean("true_prior"),
        "prior_error": mean("prior_error"),
        "weight_pn": mean("weight_pn"),
        "weight_same": mean("weight_same"),
        "all_positive_f1": mean("all_positive_f1"),
        "published_f1": round(PUBLISHED_F1[name] / 100, 3),
        "published_prior_error": PUBLISHED_PRIOR_ERROR[name],
        "splits": splits,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "gpl-first.json")
    parser.add_argument("--graphs", default=",".join(PUBLISHED_F1))
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    rows, absent = [], {}
    for name in arguments.graphs.split(","):
        try:
            row = summarise(name, [one_split(name, seed) for seed in range(arguments.seeds)])
        except DataError as error:
            absent[name] = "no data: its raw files are not in the data directory"
            print(f"{name:10s} {error}", flush=True)
            continue
        rows.append(row)
        print(f"{name:10s} F1 {row['f1']:.3f} +- {row['f1_sd']:.3f} (published {row['published_f1']:.3f}, "
              f"all positive {row['all_positive_f1']:.3f})  AP {row['average_precision']:.3f}  "
              f"prior {row['prior']:.3f} for {row['true_prior']:.3f}", flush=True)
    write_json(arguments.out, {
        "what": "GPL, defaults, r_p = 0.5; F1 and average precision on the unlabelled nodes",
        "parameters": hl.GPL().get_params(),
        "machine": describe_machine(threads=1),
        "rows": rows,
        "absent": absent,
    })


if __name__ == "__main__":
    main()
