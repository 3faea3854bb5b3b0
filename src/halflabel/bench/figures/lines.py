"""Figures 1, 4 and 5: a metric against what varies, a panel for each graph or pattern."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halflabel.bench.cell import PERCENT, Cell
from halflabel.bench.figures.style import FAINT, INK, line_styles
from halflabel.bench.summary import Table

X_WORDS = {"ratio": "share of the positives that is known",
           "heterophily": "heterophily: share of edges between classes",
           "K": "K: propagation steps in the loss"}
Y_WORDS = {"f1_top": "F1, %", "f1_own": "F1 at its own decision, %",
           "average_precision": "average precision, %", "auc": "AUC, %",
           "prior_error": "absolute error of the prior", "overlap": "overlap of the classes"}


def draw_lines(panels: Mapping[str, Table]) -> Figure:
    """A line for each row with a band of one standard deviation over the splits; panels by their titles.

    What lies far below the others, or is zero throughout, is said in words: it would press them flat.
    """
    across = min(len(panels), 2)
    down = math.ceil(len(panels) / across)
    figure = Figure(figsize=(4.6 * across, 3.1 * down + 0.7), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False)
    labels = list(dict.fromkeys(label for table in panels.values() for label in table.cells))
    styles = line_styles(labels)
    for axes, (title, table) in zip(grid.flat, panels.items(), strict=False):
        _draw_panel(axes, table, styles)
        axes.set_title(title)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel(Y_WORDS.get(table.metric, table.metric))
    _share_height(grid, panels)
    for place, axes in enumerate(grid.flat[:len(panels)]):
        if place + across >= len(panels):  # none below it
            axes.set_xlabel(X_WORDS.get(table.varies, table.varies))
    handles = {text: handle for axes in grid.flat
               for handle, text in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center",
                  ncols=min(4 if across > 1 else 2, len(handles)))
    return figure


def _draw_panel(axes: Axes, table: Table, styles: Mapping[str, dict]) -> None:
    alpha = 0.14 if len(table.cells) <= 4 else 0.07  # many bands on top of each other hide the lines
    nothing = []
    for label, cells in table.cells.items():
        points = [(float(column), cell) for column, cell in cells.items() if cell.values]
        if not points:
            continue
        if table.metric in PERCENT and all(cell.mean == 0 for _, cell in points):
            nothing.append(label)
            continue
        x, drawn = np.array([place for place, _ in points]), [cell for _, cell in points]
        mean, sd = np.array([cell.mean for cell in drawn]), np.array([_spread(cell) for cell in drawn])
        axes.plot(x, mean, label=label, **styles[label])
        axes.fill_between(x, mean - sd, mean + sd, color=styles[label]["color"], alpha=alpha, linewidth=0)
    _set_height(axes)
    below = [f"{', '.join(nothing)}: 0 throughout"] if nothing else []
    below += [remark for label, values in table.lines.items() if (remark := _draw_line(axes, label, values))]
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.1 * len(below) * (high - low), high)  # room for the words
    axes.text(0.02, 0.03, "\n".join(below), transform=axes.transAxes, color=FAINT, fontsize=11)
    places = [float(column) for column in table.columns]
    axes.set_xticks(places)
    if places[0] > places[-1]:
        axes.invert_xaxis()  # as the plan lists them, from easy to hard
    axes.grid(visible=True, axis="y")


def _set_height(axes: Axes) -> None:
    """At least ten points of F1 high: a smaller range would make hills of noise."""
    low, high = axes.get_ylim()
    if high > 1 and high - low < 10:
        axes.set_ylim((low + high) / 2 - 5, (low + high) / 2 + 5)


def _draw_line(axes: Axes, label: str, values: Mapping[str, float]) -> str | None:
    """A dotted line; where it would be far below the others, and press them flat, its values in words."""
    low, high = axes.get_ylim()
    if not values or max(values.values()) > low - (high - low) / 2:
        axes.plot([float(column) for column in values], list(values.values()), color=INK, linewidth=1.4,
                  linestyle=":", label=label)
        return None
    ends = f"{min(values.values()):.0f}", f"{max(values.values()):.0f}"
    return f"{label}: {ends[0] if ends[0] == ends[1] else ' to '.join(ends)}, below"


def _share_height(grid: np.ndarray, panels: Mapping[str, Table]) -> None:
    """Errors of two patterns compare by eye on one scale; F1 of different graphs has a scale each."""
    if next(iter(panels.values())).metric in PERCENT:
        return
    drawn = grid.flat[:len(panels)]
    top = max(axes.get_ylim()[1] for axes in drawn)
    for axes in drawn:
        axes.set_ylim(0, top)


def _spread(cell: Cell) -> float:
    return 0.0 if math.isnan(cell.sd) else cell.sd
