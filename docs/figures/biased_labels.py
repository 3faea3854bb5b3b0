"""Draws the picture of docs/assumptions.md from what benchmarks/assumptions/biased_labels.py measured.

    python docs/figures/biased_labels.py
"""

from __future__ import annotations

import json
from pathlib import Path

from style import FAINT, INK, NEGATIVE, POSITIVE, arguments, new_figure, save

RESULTS = Path(__file__).parents[2] / "benchmarks/assumptions/results/biased-labels.json"
LOOKS = {"degree": (NEGATIVE, "s"), "nearness": (POSITIVE, "o"), "feature": ("#009e73", "^")}
NAMES = {"degree": "those with many edges", "nearness": "those near the first find",
         "feature": "those with chargebacks"}


def draw(out: Path) -> None:
    """The prior of GPL as labels become less of a random draw, on either graph."""
    rows = [row for row in json.loads(RESULTS.read_text())["rows"] if row["method"] == "gpl"]
    figure, panels = new_figure(2, height=3.3)
    for axes, graph in zip(panels, ("payments", "cora"), strict=True):
        own = [row for row in rows if row["graph"] == graph]
        truth = own[0]["true_prior"]
        for bias, (colour, marker) in LOOKS.items():
            line = [row for row in own if row["bias"] in ("none", bias)]
            if len(line) > 1:
                axes.plot([row["times"] for row in line], [row["prior"] for row in line], color=colour,
                          marker=marker, label=NAMES[bias])
        axes.axhline(truth, color=FAINT, ls=":")
        axes.text(1, 0.97 * truth, "truth", va="top", color=INK, fontsize=9.5)
        axes.set(xscale="log", xticks=[1, 10, 100], xticklabels=["random", "10 times", "100 times"],
                 title=f"{graph}: the prior of GPL", ylim=(0, 1.3 * max(row["prior"] for row in own)))
        axes.minorticks_off()
    panels[0].legend(loc="lower left", fontsize=9.5, title="known rather:", title_fontsize=9.5)
    save(figure, "biased-labels", out)


if __name__ == "__main__":
    draw(arguments(__doc__.splitlines()[0]))
