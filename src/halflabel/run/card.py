"""What run.json holds, and what each of its values may be."""

from __future__ import annotations

from typing import Any

from halflabel.modelfiles.card import PLAIN, SHARE
from halflabel.sealed import FILE, Card
from halflabel.sealed.schema import either, integer, listed, mapping, nothing, number, plain, record, text

# The files that opening a run reads; the cards of model and graph have the hashes of theirs.
TABLES = ("scores.parquet", "edges.parquet")
SEALED = (*TABLES, "model/config.json", "graph/graph.json")


def _files(value: Any, where: str) -> None:
    """Only names that a run has; without graph/ if several processes fitted it."""
    if not isinstance(value, dict) or not set(SEALED[:-1]) <= value.keys() <= set(SEALED):
        raise ValueError(f"{where}: expected {', '.join(SEALED)}")
    for name, described in value.items():
        FILE(described, f"{where}: {name}")


RUN = Card(
    name="run.json",
    what="run",
    format=1,
    content={
        "prior": SHARE, "prior_low": SHARE, "prior_high": SHARE,
        "threshold": PLAIN["threshold_"],
        "expected": PLAIN["expected_"],
        "method": text,
        "parameters": mapping(either(plain, listed(either(plain, listed(plain))))),
        "seed": integer(0),
        "counts": mapping(integer(0)),
        "doubts": listed(text),
        "notes": listed(text),
        "scaling": text,
        "seconds": number(0),
        "peak_memory_bytes": either(nothing, integer(0)),
        "data": mapping(record({"path": text, "sha256": text})),
        "versions": mapping(text),
        "files": _files,
    },
    again="Fit again.",
)
