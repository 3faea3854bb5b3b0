"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator


def track(total: int, what: str, shown: bool) -> Iterator[int]:
    """Yield 0 .. total-1 and show how far that is, on the standard error.

    >>> list(track(3, "counting", shown=False))
    [0, 1, 2]
    """
    if not shown:
        yield from range(total)
    elif sys.stderr.isatty():
        yield from _bar(total, what)
    else:
        yield from _lines(total, what)


def _bar(total: int, what: str) -> Iterator[int]:
    from rich.console import Console
    from rich.progress import track as rich_track

    yield from rich_track(range(total), description=what, console=Console(stderr=True), transient=True)


def _lines(total: int, what: str) -> Iterator[int]:
    step = max(1, -(-total // 5))
    for i in range(total):
        yield i
        if (i + 1) % step == 0 or i + 1 == total:
            print(f"{what}: {i + 1}/{total}", file=sys.stderr)
