"""One small picture of an explanation: who is around the node, and what its features contribute."""

from __future__ import annotations

import os
import warnings
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from halflabel.explain.explanation import Explanation
from halflabel.explain.neighbourhood import Neighbourhood
from halflabel.explain.words import amount, percent
from halflabel.plots.prior import INK, KNOWN, STYLE, UNLABELLED

GREY, FLAGGED, OTHER = "#9a9a9a", "#e0a458", "#d5dde6"
TRUSTED, DASHES = 0.5, (0, (2, 2))
HALO = [withStroke(linewidth=2.5, foreground="white")]  # names stay readable across edges
LABEL = 14  # characters of a name in the picture
LABELLED = 14  # nodes with a name, the most relevant


def draw_why(explanation: Explanation, path: str | os.PathLike[str]) -> None:
    """Write the picture to a file whose ending decides the format."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": "halflabel"}):  # pyright: ignore
        bars = bool(explanation.features)
        figure = Figure(figsize=(10.5 if bars else 6.2, 4.8), layout="constrained")
        widths = (1.25, 1) if bars else (1,)
        axes = figure.subplots(1, len(widths), squeeze=False, width_ratios=widths)[0]
        _draw_neighbourhood(axes[0], explanation.around)
        if bars:
            _draw_features(axes[1], explanation)
        figure.suptitle(_title(explanation), fontsize=11)
        with warnings.catch_warnings():  # a box for a letter that the font lacks needs no remark
            warnings.filterwarnings("ignore", message="Glyph .* missing")
            figure.savefig(path, dpi=150, metadata=_undated(path))


def _undated(path: str | os.PathLike[str]) -> dict[str, Any]:
    """No date in the file: the same explanation is the same picture, to the byte."""
    ending = os.fspath(path).lower().rpartition(".")[2]
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending, {})


def _title(explanation: Explanation) -> str:
    place = "a known positive" if explanation.rank is None else (
        f"rank {explanation.rank:,} of {explanation.unlabelled:,}")
    return f"{_short(explanation.node, 40)}: probability {percent(explanation.probability)}, {place}"


def _draw_neighbourhood(axes: Axes, around: Neighbourhood) -> None:
    places = _places(around)
    for edge in around.edges:
        (x0, y0), (x1, y1) = places[edge.source], places[edge.target]
        if edge.trust >= TRUSTED:
            axes.plot([x0, x1], [y0, y1], color=INK, linewidth=0.4 + 1.4 * edge.trust, alpha=0.55, zorder=1)
        else:
            axes.plot([x0, x1], [y0, y1], color=KNOWN, linewidth=0.9, linestyle=DASHES, alpha=0.6, zorder=1)
    for rank, node in enumerate(around.nodes):
        x, y = places[node.id]
        colour = KNOWN if node.known_positive else FLAGGED if node.flagged else OTHER
        axes.scatter([x], [y], s=190 if rank == 0 else 70, color=colour, zorder=2,
                     edgecolor=INK if rank == 0 else "white", linewidth=1.6 if rank == 0 else 0.8)
        if rank < LABELLED:
            axes.annotate(_short(node.id), (x, y), (0, -12 if rank == 0 else -9), textcoords="offset points",
                          ha="center", va="top", fontsize=7, zorder=3, path_effects=HALO)
    shown = f"{len(around.nodes)} of {len(around.nodes) + around.left_out:,} nodes within two steps"
    axes.set_title(shown, fontsize=9)
    axes.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal")
    axes.axis("off")
    axes.legend(handles=_legend(), loc="upper center", bbox_to_anchor=(0.5, 0.02), ncols=3, fontsize=7.5)


def _places(around: Neighbourhood) -> dict[Any, tuple[float, float]]:
    """The centre in the middle, its neighbours around it, the others outside, near whom they hang on."""
    centre, others = around.nodes[0], around.nodes[1:]
    places = {centre.id: (0.0, 0.0)}
    angle: dict[Any, float] = {}
    first = [node.id for node in others if node.steps == 1]
    far = [node.id for node in others if node.steps > 1]
    links: dict[Any, list[Any]] = {}
    for edge in around.edges:
        links.setdefault(edge.source, []).append(edge.target)
        links.setdefault(edge.target, []).append(edge.source)
    hanging = {name: [f for f in far if next((n for n in links.get(f, []) if n in first), None) == name]
               for name in first}
    slots = [name for one in first for name in (hanging[one] or [one])] or [None]
    for one in first:
        width = len(hanging[one]) or 1
        begin = slots.index(hanging[one][0] if hanging[one] else one)
        angle[one] = 2 * np.pi * (begin + (width - 1) / 2) / len(slots)
        for i, name in enumerate(hanging[one]):
            angle[name] = 2 * np.pi * (begin + i) / len(slots)
    for name, turn in angle.items():
        radius = 0.55 if name in first else 1.0 if slots.index(name) % 2 else 1.15
        places[name] = (radius * float(np.cos(turn)), radius * float(np.sin(turn)))
    return places


def _draw_features(axes: Axes, explanation: Explanation) -> None:
    features = explanation.features[::-1]
    rows = np.arange(len(features))
    value = [feature.contribution for feature in features]
    axes.barh(rows, value, color=[KNOWN if v > 0 else UNLABELLED for v in value], height=0.65,
              xerr=[feature.error for feature in features], error_kw={"ecolor": INK, "elinewidth": 1})
    labels = [f"{_short(f.name, 24)} = {amount(f.value)}\n(usual {amount(f.usual)})" for f in features]
    axes.set_yticks(list(rows), labels, fontsize=7)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_title("what its features contribute", fontsize=9)
    axes.set_xlabel("log-odds, against the usual value", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)


def _legend() -> list[Line2D]:
    def dot(colour: str, label: str) -> Line2D:
        return Line2D([], [], marker="o", linestyle="", color=colour, label=label, markersize=7)

    return [dot(KNOWN, "known positive"), dot(FLAGGED, "flagged"), dot(OTHER, "other"),
            Line2D([], [], color=INK, label="trusted edge"),
            Line2D([], [], color=KNOWN, linestyle=DASHES, label="distrusted edge")]


def _short(name: object, most: int = LABEL) -> str:
    """A name that fits in, without what cannot be drawn; a dollar sign would start a formula."""
    text = "".join(c if c.isprintable() else "?" for c in str(name))
    return (text if len(text) <= most else f"{text[: most - 1]}…").replace("$", r"\$")
