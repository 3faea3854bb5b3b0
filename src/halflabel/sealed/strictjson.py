"""JSON as a standard has it, from files nobody vouches for: bounded, finite, and no key twice."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

LARGEST = 1 << 27  # bytes; names of a million features fit


def read_json(path: Path) -> tuple[Any, str]:
    """What a file says and its text; ValueError for whatever is not plain JSON of a reasonable size.

    Python's own reader takes NaN and 1e999, and the last of two equal keys; here they are errors.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_text('{"a": 1e999}')
    >>> read_json(path)
    Traceback (most recent call last):
    ValueError: 1e999 is not a finite number
    """
    with path.open("rb") as stream:
        content = stream.read(LARGEST + 1)  # the size on disk may change: what is read counts
    if len(content) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} bytes")
    text = content.decode("utf-8")
    return parse_json(text), text


def parse_json(text: str) -> Any:
    """The value of a text.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: the key 'a' is there twice
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("too deeply nested") from None


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _refuse(digits[:20])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise ValueError(f"the key {twice[:40]!r} is there twice")
    return found
