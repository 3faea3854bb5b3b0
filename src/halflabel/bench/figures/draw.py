"""Which figure a plan is drawn as: its kind of rows decides, not its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from halflabel.bench.figures.histograms import Pair, Words, draw_histograms
from halflabel.bench.figures.lines import draw_lines
from halflabel.bench.figures.style import PAGE_COLOURS, STYLE
from halflabel.bench.plan import Plan, Row
from halflabel.bench.summary import Results, short, tables_of
from halflabel.plots.inline import inline_svg

PATTERNS = {"ring": "ring: neighbouring classes", "uniform": "uniform: any two classes",
            "binary": "positives to negatives"}
PROBABILITY = Words(("positive", "negative"), "predicted probability of unlabelled nodes", "% of the class")
WEIGHT = Words(("between positive and negative", "within a class"), "learned edge weight", "% of these edges")


def draw_target(plans: Sequence[Plan], results: Results) -> Figure | None:
    """The figure of one plan, or of two that differ in the pattern; None of a table, or if nothing ran.

    Graphs without a result have no panel; the tables below the figure say why.
    """
    plans = [replace(plan, datasets=_measured(plan, results)) for plan in plans]
    kinds = {row.kind for plan in plans for row in plan.rows}
    with matplotlib.rc_context(STYLE):
        if kinds == {"edges"}:
            figure = _draw_weights(plans[0], results)
        elif kinds == {"distribution"}:
            figure = _draw_probabilities(plans, results)
        else:
            figure = _draw_curves(plans, results) if plans[0].vary else None
        if figure is not None:  # laid out once, and not again for each format it is saved in
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
    return figure


def caption(plans: Sequence[Plan]) -> str:
    """How to read a figure."""
    if plans[0].vary and plans[0].metric != "overlap":
        return "Lines are means over the splits, bands one standard deviation."
    return "Averages over the splits. Every panel has a height of its own."


def write_figure(figure: Figure, path: Path) -> None:
    """As a file whose ending decides the format."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": path.stem}):
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=200, metadata=metadata)


def inline_figure(figure: Figure, name: str) -> str:
    """As part of a page, in the page's colours."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        return inline_svg(figure, PAGE_COLOURS)


def _measured(plan: Plan, results: Results) -> tuple[str, ...]:
    done = {job.dataset for job in plan.jobs() if results.get(job.key, {}).get("status") == "done"}
    return tuple(name for name in plan.datasets if name in done)


def _draw_curves(plans: Sequence[Plan], results: Results) -> Figure | None:
    panels = {}
    for plan in plans:
        for table in tables_of(plan, results):
            parts = [table.dataset] if len(plan.datasets) > 1 or not plan.pattern else []
            parts += [PATTERNS[plan.pattern]] if plan.pattern else []
            panels[", ".join(parts)] = table
    return draw_lines(panels) if panels else None


def _draw_probabilities(plans: Sequence[Plan], results: Results) -> Figure | None:
    rows = {}
    for plan in plans:
        for name in plan.datasets:
            for row in plan.rows:
                graph = [short(name)] if len(plan.datasets) > 1 else []
                label = "\n".join([row.label, str(plan.pattern), *graph])
                rows[label] = [_probabilities(plan, row, name, value, results) for value in plan.values]
    columns = [f"heterophily {value:g}" for value in plans[0].values]
    return draw_histograms(rows, columns, PROBABILITY) if _any(rows) else None


def _probabilities(plan: Plan, row: Row, dataset: str, value: float, results: Results) -> Pair | None:
    found = _metrics(plan, row, dataset, value, results)
    if not found:
        return None
    first, second = (np.mean([each[name] for each in found], axis=0) for name in ("positive", "negative"))
    return Pair(first, second, f"overlap {np.mean([each['overlap'] for each in found]):.2f}")


def _draw_weights(plan: Plan, results: Results) -> Figure | None:
    epochs = list(dict.fromkeys(epoch for row in plan.rows for epoch in row.options["epochs"]))
    rows = {}
    for name in plan.datasets:
        for row in plan.rows:
            found = _metrics(plan, row, name, float("nan"), results)
            rows[f"{short(name)}\n{row.label}"] = [_weights(found, str(epoch)) for epoch in epochs]
    columns = [f"epoch {epoch}" for epoch in epochs]
    return draw_histograms(rows, columns, WEIGHT) if _any(rows) else None


def _weights(found: list[dict[str, Any]], epoch: str) -> Pair | None:
    snapshots = [each["snapshots"][epoch] for each in found if epoch in each["snapshots"]]
    if not snapshots:
        return None
    between, within = (np.mean([each[kind]["shares"] for each in snapshots], axis=0)
                       for kind in ("between", "within"))
    means = [np.mean([each[kind]["mean"] for each in snapshots]) for kind in ("between", "within")]
    return Pair(between, within, "means {:.2f}, {:.2f}".format(*means))


def _metrics(plan: Plan, row: Row, dataset: str, value: float, results: Results) -> list[dict[str, Any]]:
    found = [results.get(plan.job(row, dataset, seed, value).key) for seed in range(plan.seeds)]
    return [result["metrics"] for result in found if result is not None and result["status"] == "done"]


def _any(rows: dict[str, list[Pair | None]]) -> bool:
    return any(pair is not None for pairs in rows.values() for pair in pairs)
