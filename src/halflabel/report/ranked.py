"""The ranked list as the page holds it: some rows as plain HTML, many more as data for the page's script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from halflabel.run.answer import probability

PLAIN = 50  # rows that are there without a script, and in print; with the reasons of each
SEARCHED = 10_000  # rows that can be searched and sorted
BYTES = 1_000_000  # that all their ids may take
LONGEST = 120  # characters of an id


@dataclass(frozen=True)
class Row:
    """One line of the list, in words."""

    rank: int
    id: str
    probability: str
    flagged: bool
    why: str


@dataclass(frozen=True)
class Ranked:
    """The rows, best rank first; the first `PLAIN` have reasons."""

    rows: list[Row]
    unlabelled: int

    @classmethod
    def of(cls, scores: pa.Table, reasons: Sequence[str] = ()) -> Ranked:
        """From a `score_table`, whose unlabelled nodes come first, and the reasons of the first nodes."""
        unlabelled = scores.num_rows - int(pc.sum(scores["known_positive"]).as_py())
        table = scores.slice(0, min(unlabelled, SEARCHED)).select(["id", "probability", "rank", "flagged"])
        whys = [*reasons, *[""] * (table.num_rows - len(reasons))]
        rows = [Row(row["rank"], shown_id(row["id"]), probability(row["probability"]), row["flagged"], why)
                for row, why in zip(table.to_pylist(), whys, strict=False)]
        return cls(_within(rows, BYTES), unlabelled)

    @property
    def plain(self) -> list[Row]:
        """Those that are there without a script."""
        return self.rows[:PLAIN]

    def data(self) -> dict[str, Any]:
        """For the page's script: columns, because the names of fields would be most of the rows."""
        return {"ids": [row.id for row in self.rows], "probability": [row.probability for row in self.rows],
                "flagged": sum(row.flagged for row in self.rows), "why": [row.why for row in self.plain]}


def shown_id(node: Any) -> str:
    """An id as text, cut where nobody would read on; the files have it whole.

    >>> shown_id(7), len(shown_id("x" * 5000))
    ('7', 120)
    """
    text = str(node)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def inside_script(content: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can end the element.

    >>> inside_script({"id": "</script>"})
    '{"id":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _within(rows: list[Row], most: int) -> list[Row]:
    used = 0
    for i, row in enumerate(rows):
        used += len(inside_script(row.id).encode())
        if used > most:
            return rows[:i]
    return rows
