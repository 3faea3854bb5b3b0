"""Rows of an earlier run, for benchmarks that measure some estimators again."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path


def kept_rows(path: Path, chosen: Collection[str], everything: Collection[str]) -> list[dict]:
    """The rows at path without those of the chosen estimators; none if all are measured again."""
    if set(chosen) == set(everything):
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return [row for row in rows if row["method"] not in chosen]
