"""What results were measured with, and why some are missing, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def measured_with(results: Iterable[dict[str, Any]]) -> list[str]:
    """Versions, commits, machines, time and memory of some results.

    >>> measured_with([{"status": "done", "versions": {"torch": "2.6.0"}, "commit": "abc",
    ...                 "fit_seconds": 90.0, "peak_mb": 800}])
    ['torch 2.6.0', 'commit abc', '2 minutes of fitting in all, 800 MB of memory at most']
    """
    done = [result for result in results if result["status"] == "done"]
    names = dict.fromkeys(name for result in done for name in result.get("versions", {}))
    versions = [f"{name} {_several(result['versions'].get(name) for result in done if 'versions' in result)}"
                for name in names]
    lines = [", ".join(versions)] if versions else []
    if commits := _several(result.get("commit") for result in done):
        lines.append(f"commit {commits}")
    if machines := _several(result.get("machine") for result in done):
        lines.append(machines)
    seconds = sum(result.get("fit_seconds", 0.0) for result in done)
    memory = max((result.get("peak_mb", 0) for result in done), default=0)
    if memory:
        lines.append(f"{round(seconds / 60):,} minutes of fitting in all, {memory:,} MB of memory at most")
    return lines


def missing_data(results: Iterable[dict[str, Any]]) -> list[str]:
    """Why there is no data, once for each graph.

    >>> missing_data([{"status": "no data", "dataset": "wikics", "reason": "no file"}] * 5)
    ['wikics: no file']
    """
    reasons = {result["dataset"]: result["reason"] for result in results if result["status"] == "no data"}
    return [reason if reason.startswith(f"{name}:") else f"{name}: {reason}"
            for name, reason in reasons.items()]


def _several(values: Iterable[str | None]) -> str:
    """Different values, the latest last."""
    return " and ".join(dict.fromkeys(value for value in values if value))
