"""A comparison in words and tables, the same on the terminal and in print()."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from halflabel.comparison.result import Comparison
from halflabel.metrics import all_positive_f1


class Table(NamedTuple):
    """A heading, the names of the columns, and rows of text."""

    heading: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def ranking(found: Comparison) -> Table:
    """How methods rank hidden positives among the unlabelled nodes."""
    rows = []
    for row in found.rows:
        gap = found.gaps.get(row.method)
        rows.append((row.method, f"{row.mean('auc'):.3f}", f"{gap:.3f}" if gap else "",
                     found.verdict(row.method), f"{row.mean('recall_at_prior'):.2f}", f"{row.seconds:.1f}"))
    columns = ("method", "AUC", "behind the best", "verdict", "recall at prior", "seconds")
    return Table("Ranking of hidden positives among the unlabelled nodes", columns, rows)


def decisions(found: Comparison) -> Table:
    """What methods flag by themselves, and the precision and F1 that the common prior implies."""
    low, high = found.prior.low, found.prior.high
    rows = [(row.method, f"{row.mean('flagged').value:.3f}",
             *(f"{row.mean(column):.2f}" for column in ("recall", "precision", "f1")),
             f"{row.f1_at(low):.2f} to {row.f1_at(high):.2f}")
            for row in found.rows]
    columns = ("method", "flagged", "recall", "precision", "F1", "F1 by prior")
    return Table("What each flags by itself", columns, rows)


def sentences(found: Comparison) -> list[str]:
    """Who ranks best, who is within noise of it, what that means, and what the numbers stand on."""
    best = found.rows[0]
    said = [f"{best.method} ranks hidden positives best: AUC {best.mean('auc').value:.3f}, where chance has "
            f"0.500 and a perfect ranking, at this prior, {1 - found.prior.value / 2:.3f}."]
    if found.tied:
        are = "is" if len(found.tied) == 1 else "are"
        said.append(f"{_listed(found.tied)} {are} within noise of it: with {found.known:,} known positives, "
                    "what separates them may be chance. Choose by speed or simplicity, or label more.")
    if found.worse:
        are = "is" if len(found.worse) == 1 else "are"
        said.append(f"{_listed(found.worse)} {are} worse by more than noise.")
    weak = [row.method for row in found.rows if row.mean("auc").value - row.mean("auc").margin <= 0.5]
    if weak:
        said.append(f"{_listed(weak)} may be no better than chance on this graph.")
    everything = all_positive_f1(found.prior.value)
    blind = [row.method for row in found.rows if row.mean("f1").value <= everything]
    if blind:
        said.append(f"Calling every node positive would have an F1 of {everything:.3f}: not less than "
                    f"{_listed(blind)}.")
    said.append("All of this takes the known positives for a random sample of the positives. If they were "
                "the easy ones, every method finds less than it seems.")
    return said


def as_text(found: Comparison) -> str:
    """Tables and sentences as plain text."""
    prior = found.prior
    lines = [f"Prior {prior.value:.3f} ({prior.low:.3f} to {prior.high:.3f}, {prior.method}); "
             f"{found.known:,} known positives, {found.unlabelled:,} unlabelled nodes"]
    for table in (ranking(found), decisions(found)):
        lines += ["", table.heading, *_aligned([table.columns, *table.rows])]
    lines += [f"{row.method} failed: {row.failure}" for row in found.failed]
    return "\n".join([*lines, "", *sentences(found)])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows]


def _listed(names: Sequence[str]) -> str:
    """
    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
