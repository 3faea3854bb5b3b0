"""One picture of the prior: the curve it is read off, the scores, and what every estimator says."""

from __future__ import annotations

import os
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from halflabel.crossfit import CrossFit
from halflabel.priors import Prior
from halflabel.priors.bbe import chosen_bin, counts_above

INK, KNOWN, UNLABELLED = "#333333", "#c2410c", "#2563a8"
STYLE = {
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "font.size": 10,
}


def draw_prior(fitted: CrossFit, priors: Sequence[Prior], path: str | os.PathLike[str]) -> None:
    """Write the picture to a file whose ending decides the format."""
    with matplotlib.rc_context(STYLE):  # pyright: ignore
        figure = Figure(figsize=(12, 4), layout="constrained")
        curve, scores, estimates = figure.subplots(1, 3, width_ratios=(1, 1, 1.1))
        _draw_curve(curve, fitted)
        _draw_scores(scores, fitted)
        _draw_estimates(estimates, priors)
        figure.savefig(path, dpi=150)


def _draw_curve(axes: Axes, fitted: CrossFit) -> None:
    P, U = fitted.scores_p, fitted.scores_u
    above_p, above_u = counts_above(P, U)
    best = chosen_bin(above_p, above_u, len(P), len(U))
    usable = above_p > 1
    q_p = above_p[usable] / len(P)
    ratio = above_u[usable] / len(U) / q_p
    axes.plot(100 * q_p, 100 * ratio, color=UNLABELLED, linewidth=1.6)
    chosen = above_p[best] / len(P), above_u[best] / len(U) / (above_p[best] / len(P))
    axes.plot(100 * chosen[0], 100 * chosen[1], "o", color=KNOWN, markersize=8, label="chosen by bbe")
    axes.axhline(100 * chosen[1], color=KNOWN, linewidth=0.8, linestyle=":")
    top = 100 * min(1.0, 3 * chosen[1] + 0.02)
    axes.set(title="unlabelled to known, above a threshold", ylim=(0, top), xlim=(0, 100),
             xlabel="known positives above the threshold, %", ylabel="ratio of shares, %")
    axes.legend(loc="upper left")


def _draw_scores(axes: Axes, fitted: CrossFit) -> None:
    bins = np.histogram_bin_edges(fitted.scores, bins=40)
    for values, colour, label in (
        (fitted.scores_u, UNLABELLED, "unlabelled"), (fitted.scores_p, KNOWN, "known positive")
    ):
        share = np.full(len(values), 100 / len(values))
        axes.hist(values, bins=list(bins), weights=share, color=colour, alpha=0.55, label=label)
    axes.set(title="out-of-fold scores", xlabel="score", ylabel="% of the group")
    axes.legend(loc="upper left")


def _draw_estimates(axes: Axes, priors: Sequence[Prior]) -> None:
    rows = np.arange(len(priors))[::-1]
    for row, prior in zip(rows, priors, strict=True):
        axes.plot([100 * prior.low, 100 * prior.high], [row, row], color=UNLABELLED, linewidth=2.5, alpha=0.6)
        axes.plot(100 * prior.value, row, "o", color=UNLABELLED, markersize=7)
    axes.set(title="share of positives among the unlabelled", xlabel="%", xlim=(0, None),
             yticks=list(rows), yticklabels=[prior.method for prior in priors])
    axes.grid(axis="x", linewidth=0.4)
