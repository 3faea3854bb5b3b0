"""Figures 2 and 3: how two groups are spread between 0 and 1, in small multiples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halflabel.bench.figures.style import FAINT, NEGATIVE, POSITIVE

COLOURS = (POSITIVE, NEGATIVE)


class Pair(NamedTuple):
    """Shares of two groups in equal bins between 0 and 1, and a remark for the corner."""

    first: np.ndarray
    second: np.ndarray
    remark: str = ""


class Words(NamedTuple):
    """What the figure says: names of the groups, below the axes, beside them."""

    groups: tuple[str, str]
    x: str
    y: str


def draw_histograms(
    rows: Mapping[str, Sequence[Pair | None]], columns: Sequence[str], words: Words
) -> Figure:
    """A row of small histograms for each label; None leaves a place empty."""
    figure = Figure(figsize=(2.3 * len(columns) + 0.9, 1.55 * len(rows) + 1.0), layout="constrained")
    grid = figure.subplots(len(rows), len(columns), squeeze=False, sharex=True)
    for line, (label, pairs) in zip(grid, rows.items(), strict=True):
        for axes, pair in zip(line, pairs, strict=True):
            _draw_pair(axes, pair, words)
        line[0].set_ylabel(label, rotation=0, ha="right", va="center", labelpad=10)
    for axes, title in zip(grid[0], columns, strict=True):
        axes.set_title(title)
    figure.supxlabel(words.x, fontsize=12)
    figure.supylabel(words.y, fontsize=12)
    handles, names = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=2)
    return figure


def _draw_pair(axes: Axes, pair: Pair | None, words: Words) -> None:
    axes.set(xlim=(0, 1), xticks=[0, 0.5, 1], xticklabels=["0", "0.5", "1"])
    if pair is None:
        axes.text(0.5, 0.5, "not run", ha="center", va="center", color=FAINT, transform=axes.transAxes)
        return
    for shares, colour, name in zip((pair.first, pair.second), COLOURS, words.groups, strict=True):
        edges = np.linspace(0, 1, len(shares) + 1)
        axes.stairs(100 * shares, edges, fill=True, color=colour, alpha=0.35)
        axes.stairs(100 * shares, edges, color=colour, linewidth=1.4, label=name)
    # A height of its own for each: a peak in one would press the others flat. Room above for the remark.
    axes.set_ylim(0, 130 * max(pair.first.max(), pair.second.max()))
    axes.locator_params(axis="y", nbins=3)
    axes.text(0.03, 0.97, pair.remark, ha="left", va="top", fontsize=10.5, transform=axes.transAxes)
