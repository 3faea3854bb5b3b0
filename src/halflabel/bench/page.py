"""One page with every table and figure that was asked for in a directory: self-contained, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from halflabel.bench.figures import caption, draw_target, inline_figure
from halflabel.bench.job import Job
from halflabel.bench.measured import measured_with, missing_data
from halflabel.bench.render import legend, number
from halflabel.bench.summary import Results, Table, tables_of
from halflabel.bench.targets import Target
from halflabel.bench.versus import Versus, base_row, versus


class Comparison(NamedTuple):
    """Every row against one."""

    base: str
    about: str
    columns: list[str]
    rows: list[Versus]


class Section(NamedTuple):
    """A table or figure on the page."""

    name: str
    title: str
    tables: list[Table]
    figure: Markup | None
    caption: str
    comparisons: list[Comparison]
    files: list[str]


def render_page(targets: Sequence[Target], results: Results, files: dict[str, list[str]]) -> str:
    """The page; `files` names what else was written of each target, to link to."""
    wanted = {job.key: job for target in targets for plan in target.plans for job in plan.jobs()}
    found = [results[key] for key in wanted if key in results]
    pages = Environment(
        loader=PackageLoader("halflabel.bench", "."), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    pages.filters.update(number=number, legend=legend)
    return pages.get_template("page.html").render(
        sections=[_section(target, results, files.get(target.name, [])) for target in targets],
        counts=_counts(wanted.values(), found),
        no_data=missing_data(found),
        failed=[_failure(result) for result in found if result["status"] == "failed"],
        measured=measured_with(found),
    )


def _section(target: Target, results: Results, files: list[str]) -> Section:
    by_plan = [tables_of(plan, results) for plan in target.plans]
    figure = draw_target(target.plans, results)
    # The only markup that is not escaped: our own figures. matplotlib escapes the labels in them.
    drawn = None if figure is None else Markup(inline_figure(figure, target.name))
    compared = [_comparison(tables, plan.pattern) for plan, tables in zip(target.plans, by_plan, strict=True)]
    everything = [table for tables in by_plan for table in tables]
    comparisons = [comparison for comparison in compared if comparison is not None]
    return Section(target.name, target.title, everything, drawn, caption(target.plans), comparisons, files)


def _comparison(tables: Sequence[Table], pattern: str | None) -> Comparison | None:
    base = base_row(tables)
    if base is None:
        return None
    rows = [row for row in versus(tables, base) if row.columns]
    columns = list(dict.fromkeys(column for row in rows for column in row.by_column))
    return Comparison(base, f" ({pattern})" if pattern else "", columns, rows) if rows else None


def _counts(wanted: Iterable[Job], found: list[dict[str, Any]]) -> str:
    total = len(list(wanted))
    statuses = [result["status"] for result in found]
    counts = {"not run": total - len(found), "failed": statuses.count("failed"),
              "without data": statuses.count("no data")}
    return ", ".join([f"{statuses.count('done'):,} of {total:,} jobs have a result",
                      *(f"{number:,} {words}" for words, number in counts.items() if number)])


def _failure(result: dict[str, Any]) -> dict[str, str]:
    return {"key": result["key"], "what": result["settings"].get("method", ""),
            "reason": result["reason"].splitlines()[0],
            "traceback": result.get("traceback", "No traceback: the process was gone.")}
