"""The marks of a review as a table: one row a mark, and the last mark of a node counts."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from halflabel.errors import DataError
from halflabel.files.formulas import guard, unguard

COLUMNS = ("id", "mark", "source", "time")
HEADER = ",".join(COLUMNS) + "\n"
# "none" takes an earlier mark back. Not positive is no label: such a node is unlabelled, as it was before.
POSITIVE, NEGATIVE, NONE = MARKS = ("positive", "negative", "none")
NEWLINE, QUOTE = 10, 34  # as bytes


class Mark(NamedTuple):
    """What was said of a node, by whom (`known` before the fit, or `review`) and when.

    >>> Mark("ann", "positive", "review", "2026-01-31T12:00:00Z").mark
    'positive'
    """

    id: str
    mark: str
    source: str
    time: str


def as_lines(marks: Sequence[Mark]) -> str:
    """As rows of the file. Ids are always quoted, for they may hold anything, and none is a formula.

    >>> print(as_lines([Mark("=1+1", "positive", "review", "2026-01-31T12:00:00Z")]), end="")
    "'=1+1",positive,review,2026-01-31T12:00:00Z
    """
    ids = guard(pa.table({"id": pa.array([mark.id for mark in marks], pa.large_string())}))["id"].to_pylist()
    quoted = [id.replace('"', '""') for id in ids]
    return "".join(f'"{id}",{mark.mark},{mark.source},{mark.time}\n'
                   for id, mark in zip(quoted, marks, strict=True))


def complete_length(data: bytes) -> int:
    """Bytes up to the end of the last complete row; what follows was being written when something crashed.

    >>> complete_length(b'id,mark\\n"a\\n",positive\\n"b\\n",pos')
    22
    """
    array = np.frombuffer(data, dtype=np.uint8)
    # An id may hold line breaks: a row ends at one that is not between quotes.
    ends = np.flatnonzero((array == NEWLINE) & (np.cumsum(array == QUOTE) % 2 == 0))
    return int(ends[-1]) + 1 if len(ends) else 0


def read_marks(path: str | os.PathLike[str]) -> list[Mark]:
    """All rows of a file of marks, in order; a torn last row is left out.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "run.marks.csv"
    >>> _ = path.write_text(HEADER + as_lines([Mark("ann", "positive", "known", "")]) + '"bob",posi')
    >>> read_marks(path)
    [Mark(id='ann', mark='positive', source='known', time='')]
    """
    path = Path(path)
    data = path.read_bytes()
    try:
        text = data[: complete_length(data)].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path.name}: not UTF-8 text. Save the file with the encoding UTF-8.") from None
    rows = csv.reader(io.StringIO(text, newline=""))
    if tuple(next(rows, [])) != COLUMNS:
        raise DataError(f"{path.name}: not a file of marks; its first row must be {HEADER.strip()}.")
    marks = [_mark(row, number, path.name) for number, row in enumerate(rows, 2) if row]
    ids = unguard(pa.array([mark.id for mark in marks], pa.large_string())).to_pylist()
    return [mark._replace(id=id) for mark, id in zip(marks, ids, strict=True)]


def last_marks(marks: Iterable[Mark]) -> dict[str, Mark]:
    """The mark that counts, by id.

    >>> rows = [Mark("ann", "positive", "known", ""), Mark("ann", "negative", "review", "")]
    >>> last_marks(rows)["ann"].mark
    'negative'
    """
    return {mark.id: mark for mark in marks}


def positive_ids(marks: Iterable[Mark]) -> list[str]:
    """Ids whose last mark is positive.

    >>> positive_ids([Mark("ann", "positive", "known", ""), Mark("bob", "none", "review", "")])
    ['ann']
    """
    return [mark.id for mark in last_marks(marks).values() if mark.mark == POSITIVE]


def _mark(row: list[str], number: int, name: str) -> Mark:
    if len(row) != len(COLUMNS):
        raise DataError(f"{name} row {number:,}: {len(row)} values where the header has {len(COLUMNS)} "
                        "columns. Is a quote missing?")
    if row[1] not in MARKS:
        raise DataError(f"{name} row {number:,}: mark {row[1]!r}. Expected {', '.join(MARKS)}.")
    return Mark(*row)
