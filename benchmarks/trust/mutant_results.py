"""Results of mutants: kept as JSON, written out as a page that names every survivor."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

COUNTED = ("mutants", "killed", "timed out", "survived")
HEAD = "mutants | killed | timed out | survived | noticed |\n| --- | ---: | ---: | ---: | ---: | ---: |"
LONGEST = 70  # characters of code
Results = dict[str, dict[str, Any]]


def read_results(path: Path) -> Results:
    """What earlier runs found, by module."""
    return json.loads(path.read_text(encoding="utf-8"))["modules"] if path.exists() else {}


def summary(results: Results) -> dict[str, dict[str, Any]]:
    """Counts by group, and the share that was noticed: killed, or never done."""
    groups: dict[str, dict[str, Any]] = {}
    for result in results.values():
        counts = groups.setdefault(result["group"], dict.fromkeys(COUNTED, 0))
        for name in counts:
            counts[name] += result[name]
    return {group: {**counts, "share": _share(counts)} for group, counts in groups.items()}


def write_results(path: Path, results: Results) -> None:
    """Both files."""
    write_json(path, {"machine": describe_machine(1), "groups": summary(results), "modules": results})
    path.with_suffix(".md").write_text(_page(results), encoding="utf-8")


def _page(results: Results) -> str:
    lines = ["# Mutants", "",
             "Written by `make mutants`; what a mutant is stands in `benchmarks/trust/mutations.py`.",
             "Noticed: killed by a failing test, or stopped when the tests should long have ended.", "",
             f"| group | {HEAD}"]
    lines += [_row(f"**{group}**", counts) for group, counts in summary(results).items()]
    lines += ["", f"| module | {HEAD}", *(_row(module, result) for module, result in results.items())]
    lines += ["", "## Survivors", "", "Line: what stands there, and what the tests took as well."]
    lines += ["Seconds: at least so many of tests were tried, the quickest first; slower ones might notice "
              "more."]
    for module, result in results.items():
        if result["survivors"]:
            lines += ["", f"### {module} ({result['patience']:g} seconds)", ""]
            lines += [f"- {mutant['line']}: `{_short(mutant['before'])}` → `{_short(mutant['after'])}`"
                      for mutant in result["survivors"]]
    return "\n".join(lines) + "\n"


def _row(name: str, counts: dict[str, Any]) -> str:
    return (f"| {name} | {counts['mutants']:,} | {counts['killed']:,} | {counts['timed out']:,} | "
            f"{counts['survived']:,} | {_share(counts):.1%} |")


def _share(counts: dict[str, Any]) -> float:
    return 1 - counts["survived"] / counts["mutants"]


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} ..."
