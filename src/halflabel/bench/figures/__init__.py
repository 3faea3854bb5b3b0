"""Figures of the benchmark, from the plans that they belong to and the results that there are."""

from halflabel.bench.figures.draw import caption, draw_target, inline_figure, write_figure

__all__ = ["caption", "draw_target", "inline_figure", "write_figure"]
