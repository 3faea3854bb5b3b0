"""How the pictures of these pages look, and where they go."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from halflabel.bench.figures.style import FAINT, INK, NEGATIVE, POSITIVE, STYLE

IMAGES = Path(__file__).parents[1] / "images"
MIXED = "#8a8f98"
__all__ = ["FAINT", "INK", "MIXED", "NEGATIVE", "POSITIVE", "arguments", "new_figure", "save"]


def new_figure(columns: int = 1, *, height: float = 3.1, width: float = 8.6) -> tuple[Figure, Any]:
    """A figure and its axes, side by side."""
    matplotlib.rcParams.update(STYLE | {"svg.hashsalt": "halflabel", "font.size": 11, "svg.fonttype": "path"})
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns, squeeze=False)[0]


def save(figure: Figure, name: str, directory: Path) -> None:
    """As SVG, without a date: drawn again, the file stays the same."""
    directory.mkdir(parents=True, exist_ok=True)
    figure.savefig(directory / f"{name}.svg", metadata={"Date": None, "Creator": None})
    print(f"wrote {directory / name}.svg")


def arguments(description: str) -> Path:
    """--out DIR, which is docs/images unless told otherwise."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, default=IMAGES)
    return parser.parse_args().out
