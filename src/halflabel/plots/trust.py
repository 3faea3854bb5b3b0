"""Figures for the report that say how far to trust it: of the prior, and of the probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from halflabel.plots.page import KNOWN, UNLABELLED, legend_above, page_figure
from halflabel.priors import Prior
from halflabel.priors.bbe import chosen_bin, counts_above

POINTS = 300  # of a curve: more would not be seen


def curve_plot(scores_p: np.ndarray, scores_u: np.ndarray, own: Prior) -> str:
    """Unlabelled nodes above a threshold for each known positive above it; the prior and its interval.

    >>> rng = np.random.default_rng(0)
    >>> curve_plot(rng.normal(2, 1, 50), rng.normal(0, 1, 500), Prior(0.1, 0.05, 0.2, "")).startswith("<svg")
    True
    """
    above_p, above_u = counts_above(scores_p, scores_u)
    best = chosen_bin(above_p, above_u, len(scores_p), len(scores_u))
    usable = np.flatnonzero(above_p > 1)
    usable = usable[np.unique(np.linspace(0, len(usable) - 1, POINTS).astype(int))] if len(usable) else usable
    q_p = above_p / len(scores_p)
    ratio = above_u / len(scores_u) / np.maximum(q_p, 1e-12)

    def draw(axes: Axes) -> None:
        axes.axhspan(100 * own.low, 100 * own.high, color=KNOWN, alpha=0.15, linewidth=0)
        axes.axhline(100 * own.value, color=KNOWN, linewidth=1.2, label="prior, and its interval")
        axes.plot(100 * q_p[usable], 100 * ratio[usable], color=UNLABELLED, linewidth=1.6)
        axes.plot(100 * q_p[best], 100 * ratio[best], "o", color=UNLABELLED, markersize=7, label="best bin")
        top = min(1.0, max(3 * ratio[best], 1.2 * own.high, 0.02))
        axes.set(xlim=(0, 100), ylim=(0, 100 * top), xlabel="known positives above the threshold, %",
                 ylabel="ratio of shares, %")
        axes.legend(loc="upper left", fontsize=9)

    return page_figure("curve", draw)


def agreement_plot(priors: Sequence[Prior]) -> str:
    """A line for each estimate and its interval; the first is the run's own.

    >>> agreement_plot([Prior(0.1, 0.05, 0.2, "this run"), Prior(0.2, 0.1, 0.3, "bbe")]).startswith("<svg")
    True
    """
    rows = np.arange(len(priors))[::-1]

    def draw(axes: Axes) -> None:
        axes.axvspan(100 * priors[0].low, 100 * priors[0].high, color=KNOWN, alpha=0.15, linewidth=0)
        for row, prior in zip(rows, priors, strict=True):
            colour = KNOWN if row == rows[0] else UNLABELLED
            axes.plot([100 * prior.low, 100 * prior.high], [row, row], color=colour, linewidth=2.2, alpha=0.6)
            axes.plot(100 * prior.value, row, "o", color=colour, markersize=6)
        axes.set(xlabel="positives among the unlabelled, %", xlim=(0, None), ylim=(-0.6, len(priors) - 0.4),
                 yticks=list(rows), yticklabels=[prior.method for prior in priors])
        axes.tick_params(axis="y", length=0)

    return page_figure("agreement", draw)


def calibration_plot(
    edges: np.ndarray, expected: np.ndarray, found: np.ndarray, error: np.ndarray
) -> str:
    """Shares of positives in groups of probabilities: bars what is promised, dots what was found.

    >>> half = np.array([0.5, 0.5])
    >>> calibration_plot(np.array([0, 0.3, 1]), half, half, half / 10).startswith("<svg")
    True
    """
    place = np.arange(len(expected))

    def draw(axes: Axes) -> None:
        axes.bar(place, 100 * expected, width=0.9, color=UNLABELLED, alpha=0.35, label="promised")
        axes.errorbar(place, 100 * found, yerr=100 * np.minimum(error, found), fmt="o", color=KNOWN,
                      markersize=5, elinewidth=1.5, capsize=2.5, label="found among held-out positives")
        # Labels of the edges between the groups, so that each is written once.
        axes.set(xlabel="probability", ylabel="% of the positives", ylim=(0, None),
                 xticks=np.arange(len(edges)) - 0.5, xticklabels=[_short(edge) for edge in edges])
        legend_above(axes)

    return page_figure("calibration", draw)


def _short(edge: float) -> str:
    """A probability without what nobody reads: .04, 1."""
    if edge in (0, 1):
        return f"{edge:.0f}"
    return f"{edge:.2f}".lstrip("0") if edge >= 0.095 else f"{edge:.1g}".lstrip("0")
