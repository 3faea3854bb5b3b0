"""Tables as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from halflabel.bench.cell import PERCENT, Cell
from halflabel.bench.summary import Table

FIELDS = ["table", "row", "dataset", "varies", "value", "metric", "mean", "sd", "splits", "published",
          "published_sd", "best_or_tied", "reference", "note"]


def to_markdown(table: Table) -> str:
    """Mean ± standard deviation, bold where best or tied with the best; the published value in brackets."""
    lines = [f"### {table.title}", "", _pipes([table.varies, *table.columns]),
             _pipes(["---"] + ["---:"] * len(table.columns))]
    for label, cells in table.rows.items():
        lines.append(_pipes([label, *(_markdown_cell(cells[name], table) for name in table.columns)]))
    for label, cells in table.references.items():
        lines.append(_pipes([f"*{label}*", *(_markdown_cell(cells[name], table) for name in table.columns)]))
    for label, values in table.lines.items():
        lines.append(_pipes([f"*{label}*", *(number(values.get(name, math.nan), table)
                                             for name in table.columns)]))
    return "\n".join(lines) + f"\n\n{legend(table)}\n"


def legend(table: Table) -> str:
    """How to read a table.

    >>> legend(Table("", "f1_top", (), {}, {}, {})).split(";")[0]
    'Mean ± standard deviation over splits'
    """
    parts = ["Mean ± standard deviation over splits"]
    cells = [cell for own in table.cells.values() for cell in own.values()]
    splits = max((len(cell.values) for cell in cells), default=0)
    if table.metric != "weight":
        which = "smallest" if table.smaller_is_better else "largest"
        parts.append(f"bold: the {which}, and those that a paired test over the splits does not tell from it")
        if 0 < splits < 5:
            parts.append("with fewer than five splits it can tell none")
    if any(cell.published for cell in cells):
        parts.append("in brackets: as published")
    if table.references or table.lines:
        parts.append("in italics: for reference, no contestant")
    return "; ".join(parts) + "."


def to_csv(tables: Sequence[Table]) -> str:
    """One line per row and column of every table, for other programs."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(FIELDS)
    for table in tables:
        for label, cells in table.cells.items():
            for column in table.columns:
                writer.writerow([table.title, label, *_place(table, column), table.metric,
                                 *_csv_cell(cells[column]), int(label in table.references),
                                 cells[column].note])
        for label, values in table.lines.items():
            for column, value in values.items():
                writer.writerow([table.title, label, *_place(table, column), table.metric, _plain(value),
                                 "", "", "", "", 0, 1, ""])
    return stream.getvalue()


def to_latex(table: Table) -> str:
    """A tabular environment; the caption is left to the paper that it goes into."""
    lines = [f"% {table.title}", r"\begin{tabular}{l" + "r" * len(table.columns) + "}", r"\hline",
             _ampersands([table.varies, *table.columns])]
    for group in (table.rows, table.references):
        lines += [r"\hline"] * bool(group)
        for label, cells in group.items():
            lines.append(_ampersands([label], [_latex_cell(cells[name], table) for name in table.columns]))
    lines += [_ampersands([label], [number(values.get(name, math.nan), table) for name in table.columns])
              for label, values in table.lines.items()]
    return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"


def number(value: float, table: Table) -> str:
    """As many digits as the splits can tell apart; nothing where there is no value.

    >>> number(83.44, Table("", "f1_top", (), {}, {}, {}))
    '83.4'
    >>> number(0.0712, Table("", "prior_error", (), {}, {}, {}))
    '0.071'
    """
    if math.isnan(value):
        return ""
    return f"{value:.1f}" if table.metric in PERCENT else f"{value:.3f}"


def _place(table: Table, column: str) -> list[str]:
    return [table.dataset, table.varies, column] if table.varies else [column, "", ""]


def _csv_cell(cell: Cell) -> list[object]:
    printed = [] if cell.published is None else list(cell.published)
    return [_plain(cell.mean), _plain(cell.sd), len(cell.values), *(printed or ["", ""]), int(cell.best)]


def _markdown_cell(cell: Cell, table: Table) -> str:
    published = f" [{cell.published[0]}]" if cell.published else ""
    if not cell.values:
        return (cell.note or "not run") + published
    mean = number(cell.mean, table)
    text = f"**{mean}**" if cell.best else mean
    spread = "" if math.isnan(cell.sd) else f" ± {number(cell.sd, table)}"
    return f"{text}{spread}{published}" + (f" ({cell.note})" if cell.note else "")


def _latex_cell(cell: Cell, table: Table) -> str:
    published = rf" {{\scriptsize[{cell.published[0]}]}}" if cell.published else ""
    if not cell.values:
        return (cell.note or "not run") + published
    mean = number(cell.mean, table)
    spread = "" if math.isnan(cell.sd) else rf"$\pm${number(cell.sd, table)}"
    return (rf"\textbf{{{mean}}}" if cell.best else mean) + spread + published


def _plain(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"


def _pipes(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _ampersands(names: Sequence[str], cells: Sequence[str] = ()) -> str:
    return " & ".join([*map(_escape, names), *cells]) + r" \\"


def _escape(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(char, "\\" + char if char in "&%$#_{}" else char) for char in text)
