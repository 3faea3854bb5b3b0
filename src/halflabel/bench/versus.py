"""Every row against one: on how many splits it is better, and whether that is beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from halflabel.bench.cell import direction, signed_rank, win_tie_loss
from halflabel.bench.summary import Cells, Table


class Versus(NamedTuple):
    """A row against another. `by_column` and the totals count splits; `p` is of Wilcoxon's signed-rank
    test, two-sided, over the means of the columns that both have, as Demšar (2006) recommends for graphs.
    """

    label: str
    by_column: dict[str, tuple[int, int, int]]
    wins: int
    ties: int
    losses: int
    columns: int
    p: float


def versus(tables: Sequence[Table], base: str) -> list[Versus]:
    """Every other row and reference of these tables against the row `base`."""
    merged = _merged(tables)
    metric, own = tables[0].metric, merged[base]
    return [_compare(label, cells, own, metric) for label, cells in merged.items() if label != base]


def base_row(tables: Sequence[Table]) -> str | None:
    """GPL, which the paper is about, where it is a row; else the row that is best on average.

    >>> base_row([Table("", "f1_top", (), {"GPL": {}, "GRAB": {}}, {}, {})])
    'GPL'
    """
    labels = list(tables[0].rows)
    if len(labels) < 2 or tables[0].metric == "weight":
        return None
    first = next((label for label in labels if label.startswith("GPL")), None)
    return first or max(labels, key=lambda label: direction(tables[0].metric) * _average(tables, label))


def _merged(tables: Sequence[Table]) -> dict[str, Cells]:
    """The columns of several tables with the same rows, side by side."""
    return {label: {f"{table.dataset} {column}".strip(): table.cells[label][column]
                    for table in tables for column in table.columns} for label in tables[0].cells}


def _average(tables: Sequence[Table], label: str) -> float:
    means = [cell.mean for cell in _merged(tables)[label].values() if cell.values]
    return float(np.mean(means)) if means else -np.inf


def _compare(label: str, cells: Cells, base: Cells, metric: str) -> Versus:
    both = [name for name in cells if cells[name].values and base[name].values]
    counts = {name: win_tie_loss(cells[name], base[name], metric) for name in both}
    wins, ties, losses = (sum(count[place] for count in counts.values()) for place in range(3))
    p = signed_rank([cells[name].mean - base[name].mean for name in both])
    return Versus(label, counts, wins, ties, losses, len(both), p)
