"""Examples in docstrings are plain doctests; on the page they are code."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> |\s*$).*\n?)*)+", flags=re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts fences around `>>>` lines and what they print, and around indented blocks of formulas nothing."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called by griffe for everything it finds."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(found: re.Match[str]) -> str:
    return f"```pycon\n{found[0].rstrip()}\n```\n"
