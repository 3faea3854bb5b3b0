"""From results to a table: means over splits, the published value beside each, ties by a paired test."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from scipy.stats import wilcoxon

from halflabel.bench.plan import Plan, Row
from halflabel.metrics import all_positive_f1

LEVEL = 0.05  # of the paired test; with five splits it is reached by losing all five
PERCENT = {"f1_own", "f1_top", "average_precision", "auc"}


@dataclass(frozen=True)
class Cell:
    """One row on one graph: the values of its splits, by seed, or why there are none."""

    values: Mapping[int, float]
    published: tuple[float, float | None] | None = None
    note: str = ""
    best: bool = False  # of its column, or not distinguishable from the best

    @property
    def mean(self) -> float:
        """Mean over the splits that ran."""
        return float(np.mean(list(self.values.values()))) if self.values else float("nan")

    @property
    def sd(self) -> float:
        """Sample standard deviation over splits."""
        return float(np.std(list(self.values.values()), ddof=1)) if len(self.values) > 1 else float("nan")


@dataclass(frozen=True)
class Table:
    """Cells by row label and graph; `lines` are what every row has to be compared with."""

    title: str
    metric: str
    datasets: tuple[str, ...]
    rows: dict[str, dict[str, Cell]]
    lines: dict[str, dict[str, float]]


def summarise(plan: Plan, results: Mapping[str, dict[str, Any]]) -> Table:
    """The table of a plan, from whatever of its jobs has been run."""
    rows = {row.label: {name: _cell(plan, row, name, results) for name in plan.datasets} for row in plan.rows}
    smaller = plan.metric == "prior_error"
    for name in plan.datasets:
        marked = _mark_best({label: cells[name] for label, cells in rows.items()}, smaller)
        for label, cell in marked.items():
            rows[label][name] = cell
    lines = {} if smaller else {"all positive": _all_positive(plan, results)}
    return Table(plan.title, plan.metric, plan.datasets, rows, lines)


def _cell(plan: Plan, row: Row, dataset: str, results: Mapping[str, dict[str, Any]]) -> Cell:
    metric = row.metric or plan.metric
    scale = 100.0 if metric in PERCENT else 1.0
    found = {seed: results.get(plan.job(row, dataset, seed).key) for seed in range(plan.seeds)}
    values = {seed: scale * result["metrics"][metric]
              for seed, result in found.items() if result is not None and result["status"] == "done"}
    published = None
    if plan.published and row.published:
        published = _published()[plan.published][row.published].get(dataset)
    statuses = [result["status"] if result else "not run" for result in found.values()]
    return Cell(values, published, _note(statuses))


def _note(statuses: list[str]) -> str:
    """Why splits are missing, if any are."""
    wrong = sorted({status for status in statuses if status != "done"})
    counts = (f"{statuses.count(status)} {status}" if "done" in statuses else status for status in wrong)
    return ", ".join(counts)


def _mark_best(cells: dict[str, Cell], smaller_is_better: bool) -> dict[str, Cell]:
    complete = {label: cell for label, cell in cells.items() if cell.values}
    if not complete:
        return cells
    choose: Callable = min if smaller_is_better else max
    best = choose(complete.values(), key=lambda cell: cell.mean)
    sign = -1.0 if smaller_is_better else 1.0
    return {label: replace(cell, best=bool(cell.values) and not is_worse(cell, best, sign))
            for label, cell in cells.items()}


def is_worse(cell: Cell, best: Cell, sign: float = 1.0) -> bool:
    """Whether a row loses to the best beyond chance: Wilcoxon's signed-rank test over the splits both ran.

    >>> wins = Cell({0: 80.0, 1: 81.0, 2: 82.0, 3: 83.0, 4: 84.0})
    >>> is_worse(Cell({seed: value - 1 for seed, value in wins.values.items()}), wins)
    True
    >>> is_worse(Cell({0: 81.0, 1: 80.0, 2: 81.0, 3: 82.0, 4: 83.0}), wins)
    False
    """
    shared = sorted(set(cell.values) & set(best.values))
    differences = sign * np.array([best.values[seed] - cell.values[seed] for seed in shared])
    if not differences.any():
        return False
    return bool(wilcoxon(differences, alternative="greater", method="exact" if len(shared) <= 20 else "auto")
                .pvalue < LEVEL)


def win_tie_loss(one: Cell, other: Cell, within: float = 0.05) -> tuple[int, int, int]:
    """On how many splits the first is higher, the same to the printed digit, lower.

    >>> win_tie_loss(Cell({0: 80.0, 1: 81.0}), Cell({0: 79.0, 1: 81.0}))
    (1, 1, 0)
    """
    differences = [one.values[seed] - other.values[seed] for seed in set(one.values) & set(other.values)]
    wins, losses = (sum(sign * value > within for value in differences) for sign in (1, -1))
    return wins, len(differences) - wins - losses, losses


def _all_positive(plan: Plan, results: Mapping[str, dict[str, Any]]) -> dict[str, float]:
    """F1 of calling everybody positive, on the graphs that some job has seen."""
    priors = {result["dataset"]: result["metrics"]["true_prior"] for result in results.values()
              if result["status"] == "done" and result["settings"].get("ratio") == plan.ratio}
    return {name: 100 * all_positive_f1(priors[name]) for name in plan.datasets if name in priors}


@cache
def _published() -> dict[str, dict[str, dict[str, tuple[float, float | None]]]]:
    """Values that the paper prints: mean and standard deviation by table, row and graph."""
    return json.loads(files("halflabel.bench").joinpath("published.json").read_text(encoding="utf-8"))
