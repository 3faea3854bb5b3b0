"""What each part of Auto contributes: every view left out, other ways to blend, every estimate of the prior.

Networks are trained once a split; all variants use their scores. "PU AUC" sees no hidden label; F1 at the top
estimated share, average precision (AP), the error of the prior and the calibration error (ECE) do.

    HALFLABEL_DATA=... python benchmarks/auto/study.py [--graphs texas,cora] [--ratio 0.2]
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import torch
from scipy.special import expit
from sklearn.metrics import average_precision_score, f1_score

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.auc import pu_auc
from halflabel.metrics import calibration_error
from halflabel.priors import Prior
from halflabel.priors.products import share_of_products
from halflabel.priors.ranks import normal_scores
from halflabel.probabilities import calibration_slope, prior_shift
from halflabel.stacking import (
    ViewMaker,
    Worlds,
    agreed_prior,
    learn_weights,
    source_scores,
    stacked_prior,
    weights,
)
from halflabel.stacking.effort import draws_of_folds
from halflabel.stacking.prior import sigmoid_prior
from machine import describe_machine, write_json

GRAPHS = ("cora", "pubmed", "citeseer", "cornell", "chameleon", "squirrel", "actor", "wisconsin", "texas")


class Split(NamedTuple):
    """Standardised scores of shape (draws, views, worlds, nodes), who is known, who is positive in truth."""

    views: tuple[str, ...]
    scores: np.ndarray
    draws: list[Worlds]
    known: np.ndarray
    truth: np.ndarray


def train(name: str, seed: int, ratio: float) -> Split:
    graph, y = hl.load_dataset(name)
    known = hl.hide_positives(y, ratio=ratio, random_state=seed)
    model = hl.Auto(random_state=seed)
    torch.manual_seed(seed)
    problem = model.pose(graph, known)
    rng = np.random.default_rng(seed)
    count = draws_of_folds(model.folds, *problem.X.shape, problem.size)
    draws = [Worlds.draw(known, ~known, model.folds, rng) for _ in range(count)]
    model._maker = ViewMaker.of(graph, problem.X)
    logits = model._learn_views(draws, problem, graph).swapaxes(0, 1)
    scores = (logits - logits.mean(axis=3, keepdims=True)) / logits.std(axis=3, keepdims=True).clip(min=1e-9)
    return Split(model._maker.names, scores, draws, known, y == np.bincount(y).argmax())


def blended(split: Split, kept: list[int], leaders: float, tie: float = weights.TIE) -> np.ndarray:
    """Out-of-fold scores by these views, with this share of the best."""

    def learned(scores: np.ndarray, worlds: Worlds, fold: int) -> np.ndarray:
        others = np.flatnonzero(worlds.members.owner != fold)
        return learn_weights(scores[:, worlds.without(fold)[others], others].T, split.known[others])

    with patch.multiple(weights, LEADERS=leaders, TIE=tie):
        return over_draws(split, kept, learned)


def averaged(split: Split, kept: list[int]) -> np.ndarray:
    """Out-of-fold scores by these views, all alike."""
    return over_draws(split, kept, lambda scores, worlds, fold: np.ones(len(kept)))


def over_draws(
    split: Split, kept: list[int], learned: Callable[[np.ndarray, Worlds, int], np.ndarray]
) -> np.ndarray:
    found = []
    for worlds, every in zip(split.draws, split.scores, strict=True):
        scores = every[kept]
        by_fold = [learned(scores, worlds, fold) @ scores[:, fold] for fold in range(worlds.count)]
        found.append(worlds.members.out_of_fold(np.stack(by_fold)))
    return np.mean(found, axis=0)


def sources(split: Split, kept: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Scores of P and of U, a row for each source that these views make."""
    apart = np.stack([averaged(split, [i]) for i in kept])
    return source_scores([split.views[i] for i in kept], apart, split.known, ~split.known)


def prior_of(scores: np.ndarray, split: Split, kept: list[int]) -> Prior:
    """As Auto estimates it, of the blend of these views."""
    return agreed_prior(stacked_prior(scores[split.known], scores[~split.known]), *sources(split, kept))


def judge(scores: np.ndarray, split: Split, kept: list[int]) -> dict[str, float]:
    known, truth = split.known, split.truth[~split.known]
    P, U = scores[known], scores[~known]
    prior = prior_of(scores, split, kept)
    flagged = np.zeros(len(U), dtype=bool)
    flagged[np.argsort(-U, kind="stable")[: round(prior.value * len(U))]] = True
    slope = calibration_slope(P, U, prior.value)
    probability = expit(slope * U + prior_shift(slope * U, prior.value))
    return {"pu_auc": pu_auc(P, U), "f1": float(f1_score(truth, flagged)),
            "average_precision": float(average_precision_score(truth, U)),
            "prior_error": abs(prior.value - truth.mean()), "prior_bias": prior.value - truth.mean(),
            "covered": float(prior.low <= truth.mean() <= prior.high),
            "ece": calibration_error(probability, truth)}


def priors(scores: np.ndarray, split: Split) -> dict[str, float]:
    """How far each estimate is from the truth: on normal scores, as Auto has them, and on the scores."""
    P, U, true = scores[split.known], scores[~split.known], split.truth[~split.known].mean()
    every = list(range(len(split.views)))
    values = {"Auto": prior_of(scores, split, every).value, "by one score": stacked_prior(P, U).value,
              "by sources": share_of_products(*sources(split, every))}
    for kind, (p, u) in {"": normal_scores(P, U), ", not on ranks": (P, U)}.items():
        values |= {f"{name}{kind}": hl.estimate_prior(p, u, name).value for name in ("bbe", "dedpul")}
        values[f"sigmoid{kind}"] = sigmoid_prior(p, u)
    return {name: value - true for name, value in values.items()}


def variants(split: Split) -> dict[str, tuple[np.ndarray, list[int]]]:
    """Scores, and of which views."""
    every = list(range(len(split.views)))
    once = split._replace(draws=split.draws[:1], scores=split.scores[:1])
    found = {"Auto": blended(split, every, 0.5), "no share for the best views": blended(split, every, 0.0),
             "only the best views": blended(split, every, 1.0), "all views alike": averaged(split, every),
             "half to the single best view": blended(split, every, 0.5, tie=1e-6),
             "one draw of folds": blended(once, every, 0.5)}
    of_views = {name: (scores, every) for name, scores in found.items()}
    for i, view in enumerate(split.views):
        others = [j for j in every if j != i]
        of_views[f"without {view}"] = blended(split, others, 0.5), others
        of_views[f"{view} alone"] = averaged(split, [i]), [i]
    return of_views


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--ratio", type=float, default=0.5)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "study.json")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows, estimates = [], []
    for graph in arguments.graphs.split(","):
        cells, errors = defaultdict(list), defaultdict(list)
        for seed in range(arguments.seeds):
            split = train(graph, seed, arguments.ratio)
            found = variants(split)
            for name, (scores, kept) in found.items():
                cells[name].append(judge(scores, split, kept))
            for name, error in priors(found["Auto"][0], split).items():
                errors[name].append(error)
        for name, splits in cells.items():
            mean = {key: round(float(np.mean([s[key] for s in splits])), 4) for key in splits[0]}
            rows.append({"graph": graph, "variant": name, "splits": len(splits), **mean})
            print(f"{graph:10s} {name:28s}", *(f"{k} {v:+.3f}" for k, v in mean.items()), flush=True)
        for name, bias in errors.items():
            estimates.append({"graph": graph, "estimate": name, "bias": round(float(np.mean(bias)), 4),
                              "error": round(float(np.mean(np.abs(bias))), 4)})
    write_json(arguments.out, {"machine": describe_machine(threads=1), "ratio": arguments.ratio, "rows": rows,
                               "priors": estimates})


if __name__ == "__main__":
    main()
