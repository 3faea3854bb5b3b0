"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

PATIENCE = 2.0  # seconds; what is done by then needs no progress


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


@contextmanager
def meter(what: str, shown: bool, patience: float = PATIENCE) -> Iterator[Callable[[float], None]]:
    """Give a function that takes the share of the work that is done; quiet while it takes no time.

    >>> with meter("counting", shown=False) as show:
    ...     show(0.5)
    """
    if not shown:
        yield lambda share: None
        return
    report, close = (_share_bar if sys.stderr.isatty() else _share_lines)(what)
    begin = monotonic()

    def show(share: float) -> None:
        if monotonic() - begin >= patience:
            report(share)

    try:
        yield show
    finally:
        close()


def _share_bar(what: str) -> tuple[Callable[[float], None], Callable[[], None]]:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=1.0)

    def report(share: float) -> None:
        bar.start()
        bar.update(task, completed=share)

    return report, bar.stop


def _share_lines(what: str) -> tuple[Callable[[float], None], Callable[[], None]]:
    told = -1

    def report(share: float) -> None:
        nonlocal told
        if int(5 * share) > told:
            told = int(5 * share)
            print(f"{what}: {100 * share:.0f} %", file=sys.stderr)

    return report, lambda: None


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
