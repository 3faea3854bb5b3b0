"""How things look on the terminal: plain lines, a heading now and then, and tables without boxes."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from halflabel.cli.words import printable


def say(text: str = "", style: str = "") -> None:
    """A line of output. Never read as markup: ids and file names may contain square brackets."""
    _console().print(Text(text, style), soft_wrap=True)


def say_prose(text: str) -> None:
    """A sentence, broken between words where the terminal ends; one line where there is no terminal."""
    console = _console()
    if console.is_terminal:
        console.print(Padding(Text(text), (0, 2)))
    else:
        say(f"  {text}")


def say_heading(text: str) -> None:
    """A heading, with an empty line above it."""
    say()
    say(text, "bold")


def say_error(message: str) -> None:
    """A line on the standard error, in red where there are colours."""
    _console(stderr=True).print(Text(message, "red"), soft_wrap=True)


def say_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Names and what there is to say of each, in two columns."""
    width = max(len(name) for name, _ in pairs)
    for name, text in pairs:
        say(f"  {name:<{width}}  {text}")


def say_points(points: Sequence[str], style: str = "") -> None:
    """A list of remarks, each broken between words where the terminal ends."""
    console = _console()
    for point in points:
        line = f"  - {point}"
        if console.is_terminal:
            line = textwrap.fill(line, console.width, subsequent_indent="    ", break_long_words=False,
                                 break_on_hyphens=False)
        say(line, style)


def say_json(content: Mapping[str, object]) -> None:
    """One JSON object, and what is not a number as null: all that goes to the standard output then."""
    text = json.dumps(_plain(content), indent=2, allow_nan=False)
    _console().print(Text(text), soft_wrap=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if hasattr(value, "item"):  # numpy's numbers
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def say_table(columns: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[str] = ()) -> None:
    """A table; columns named in `right` are aligned to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("")  # an empty one, which indents the others
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row("", *(Text(printable(cell)) for cell in row))
    _console().print(table)


def _console(stderr: bool = False) -> Console:
    # Made anew each time, because tests exchange the streams.
    return Console(stderr=stderr, highlight=False)
