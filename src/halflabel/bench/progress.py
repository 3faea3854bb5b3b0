"""How far a run is and how long it will take: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

EVERY = 30.0  # seconds between lines


def watched(results: Iterable[dict[str, Any]], total: int, shown: bool) -> Iterator[dict[str, Any]]:
    """Pass results on, and show their number on the standard error.

    >>> list(watched([{"status": "done"}], 1, shown=False))
    [{'status': 'done'}]
    """
    if not shown or not total:
        yield from results
    elif sys.stderr.isatty():
        yield from _bar(results, total)
    else:
        yield from _lines(results, total)


def words(done: int, total: int, failed: int, seconds: float) -> str:
    """The state of a run in words.

    >>> words(20, 80, 1, 600.0)
    '20 of 80 jobs, 1 failed, about 30 minutes left'
    """
    parts = [f"{done:,} of {total:,} jobs"]
    if failed:
        parts.append(f"{failed:,} failed")
    parts.append("done" if done == total else f"about {_duration(seconds / done * (total - done))} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    return f"{round(seconds / 60)} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _bar(results: Iterable[dict[str, Any]], total: int) -> Iterator[dict[str, Any]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(), TextColumn("{task.description}"))
    start, failed = time.monotonic(), 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"0 of {total:,} jobs", total=total)
        for done, result in enumerate(results, start=1):
            failed += result["status"] == "failed"
            text = words(done, total, failed, time.monotonic() - start)
            progress.update(task, advance=1, description=text)
            yield result


def _lines(results: Iterable[dict[str, Any]], total: int) -> Iterator[dict[str, Any]]:
    start = latest = time.monotonic()
    failed = 0
    for done, result in enumerate(results, start=1):
        failed += result["status"] == "failed"
        now = time.monotonic()
        if done == total or now - latest >= EVERY:
            print(words(done, total, failed, now - start), file=sys.stderr, flush=True)
            latest = now
        yield result
