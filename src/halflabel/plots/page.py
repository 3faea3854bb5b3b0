"""Small figures for the report, as SVG that takes its colours and its font from the page around it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halflabel.plots.inline import inline_svg

# Colours that matplotlib draws with, and the page's colours that they stand for: so one figure serves
# a light page and a dark one.
INK, KNOWN, UNLABELLED = "#010203", "#010204", "#010205"
PAGE_COLOURS = {INK: "var(--ink)", KNOWN: "var(--known)", UNLABELLED: "var(--unlabelled)"}
STYLE: Any = {
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "font.size": 10,
    "svg.fonttype": "none",
}


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
            axes.hist(values, bins=list(bins), weights=share, color=colour, alpha=0.55, label=label)
        if threshold is not None:
            axes.axvline(threshold, color=INK, linestyle=":", linewidth=1.2, label="flagged from here on")
        axes.set(xlabel="score", ylabel="% of the group")
        axes.legend(loc="upper right")

    return _svg("scores", draw)


def prior_plot(history: Sequence[Mapping[str, float]]) -> str:
    """The estimate of the prior after each epoch; empty text if the method keeps no such record.

    >>> prior_plot([{"epoch": 0, "prior": 0.2}, {"epoch": 1, "prior": 0.1}]).startswith("<svg")
    True
    """
    known = (row for row in history if not math.isnan(row.get("prior", math.nan)))
    steps = [(row["epoch"], 100 * row["prior"]) for row in known]
    if not steps:
        return ""

    def draw(axes: Axes) -> None:
        axes.plot(*zip(*steps, strict=True), color=KNOWN, linewidth=1.8)
        top = 1.15 * max(prior for _, prior in steps)
        axes.set(xlabel="epoch", ylabel="prior, %", ylim=(0, top), xlim=(0, history[-1]["epoch"] + 1))

    return _svg("prior", draw)


def _svg(name: str, draw: Any) -> str:
    """Draw without a display or any state of pyplot."""
    # Ids inside the figures must differ, because both figures end up in one page.
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(5.4, 2.5), layout="constrained")
        draw(figure.add_subplot())
        return inline_svg(figure, PAGE_COLOURS)
