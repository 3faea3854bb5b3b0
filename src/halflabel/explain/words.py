"""Numbers and names in few characters, and plain tables of them."""

from __future__ import annotations

from collections.abc import Sequence

LENGTH = 40  # characters of an id or of a feature's name


def amount(value: float) -> str:
    """A number in few characters.

    >>> amount(3.0), amount(0.6134), amount(12345.6), amount(-0.00012)
    ('3', '0.61', '12,346', '-0.00012')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) >= 1 else f"{value:.2g}"


def percent(share: float) -> str:
    """A probability that is never rounded to certainty.

    >>> percent(0.8312), percent(0.00004), percent(0.99999)
    ('83.1 %', '< 0.1 %', '> 99.9 %')
    """
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"


def points(change: float | None) -> str:
    """A change of a probability, in percentage points.

    >>> points(0.123), points(-0.00001), points(None)
    ('+12.3', '0.0', '')
    """
    if change is None:
        return ""
    return "0.0" if abs(change) < 0.0005 else f"{100 * change:+.1f}"


def shortened(name: object) -> str:
    """A name that does not fill the line.

    >>> shortened("a" * 60) == "a" * 39 + "…"
    True
    """
    text = str(name)
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Lines of a table without boxes; the first `left` columns are aligned to the left.

    >>> print("\\n".join(table(("who", "n"), [("ann", "10"), ("bo", "9")], left=1)))
      who   n
      ann  10
      bo    9
    """
    lines = [columns, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    sides = [str.ljust if i < left else str.rjust for i in range(len(columns))]
    aligned = ([side(cell, width) for side, cell, width in zip(sides, line, widths, strict=True)]
               for line in lines)
    return ["  " + "  ".join(cells).rstrip() for cells in aligned]
