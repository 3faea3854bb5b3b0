"""What happens if known positives are not a random draw: to the prior, the ranking, the intervals.

Conspicuous positives are known rather than others. `times` says how much more likely the most conspicuous
positive is to be drawn next than the least: 1 is a random draw, at 100 hardly anybody else is known. The
number of known positives is always the same, so all that changes is who they are.

    HALFLABEL_DATA=... python benchmarks/assumptions/biased_labels.py [--graphs payments] [--seeds 5]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.base import PUNodeClassifier
from halflabel.datasets.payments import KNOWN
from halflabel.diagnose import doubts
from halflabel.errors import without_doubts
from machine import describe_machine, write_json

RESULTS = Path(__file__).parent / "results"
FEATURE = "chargebacks_30d"
TIMES = (1, 10, 100)
CASE = ("method", "graph", "bias", "times")
BIASES = {"payments": ("feature", "degree", "nearness"), "cora": ("degree", "nearness")}
METHODS: dict[str, Callable[[int], PUNodeClassifier]] = {
    "gpl": lambda seed: hl.GPL(random_state=seed), "auto": lambda seed: hl.Auto(random_state=seed)}
SLOW = {"auto": [("payments", "none", 1), ("payments", "feature", 100)]}  # a minute or more for each fit


def conspicuous(graph: hl.Graph, positives: np.ndarray, bias: str, rng: np.random.Generator) -> np.ndarray:
    """How easily each positive is noticed: by a feature, by its degree, or by nearness to the first find."""
    if bias == "feature":
        seen = np.asarray(graph.X)[:, graph.names().index(FEATURE)]
    elif bias == "degree":
        seen = graph.symmetric().count_nonzero(axis=1)
    else:
        seen = walks_from(graph, int(rng.choice(positives)))
    return np.asarray(seen, dtype=float)[positives]


def walks_from(graph: hl.Graph, first: int, restart: float = 0.15, steps: int = 50) -> np.ndarray:
    """Where walks are that started at a node and go back there now and then."""
    A = graph.symmetric().astype(bool).astype(float)
    step = (A / np.maximum(A.sum(axis=1), 1)[:, None]).T.tocsr()
    start = np.zeros(graph.n_nodes)
    start[first] = 1.0
    here = start
    for _ in range(steps):
        here = restart * start + (1 - restart) * (step @ here)
    return here


def draw_known(
    graph: hl.Graph, truth: np.ndarray, count: int, bias: str, times: int, seed: int
) -> np.ndarray:
    """A mask of `count` known positives, each drawn with a weight between 1 and `times` by its rank."""
    rng = np.random.default_rng([seed, 43])
    positives = np.flatnonzero(truth)
    seen = np.zeros(len(positives)) if bias == "none" else conspicuous(graph, positives, bias, rng)
    rank = np.lexsort((rng.random(len(positives)), seen)).argsort() / (len(positives) - 1)
    weight = float(times) ** rank
    known = np.zeros(graph.n_nodes, dtype=bool)
    known[rng.choice(positives, count, replace=False, p=weight / weight.sum())] = True
    return known


def measure(model: PUNodeClassifier, truth: np.ndarray, known: np.ndarray) -> dict[str, float]:
    """What is true, beside what the fit expects of itself."""
    card, flagged = hl.score_unlabelled(model, truth, known), model.predict()[~known].astype(bool)
    hits, left = int(truth[~known][flagged].sum()), int(truth[~known].sum())
    low, high = model.prior_interval_
    numbers = {
        "prior": card.prior, "true_prior": card.true_prior, "low": low, "high": high, "f1": card.f1,
        "average_precision": card.average_precision, "precision": hits / max(int(flagged.sum()), 1),
        "recall": hits / left, "expected_precision": model.expected_["precision"],
        "expected_recall": model.expected_["recall"]}
    rounded = {key: round(float(number), 5) for key, number in numbers.items()}
    doubted = any(doubt.kind == "labels not random" for doubt in doubts(model))
    return {"holds": bool(low <= card.true_prior <= high), "doubted": doubted, **rounded}


def cases(method: str, name: str) -> list[tuple[str, int]]:
    """Biases and how strong they are."""
    every = [("none", 1), *((bias, times) for bias in BIASES[name] for times in TIMES[1:])]
    return [case for case in every if method not in SLOW or (name, *case) in SLOW[method]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default=",".join(BIASES))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS / "biased-labels.json")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    splits = []
    for method in arguments.methods.split(","):
        for name in arguments.graphs.split(","):
            graph, y = hl.load_dataset(name)
            truth = y == (1 if name == "payments" else np.bincount(y).argmax())
            count = KNOWN if name == "payments" else int(truth.sum()) // 2
            for bias, times in cases(method, name):
                for seed in range(arguments.seeds):
                    known = draw_known(graph, truth, count, bias, times, seed)
                    with without_doubts():  # they are counted instead
                        model = METHODS[method](seed).fit(graph, known)
                    found = measure(model, truth, known)
                    case = {"method": method, "graph": name, "bias": bias, "times": times, "seed": seed}
                    splits.append({**case, **found})
                    print(splits[-1], flush=True)
    rows = [means(list(group)) for _, group in groupby(splits, key=itemgetter(*CASE))]
    write_json(arguments.out, {
        "machine": describe_machine(threads=1), "feature": FEATURE, "rows": rows, "splits": splits})


def means(splits: list[dict]) -> dict[str, float]:
    """Over seeds; `holds` becomes the number of intervals that hold the truth, `doubted` that of warnings."""
    first = splits[0]
    row = {key: first[key] for key in CASE}
    return {**row, "fits": len(splits), "holds": sum(split["holds"] for split in splits),
            "doubted": sum(split["doubted"] for split in splits),
            **{key: round(float(np.mean([split[key] for split in splits])), 5)
               for key in list(first)[list(first).index("prior"):]}}


if __name__ == "__main__":
    main()
