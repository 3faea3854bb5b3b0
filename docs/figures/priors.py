"""Draws the pictures of docs/priors-explained.md from two Gaussians, of which everything is known.

    python docs/figures/priors.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.stats import norm
from style import FAINT, INK, MIXED, NEGATIVE, POSITIVE, arguments, new_figure, save

import halflabel as hl

PRIOR = 0.2
FAR, NEAR = 4.0, 1.0  # standard deviations between the classes
ENOUGH = 0.1  # share of the known positives that has to lie above a threshold: of fifty, five
SCORES = np.linspace(-4, 8, 600)


def mixture(out: Path) -> None:
    """What is seen (grey, and the known positives), and what it is made of."""
    figure, (seen, made) = new_figure(2)
    positive, negative = norm(FAR, 1).pdf(SCORES), norm(0, 1).pdf(SCORES)
    both = PRIOR * positive + (1 - PRIOR) * negative
    seen.fill_between(SCORES, both, color=MIXED, alpha=0.5, lw=0, label="unlabelled")
    seen.plot(SCORES, PRIOR * positive, color=POSITIVE, lw=2, ls="--",
              label="known positives, shrunk to fit under it")
    seen.set_title("What can be seen")
    made.fill_between(SCORES, (1 - PRIOR) * negative, color=NEGATIVE, alpha=0.5, lw=0,
                      label="negatives, 80 %")
    made.fill_between(SCORES, PRIOR * positive, color=POSITIVE, alpha=0.6, lw=0, label="positives, 20 %")
    made.set_title("What the unlabelled are made of")
    for axes in (seen, made):
        axes.set(xlabel="score", yticks=[], ylim=(0, 0.43))
        axes.legend(loc="upper right", fontsize=9.5)
    save(figure, "prior-mixture", out)


def tails(distance: float) -> tuple[np.ndarray, np.ndarray]:
    """Share of the known positives, and of the unlabelled, at or above each score."""
    q_p, q_n = norm(distance, 1).sf(SCORES), norm(0, 1).sf(SCORES)
    return q_p, PRIOR * q_p + (1 - PRIOR) * q_n


def ratio(out: Path) -> None:
    """Q_u / Q_p falls to the prior where only positives are left, if there is such a place."""
    figure, panels = new_figure(2)
    titles = ("Classes far apart: the ratio finds 0.2", "Classes that overlap: it stays above")
    for axes, distance, title in zip(panels, (FAR, NEAR), titles, strict=True):
        q_p, q_u = tails(distance)
        axes.plot(SCORES, q_p, color=POSITIVE, lw=1.6, label="$Q_p$, known positives above")
        axes.plot(SCORES, q_u, color=MIXED, lw=1.6, label="$Q_u$, unlabelled above")
        usable = q_p > ENOUGH
        axes.plot(SCORES[usable], (q_u / q_p)[usable], color=INK, lw=2.4, label="$Q_u / Q_p$")
        axes.axhline(PRIOR, color=FAINT, ls=":", lw=1.4)
        axes.text(7.9, PRIOR - 0.07, "true prior", ha="right", color=FAINT, fontsize=9.5)
        lowest = (q_u / q_p)[usable].min()
        axes.plot(SCORES[usable][np.argmin((q_u / q_p)[usable])], lowest, "o", color=INK, ms=6)
        axes.set(title=title, xlabel="threshold", ylim=(0, 1.05), xlim=(-4, 8))
    panels[1].legend(loc="upper right", fontsize=9.5)
    save(figure, "prior-ratio", out)


def overlap(out: Path) -> None:
    """How far above the truth the smallest ratio stays, by the distance between the classes."""
    figure, (axes,) = new_figure(1, width=5.6)
    distances = np.linspace(0, 5, 60)
    smallest = []
    for distance in distances:
        q_p, q_u = tails(distance)
        smallest.append((q_u / q_p)[q_p > ENOUGH].min())
    axes.plot(distances, smallest, color=INK, lw=2.4)
    axes.axhline(PRIOR, color=FAINT, ls=":", lw=1.4)
    axes.text(5, PRIOR - 0.06, "true prior", ha="right", color=FAINT, fontsize=9.5)
    axes.set(xlabel="distance between the classes, in standard deviations",
             ylabel="smallest $Q_u / Q_p$", ylim=(0, 1.02))
    save(figure, "prior-overlap", out)


def intervals(out: Path) -> None:
    """Forty samples each of known positives, and what BBE says of them."""
    figure, panels = new_figure(3)
    for axes, (known, distance) in zip(panels, ((50, FAR), (500, FAR), (500, NEAR)), strict=True):
        samples = [estimate(known, distance, seed) for seed in range(40)]
        held = 0
        for place, (prior, truth) in enumerate(samples):
            holds = prior.low <= truth <= prior.high
            held += holds
            colour = INK if holds else POSITIVE
            axes.plot([place, place], [prior.low, prior.high], color=colour, lw=1.8, alpha=0.8)
            axes.plot(place, prior.value, "o", color=colour, ms=3)
        axes.axhline(PRIOR, color=FAINT, ls=":", lw=1.4)
        apart = "far apart" if distance == FAR else "overlapping"
        axes.set(title=f"{known} known, {apart}", xticks=[], ylim=(0, 0.65),
                 xlabel=f"{held} of 40 hold the truth")
    panels[0].set_ylabel("prior, with its 90 % interval")
    save(figure, "prior-intervals", out)


def estimate(known: int, distance: float, seed: int) -> tuple[hl.Prior, float]:
    """BBE on a sample, and the share of positives among its unlabelled."""
    rng = np.random.default_rng([known, seed])
    is_positive = rng.random(4000) < PRIOR
    prior = hl.estimate_prior(rng.normal(distance, 1, known), rng.normal(distance * is_positive, 1), "bbe")
    return prior, float(is_positive.mean())


if __name__ == "__main__":
    place = arguments(__doc__.splitlines()[0])
    for draw in (mixture, ratio, overlap, intervals):
        draw(place)
