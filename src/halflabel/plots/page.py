"""Small figures for the report, as SVG that takes its colours and its font from the page around it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halflabel.plots.inline import inline_svg

# Colours that matplotlib draws with, and the page's colours that they stand for: so one figure serves
# a light page and a dark one.
INK, KNOWN, UNLABELLED, FAINT = "#010203", "#010204", "#010205", "#010206"
PAGE_COLOURS = {
    INK: "var(--ink)", KNOWN: "var(--known)", UNLABELLED: "var(--unlabelled)", FAINT: "var(--faint)"}
STYLE: Any = {
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT, "xtick.color": INK,
    "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "font.size": 10, "axes.linewidth": 0.7, "svg.fonttype": "none",
}
SIZE = (4.6, 2.9)  # inches: two beside each other on a desk, one on a phone, letters legible on both


def page_figure(name: str, draw: Callable[[Axes], None]) -> str:
    """Draw without a display or any state of pyplot; figures of one page need names that differ.

    >>> page_figure("empty", lambda axes: None).startswith("<svg")
    True
    """
    # Ids inside the figures are made of the salt, and all figures end up in one page.
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=SIZE, layout="constrained")
        draw(figure.add_subplot())
        return inline_svg(figure, PAGE_COLOURS)


def score_plot(known: np.ndarray, unlabelled: np.ndarray, threshold: float | None) -> str:
    """How the scores of known positives and of unlabelled nodes are spread; a line where flagging begins.

    >>> score_plot(np.array([1.0, 2.0]), np.array([-1.0, 0.0, 1.5]), 1.5).startswith("<svg")
    True
    """
    def draw(axes: Axes) -> None:
        bins = np.histogram_bin_edges(np.concatenate([known, unlabelled]), bins=40)
        for values, colour, label in (
            (unlabelled, UNLABELLED, "unlabelled"), (known, KNOWN, "known positive")
        ):
            share = np.full(len(values), 100 / max(len(values), 1))
            # One outline a group: forty bars of either would make the page heavier and say the same.
            axes.hist(values, bins=list(bins), weights=share, color=colour, alpha=0.5, label=label,
                      histtype="stepfilled")
        if threshold is not None:
            axes.axvline(threshold, color=INK, linestyle=":", linewidth=1.2, label="flagged from here on")
        axes.set(xlabel="score", ylabel="% of the group")
        legend_above(axes)

    return page_figure("scores", draw)


def training_plots(history: Sequence[Mapping[str, float]]) -> list[str]:
    """The loss, and the estimate of the prior, after each epoch: as many of them as the method keeps.

    >>> len(training_plots([{"epoch": 0, "prior": 0.2, "loss": 1.0}, {"epoch": 1, "loss": 0.5}]))
    2
    """
    plots = [_by_epoch(history, *which) for which in (("loss", 1, "loss"), ("prior", 100, "prior, %"))]
    return [plot for plot in plots if plot]


def _by_epoch(history: Sequence[Mapping[str, float]], name: str, unit: float, label: str) -> str:
    lines: dict[float, list[tuple[float, float]]] = {}
    for row in history:
        if "epoch" in row and not math.isnan(row.get(name, math.nan)):
            lines.setdefault(row.get("view", 0), []).append((row["epoch"], unit * row[name]))
    if not lines:
        return ""

    def draw(axes: Axes) -> None:
        for steps in lines.values():
            axes.plot(*zip(*steps, strict=True), color=KNOWN if len(lines) == 1 else UNLABELLED,
                      linewidth=1.8 if len(lines) == 1 else 1.2, alpha=1 if len(lines) == 1 else 0.7)
        values = [value for steps in lines.values() for _, value in steps]
        axes.set(xlabel="epoch", ylabel=label, ylim=(min(0, 1.15 * min(values)), 1.15 * max(values) or 1))
        axes.set_xlim(0, max(steps[-1][0] for steps in lines.values()) + 1)

    return page_figure(f"training {name}", draw)


def legend_above(axes: Axes) -> None:
    """A legend where it hides nothing."""
    axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1), ncols=3, borderpad=0, fontsize=9,
                handlelength=1.2, handletextpad=0.4, columnspacing=1.0)
