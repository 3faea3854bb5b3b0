"""One picture of a comparison: AUC, distance from the best, and F1 of every method, with intervals."""

from __future__ import annotations

import os

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halflabel.comparison import Comparison
from halflabel.comparison.noise import Mean
from halflabel.metrics import all_positive_f1
from halflabel.plots.prior import INK, KNOWN, STYLE, UNLABELLED

GREY = "#8a8a8a"
COLOURS = {"best": KNOWN, "tied": UNLABELLED, "worse": GREY}
LEGEND = {"best": "best", "tied": "within noise of the best", "worse": "worse by more than noise"}


def draw_comparison(found: Comparison, path: str | os.PathLike[str]) -> None:
    """Write the picture to a file whose ending decides the format."""
    with matplotlib.rc_context(STYLE):  # pyright: ignore
        figure = Figure(figsize=(12, 2.2 + 0.4 * len(found.rows)), layout="constrained")
        auc, gap, f1 = figure.subplots(1, 3, sharey=True)
        _draw_auc(auc, found)
        _draw_gaps(gap, found)
        _draw_f1(f1, found)
        heights = _heights(found)
        auc.set(yticks=list(heights), yticklabels=[row.method for row in found.rows],
                ylim=(-0.6, heights[0] + 0.6))
        for axes in (auc, gap, f1):
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x", linewidth=0.4)
            axes.set_axisbelow(True)
        figure.legend(loc="outside lower center", ncols=3)
        figure.savefig(path, dpi=150)


def _draw_auc(axes: Axes, found: Comparison) -> None:
    said: set[str] = set()
    for at, row in zip(_heights(found), found.rows, strict=True):
        verdict = found.verdict(row.method)
        _draw_mean(axes, at, row.mean("auc"), COLOURS[verdict],
                   label=None if verdict in said else LEGEND[verdict], most=1.0)
        said.add(verdict)
    perfect = 1 - found.prior.value / 2
    axes.axvline(perfect, color=INK, linewidth=1, linestyle=":", label="AUC of a perfect ranking")
    lowest = min(row.mean("auc").value - row.mean("auc").margin for row in found.rows)
    axes.set(title="AUC, hidden positives to unlabelled", xlim=(max(0.0, min(lowest, 0.5) - 0.02), 1.005))
    axes.axvspan(0, 0.5, color=INK, alpha=0.06, linewidth=0)  # no better than chance


def _draw_gaps(axes: Axes, found: Comparison) -> None:
    gaps = {found.best: Mean(0.0, 0.0), **found.gaps}
    for at, (method, gap) in zip(_heights(found), gaps.items(), strict=True):
        _draw_mean(axes, at, gap, COLOURS[found.verdict(method)], least=-np.inf)
    axes.axvline(0, color=KNOWN, linewidth=1)
    axes.locator_params(axis="x", nbins=5)
    axes.set(title="distance from the best, in AUC")


def _draw_f1(axes: Axes, found: Comparison) -> None:
    for at, row in zip(_heights(found), found.rows, strict=True):
        ends = [row.f1_at(found.prior.low), row.f1_at(found.prior.high)]
        label = "F1 over the prior's interval" if row is found.rows[0] else None
        axes.plot(ends, [at, at], color=INK, linewidth=0.9, marker="|", markersize=7, label=label)
        _draw_mean(axes, at, row.mean("f1"), COLOURS[found.verdict(row.method)], most=1.0)
    everything = all_positive_f1(found.prior.value)
    axes.axvline(everything, color=INK, linewidth=1, linestyle="--", label="F1 of calling all positive")
    axes.set(title=f"F1 of what each flags, prior {100 * found.prior.value:.1f} %", xlim=(0, 1.005))


def _draw_mean(
    axes: Axes, at: float, mean: Mean, colour: str, label: str | None = None,
    least: float = 0.0, most: float = np.inf,
) -> None:
    low, high = max(mean.value - mean.margin, least), min(mean.value + mean.margin, most)
    axes.plot([low, high], [at, at], color=colour, linewidth=3, alpha=0.45, solid_capstyle="round")
    axes.plot(mean.value, at, "o", color=colour, markersize=8, label=label)


def _heights(found: Comparison) -> np.ndarray:
    """The best on top."""
    return np.arange(len(found.rows), dtype=float)[::-1]
