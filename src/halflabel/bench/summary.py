"""From results to tables: means over splits, the published value beside each, ties by a paired test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from halflabel.bench.cell import PERCENT, SMALLER_IS_BETTER, Cell, direction, is_worse, win_tie_loss
from halflabel.bench.plan import Plan, Row
from halflabel.bench.published import published_value
from halflabel.metrics import all_positive_f1

__all__ = ["Cell", "Table", "summarise", "tables_of", "is_worse", "win_tie_loss"]

Results = Mapping[str, dict[str, Any]]
Cells = dict[str, Cell]
NAN = float("nan")
# What calling everybody positive comes to, by the share of positives.
ALL_POSITIVE: dict[str, Callable[[float], float]] = {
    **dict.fromkeys(PERCENT, lambda prior: 100 * all_positive_f1(prior)),
    "prior_error": lambda prior: 1 - prior}


@dataclass(frozen=True)
class Table:
    """Cells by row label and column. A table's columns are graphs, a figure's the values of what `varies`.

    `references` and `lines` are what the rows are to be compared with; none of them can be the best.
    """

    title: str
    metric: str
    columns: tuple[str, ...]
    rows: dict[str, Cells]
    references: dict[str, Cells]
    lines: dict[str, dict[str, float]]
    dataset: str = ""
    varies: str = ""

    @property
    def cells(self) -> dict[str, Cells]:
        """Of rows and references."""
        return {**self.rows, **self.references}

    @property
    def smaller_is_better(self) -> bool:
        """Errors and overlaps."""
        return self.metric in SMALLER_IS_BETTER


def tables_of(plan: Plan, results: Results) -> list[Table]:
    """One table, or, of what varies in a figure, one for each graph."""
    if plan.metric == "snapshots":
        return [_weights(plan, name, results) for name in plan.datasets]
    if plan.vary is None:
        return [summarise(plan, results)]
    return [_curves(plan, name, results) for name in plan.datasets]


def summarise(plan: Plan, results: Results) -> Table:
    """The table of a plan, from whatever of its jobs has been run."""
    columns = {short(name): (name, NAN) for name in plan.datasets}
    return _table(plan, results, columns, plan.title)


def short(dataset: str) -> str:
    """A graph's name in a heading; of the user's own, what comes after the module.

    >>> short("cora"), short("mine:friends")
    ('cora', 'friends')
    """
    return dataset.rpartition(":")[2]


def _curves(plan: Plan, dataset: str, results: Results) -> Table:
    columns = {f"{value:g}": (dataset, value) for value in plan.values}
    table = _table(plan, results, columns, f"{plan.title}: {short(dataset)}")
    return replace(table, dataset=short(dataset), varies=plan.vary or "")


def _table(plan: Plan, results: Results, columns: dict[str, tuple[str, float]], title: str) -> Table:
    cells = {row.label: {column: _cell(plan, row, *place, results) for column, place in columns.items()}
             for row in plan.rows}
    apart = {row.label for row in plan.rows if row.reference}
    rows = {label: own for label, own in cells.items() if label not in apart}
    for column in columns:
        best = _marked({label: own[column] for label, own in rows.items()}, direction(plan.metric))
        for label, cell in best.items():
            rows[label][column] = cell
    value_at = ALL_POSITIVE.get(plan.metric) if plan.vary != "heterophily" else None
    lines = {"all positive": _all_positive(plan, columns, results, value_at)} if value_at else {}
    references = {label: cells[label] for label in cells if label in apart}
    return Table(title, plan.metric, tuple(columns), rows, references, lines)


def _cell(plan: Plan, row: Row, dataset: str, value: float, results: Results) -> Cell:
    metric = row.metric or plan.metric
    scale = 100.0 if metric in PERCENT else 1.0
    found = {seed: results.get(plan.job(row, dataset, seed, value).key) for seed in range(plan.seeds)}
    values = {seed: scale * result["metrics"][metric]
              for seed, result in found.items() if result is not None and result["status"] == "done"}
    statuses = [result["status"] if result else "not run" for result in found.values()]
    printed = None if plan.vary else published_value(plan.published, row.published, dataset)
    return Cell(values, printed, _note(statuses))


def _note(statuses: list[str]) -> str:
    """Why splits are missing, if any are."""
    wrong = sorted({status for status in statuses if status != "done"})
    counts = (f"{statuses.count(status)} {status}" if "done" in statuses else status for status in wrong)
    return ", ".join(counts)


def _marked(cells: Cells, sign: float) -> Cells:
    complete = [cell for cell in cells.values() if cell.values]
    if not complete:
        return cells
    best = max(complete, key=lambda cell: sign * cell.mean)
    return {label: replace(cell, best=bool(cell.values) and not is_worse(cell, best, sign))
            for label, cell in cells.items()}


def _all_positive(
    plan: Plan, columns: dict[str, tuple[str, float]], results: Results, value_at: Callable[[float], float]
) -> dict[str, float]:
    """The line of calling everybody positive, on the graphs that some job has seen."""
    priors = {(result["dataset"], result["settings"].get("ratio")): result["metrics"]["true_prior"]
              for result in results.values() if result["status"] == "done"}
    places = {column: (dataset, value if plan.vary == "ratio" else plan.ratio)
              for column, (dataset, value) in columns.items()}
    return {column: value_at(priors[place])
            for column, place in places.items() if place in priors}


def _weights(plan: Plan, dataset: str, results: Results) -> Table:
    """Mean weights of the edges between the classes and within them, at the epochs looked at."""
    rows = {}
    for row in plan.rows:
        found = {seed: results.get(plan.job(row, dataset, seed).key) for seed in range(plan.seeds)}
        note = _note([result["status"] if result else "not run" for result in found.values()])
        done = {seed: result["metrics"]["snapshots"] for seed, result in found.items()
                if result is not None and result["status"] == "done"}
        for kind, words in (("between", "P-N"), ("within", "same class")):
            rows[f"{row.label}, {words}"] = {
                str(epoch): Cell({seed: snapshots[str(epoch)][kind]["mean"]
                                  for seed, snapshots in done.items() if str(epoch) in snapshots}, note=note)
                for epoch in row.options["epochs"]}
    epochs = dict.fromkeys(epoch for cells in rows.values() for epoch in cells)
    return Table(f"{plan.title}, mean: {short(dataset)}", "weight", tuple(epochs), rows, {}, {},
                 short(dataset), "epoch")
