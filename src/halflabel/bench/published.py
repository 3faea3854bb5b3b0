"""Values that papers print: mean and standard deviation by table, row and graph."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

Value = tuple[float, float | None]


@cache
def published_tables() -> dict[str, dict[str, dict[str, Value]]]:
    """All of published.json; a standard deviation is None where the paper prints none.

    >>> published_tables()["table1_f1"]["gpl"]["cora"]
    [81.9, 0.5]
    """
    return json.loads(files("halflabel.bench").joinpath("published.json").read_text(encoding="utf-8"))


def published_value(table: str | None, row: str | None, dataset: str) -> Value | None:
    """What the paper prints in a cell, if it has that cell.

    >>> published_value("table1_f1", "gpl", "cora"), published_value("table1_f1", None, "cora")
    ((81.9, 0.5), None)
    """
    if table is None or row is None:
        return None
    value = published_tables()[table][row].get(dataset)
    return None if value is None else (value[0], value[1])
