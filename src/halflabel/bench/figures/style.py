"""How the figures of the benchmark look: colours that colour-blind readers can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Of Okabe and Ito (2008); each has its counterpart for dark pages in page.html.
INK, FAINT = "#1d2330", "#5c6671"
LINES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#8c6d1f", "#6a51a3")
FIRST = "#d55e00"
MARKERS = ("s", "^", "D", "v", "P", "X", "<")
POSITIVE, NEGATIVE = FIRST, LINES[0]
PAGE_COLOURS = {INK: "var(--ink)", FAINT: "var(--faint)", FIRST: "var(--c0)",
                **{colour: f"var(--c{i})" for i, colour in enumerate(LINES, start=1)}}
STYLE: Any = {
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "font.size": 12,
    "axes.titlesize": 12, "axes.labelsize": 12, "legend.fontsize": 12, "svg.fonttype": "none",
    "axes.grid.axis": "y", "grid.color": FAINT, "grid.alpha": 0.25, "grid.linewidth": 0.6,
}


def line_styles(labels: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colour and marker of each line; the first GPL stands out, and with an MLP for a GCN a line is dashed.

    >>> styles = line_styles(["GCN+TED", "MLP+TED", "GPL"])
    >>> [(style["color"], style["linestyle"]) for style in styles.values()]
    [('#0072b2', '-'), ('#0072b2', '--'), ('#d55e00', '-')]
    """
    main = next((label for label in labels if label.startswith("GPL")), labels[0])
    families = list(dict.fromkeys(_family(label) for label in labels if label != main))
    return {label: _main_style() if label == main else _style(label, families.index(_family(label)))
            for label in labels}


def _family(label: str) -> str:
    return label.replace("MLP", "GCN")


def _main_style() -> dict[str, Any]:
    return {"color": FIRST, "marker": "o", "linestyle": "-", "linewidth": 2.6, "markersize": 7, "zorder": 3}


def _style(label: str, place: int) -> dict[str, Any]:
    dashed = place >= len(LINES) or "MLP" in label
    return {"color": LINES[place % len(LINES)], "marker": MARKERS[place % len(MARKERS)], "linewidth": 1.6,
            "linestyle": "--" if dashed else "-", "markersize": 6, "zorder": 2}
