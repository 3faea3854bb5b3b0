"""A figure as SVG inside a page, with the page's colours and font, at whatever width it is given."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

from matplotlib.figure import Figure


def inline_svg(figure: Figure, colours: Mapping[str, str]) -> str:
    """The <svg> element; `colours` says what stands for each colour that was drawn with, var(--ink) say.

    Ids differ from those of other figures only if drawn with an `svg.hashsalt` of its own.

    >>> inline_svg(Figure(figsize=(1, 1)), {}).startswith("<svg")
    True
    """
    figure.patch.set_alpha(0)
    for axes in figure.axes:
        axes.patch.set_alpha(0)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg"):]
    # The page gives the width: a figure of fixed size would not fit a phone.
    svg = re.sub(r' (width|height)="[0-9.]+pt"', "", svg, count=2)
    # Groups have the same ids in every figure, and nothing refers to them.
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    for drawn, wanted in colours.items():
        svg = svg.replace(drawn, wanted)
    return re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px; font-family: inherit", svg)
