"""Everything that a run writes beside the store: tables, figures, and the page over all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halflabel.bench.figures import draw_target, write_figure
from halflabel.bench.page import render_page
from halflabel.bench.render import to_csv, to_latex, to_markdown
from halflabel.bench.summary import Results, tables_of
from halflabel.bench.targets import Target, find_targets, is_file, narrow
from halflabel.errors import DataError
from halflabel.files import whole_file
from halflabel.sealed.schema import either, integer, listed, mapping, nothing, record, text
from halflabel.sealed.strictjson import read_json

NAMES = either(nothing, listed(text))
ENTRIES = mapping(record({"plan": text, "datasets": NAMES, "methods": NAMES,
                          "seeds": either(nothing, integer(1))}))
ENDINGS = (".md", ".csv", ".tex", ".png", ".svg")


class Asked:
    """What has been asked for in a directory, so that its page shows all of it, as it was asked."""

    def __init__(self, directory: Path):
        self.path = directory / "asked.json"
        self.entries: dict[str, dict[str, Any]] = _read_entries(self.path) if self.path.exists() else {}

    def add(
        self, plans: dict[str, str], datasets: Sequence[str] | None, methods: Sequence[str] | None,
        seeds: int | None,
    ) -> None:
        """Remember targets, each with the plan's name or path, and what of them was wanted."""
        for name, plan in plans.items():
            self.entries[name] = {"plan": plan, "datasets": datasets, "methods": methods, "seeds": seeds}
        write_text(self.path, json.dumps(self.entries, indent=1) + "\n")

    def others(self, now: Sequence[str]) -> list[Target]:
        """Targets of earlier runs that can still be read; a plan that has changed beyond use is left out."""
        found = []
        for name, entry in self.entries.items():
            if name in now or (is_file(entry["plan"]) and not Path(entry["plan"]).exists()):
                continue
            try:
                (target,) = find_targets(entry["plan"])
                found += narrow([target], entry["datasets"], entry["methods"], entry["seeds"])
            except DataError:
                continue
        return found


def _read_entries(path: Path) -> dict[str, dict[str, Any]]:
    try:
        entries, _ = read_json(path)
        ENTRIES(entries, path.name)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: not what earlier runs asked for ({error}). Remove it: the page will then "
                        "show the targets of this run only.") from None
    return entries


def write_outputs(targets: Sequence[Target], others: Sequence[Target], results: Results, out: Path) -> Path:
    """Write the files of these targets, and the page of these and others; where the page is."""
    for target in targets:
        _write_target(target, results, out)
    everything = sorted([*targets, *others], key=lambda target: _order(target.name))
    files = {target.name: [f"{target.name}{ending}" for ending in ENDINGS
                           if (out / f"{target.name}{ending}").exists()] for target in everything}
    page = out / "index.html"
    write_text(page, render_page(everything, results, files))
    return page


def write_text(path: Path, text: str) -> None:
    """Whole or not at all."""
    with whole_file(path) as filling:
        filling.write_text(text, encoding="utf-8")


def _write_target(target: Target, results: Results, out: Path) -> None:
    tables = [table for plan in target.plans for table in tables_of(plan, results)]
    write_text(out / f"{target.name}.md", "\n".join(map(to_markdown, tables)))
    write_text(out / f"{target.name}.csv", to_csv(tables))
    write_text(out / f"{target.name}.tex", "\n".join(map(to_latex, tables)))
    figure = draw_target(target.plans, results)
    if figure is not None:
        for ending in (".png", ".svg"):
            with whole_file(out / f"{target.name}{ending}") as filling:
                write_figure(figure, filling)


def _order(name: str) -> tuple[int, str]:
    """Tables before figures, the user's own last."""
    return (0 if name.startswith("table") else 1 if name.startswith("figure") else 2), name
