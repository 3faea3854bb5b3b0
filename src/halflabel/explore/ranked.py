"""The ranking as a page asks for it: some rows at a time, by rank or by doubt, found by a part of the id."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from halflabel.ids import as_text
from halflabel.run.opened import Run

KEPT = 32  # answers to recent questions


class Row(NamedTuple):
    """A node as the list shows it; `position` is its place in the graph, by which everything is asked for.

    >>> Row(427, "ACC-0427", 1, 0.9, True, False).id
    'ACC-0427'
    """

    position: int
    id: str
    rank: int | None
    probability: float
    flagged: bool
    known_positive: bool


class Ranked:
    """The nodes of a run, best rank first; the known positives come last, without a rank.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from halflabel import Naive
    >>> from halflabel.datasets import payments, payments_positives
    >>> from halflabel.run.opened import open_run
    >>> from halflabel.run.store import write_run
    >>> graph, y = payments()
    >>> known = payments_positives(y)
    >>> place = Path(tempfile.mkdtemp()) / "run"
    >>> _ = write_run(place, graph, Naive(epochs=2).fit(graph, known), known, seconds=1.0, inputs={})
    >>> ranked = Ranked(open_run(place))
    >>> [ranked.row(i).rank for i in ranked.find("", "rank")[:2]]
    [1, 2]
    >>> ranked.row(ranked.find("acc-0427", "rank")[0]).id
    'ACC-0427'
    """

    def __init__(self, run: Run):
        table = run.scores
        self.ids: pa.Array = as_text(table["id"].combine_chunks())
        self.probability = table["probability"].to_numpy()
        self._unlabelled = len(table) - int(run.known.sum())
        self._flagged = table["flagged"].to_numpy()
        self._position = run.graph.ids.positions(table["id"])
        self._line = np.empty(len(table), dtype=np.int64)
        self._line[self._position] = np.arange(len(table))
        self._doubt = np.argsort(np.abs(self.probability - run.record.threshold), kind="stable")
        self.find = lru_cache(maxsize=KEPT)(self._find)

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, line: int) -> Row:
        """The node on a line of the ranking."""
        known = bool(line >= self._unlabelled)
        return Row(int(self._position[line]), self.ids[int(line)].as_py(), None if known else int(line) + 1,
                   float(self.probability[line]), bool(self._flagged[line]), known)

    def line(self, position: int) -> int:
        """The line of the ranking that a node of the graph is on."""
        return int(self._line[position])

    def known_ids(self) -> list[str]:
        """Ids of the known positives, as text."""
        return self.ids[self._unlabelled:].to_pylist()

    def lines_of(self, ids: list[str]) -> np.ndarray:
        """The lines of some ids."""
        found = pc.index_in(pa.array(ids, self.ids.type), self.ids)
        return found.drop_null().to_numpy(zero_copy_only=False).astype(np.int64)

    def _find(self, search: str, order: str) -> np.ndarray:
        """Lines whose id has the text in it, upper or lower case; most in doubt first, if order says so."""
        if not search:
            lines = np.arange(len(self))
        else:
            hits = pc.match_substring(self.ids, search, ignore_case=True)
            lines = np.flatnonzero(hits.to_numpy(zero_copy_only=False))
        if order != "doubt":
            return lines
        # Whoever is known is in no doubt.
        mine = np.zeros(len(self), dtype=bool)
        mine[lines] = True
        mine[self._unlabelled:] = False
        return self._doubt[mine[self._doubt]]
