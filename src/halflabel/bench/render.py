"""Tables as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import math

from halflabel.bench.summary import PERCENT, Cell, Table


def to_markdown(table: Table) -> str:
    """Mean ± standard deviation, bold where best or tied with the best; the published value in brackets."""
    header = ["", *table.datasets]
    lines = [f"### {table.title}", "", _pipes(header), _pipes(["---"] + ["---:"] * len(table.datasets))]
    for label, cells in table.rows.items():
        lines.append(_pipes([label, *(_markdown_cell(cells[name], table) for name in table.datasets)]))
    for label, values in table.lines.items():
        lines.append(_pipes([f"*{label}*", *(_number(values.get(name, math.nan), table)
                                             for name in table.datasets)]))
    return "\n".join(lines) + "\n"


def to_csv(table: Table) -> str:
    """One line per row and graph, for other programs."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["row", "dataset", "metric", "mean", "sd", "splits", "published", "best_or_tied", "note"])
    for label, cells in table.rows.items():
        for name, cell in cells.items():
            writer.writerow([label, name, table.metric, _plain(cell.mean), _plain(cell.sd), len(cell.values),
                             cell.published[0] if cell.published else "", int(cell.best), cell.note])
    return stream.getvalue()


def to_latex(table: Table) -> str:
    """A tabular environment; the caption is left to the paper that it goes into."""
    lines = [r"\begin{tabular}{l" + "r" * len(table.datasets) + "}", r"\hline",
             " & ".join(["", *map(_escape, table.datasets)]) + r" \\", r"\hline"]
    for label, cells in table.rows.items():
        texts = [_latex_cell(cells[name], table) for name in table.datasets]
        lines.append(" & ".join([_escape(label), *texts]) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"


def _markdown_cell(cell: Cell, table: Table) -> str:
    published = f" [{cell.published[0]}]" if cell.published else ""
    if not cell.values:
        return (cell.note or "not run") + published
    mean = _number(cell.mean, table)
    text = f"**{mean}**" if cell.best else mean
    spread = "" if math.isnan(cell.sd) else f" ± {_number(cell.sd, table)}"
    return f"{text}{spread}{published}" + (f" ({cell.note})" if cell.note else "")


def _latex_cell(cell: Cell, table: Table) -> str:
    if not cell.values:
        return "--"
    mean = _number(cell.mean, table)
    spread = "" if math.isnan(cell.sd) else rf"$\pm${_number(cell.sd, table)}"
    return (rf"\textbf{{{mean}}}" if cell.best else mean) + spread


def _number(value: float, table: Table) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.1f}" if table.metric in PERCENT else f"{value:.3f}"


def _plain(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"


def _pipes(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escape(text: str) -> str:
    return "".join("\\" + char if char in "&%$#_{}" else char for char in text)
