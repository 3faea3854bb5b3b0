"""A run under review: its ranking, its pictures and its marks, asked for by position."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from halflabel.explain import neighbourhood, why
from halflabel.explore import answers
from halflabel.explore.journal import Journal
from halflabel.explore.ranked import Ranked, Row
from halflabel.marks import NEGATIVE, NONE, POSITIVE
from halflabel.run.answer import answer
from halflabel.run.opened import Run

KEPT = 256  # explanations
EDGES = 6  # of an explanation


class Review:
    """All that the page can ask for."""

    def __init__(self, run: Run, ranked: Ranked, journal: Journal):
        self.run, self.ranked, self.journal = run, ranked, journal
        self._one_at_a_time = threading.Lock()  # explanations score parts of the graph again
        ids = run.graph.ids
        self._why = lru_cache(maxsize=KEPT)(lambda position: why(run.model, ids[position]))

    def about(self) -> answers.RunAnswer:
        """The run as a whole."""
        record = self.run.record
        counts = record.counts
        return answers.RunAnswer(
            name=Path(self.run.directory).resolve().name, answer=answer(record), method=record.method,
            prior=record.prior, threshold=record.threshold, nodes=counts["nodes"],
            unlabelled=counts["unlabelled"], known_positives=counts["known_positives"],
            flagged=counts["flagged"], marks_file=str(self.journal.path))

    def nodes(self, search: str, order: str, offset: int, limit: int) -> answers.NodesAnswer:
        """Some rows of the list."""
        lines = self._lines(search, order)
        marked = self.journal.marked()
        shown = [self._node(self.ranked.row(int(line)), marked) for line in lines[offset: offset + limit]]
        return answers.NodesAnswer(total=len(lines), offset=offset, nodes=shown)

    def placed(self, position: int, search: str, order: str) -> answers.PlacedAnswer:
        """A node, and where the list has it."""
        line = self.ranked.line(position)
        at = np.flatnonzero(self._lines(search, order) == line)
        return answers.PlacedAnswer(node=self._at(position), row=int(at[0]) if len(at) else None)

    def around(self, position: int, limit: int) -> answers.NeighbourhoodAnswer:
        """The picture around a node."""
        ids = self.run.graph.ids
        with self._one_at_a_time:
            drawn = neighbourhood(self.run.model, ids[position], limit=limit)
        place = dict(zip([node.id for node in drawn.nodes],
                         ids.positions([node.id for node in drawn.nodes]).tolist(), strict=True))
        marked = self.journal.marked()
        return answers.NeighbourhoodAnswer(
            nodes=[answers.DrawnNode(**self._at(place[node.id], marked).model_dump(), steps=node.steps)
                   for node in drawn.nodes],
            edges=[answers.DrawnEdge(source=place[edge.source], target=place[edge.target], trust=edge.trust)
                   for edge in drawn.edges],
            left_out=drawn.left_out)

    def why(self, position: int) -> answers.WhyAnswer:
        """Why a node has its score."""
        with self._one_at_a_time:
            found = self._why(position)
        strongest = sorted(found.edges, key=lambda edge: -abs(edge.log_odds))[:EDGES]
        return answers.WhyAnswer(
            sentences=found.sentences,
            features=[answers.FeatureAnswer(name=feature.name, value=feature.value, usual=feature.usual,
                                            contribution=feature.contribution) for feature in found.features],
            edges=[answers.EdgeAnswer(source=str(edge.source), target=str(edge.target), trust=edge.trust,
                                      log_odds=edge.log_odds)
                   for edge in sorted(strongest, key=lambda edge: -edge.log_odds)])

    def mark(self, position: int, mark: str | None) -> answers.MarkAnswer:
        """Mark a node; returns when that is on the disk."""
        row = self.ranked.row(self.ranked.line(position))
        saved = self.journal.add(row.id, mark or NONE)
        marked = self.journal.marked()
        return answers.MarkAnswer(node=self._node(row, marked), time=saved.time, marked=len(marked),
                                  positives=self.journal.positives())

    def marks(self) -> answers.MarksAnswer:
        """All marks of the review."""
        marked = self.journal.marked()
        said = [row.mark for row in marked.values()]
        lines = self._lines("", "marked")
        return answers.MarksAnswer(
            positives=self.journal.positives(), positive=said.count(POSITIVE), negative=said.count(NEGATIVE),
            nodes=[self._node(self.ranked.row(int(line)), marked) for line in lines])

    def _lines(self, search: str, order: str) -> np.ndarray:
        found = self.ranked.find(search, order)
        if order != "marked":
            return found
        return np.intersect1d(found, self.ranked.lines_of(list(self.journal.marked())))

    def _at(self, position: int, marked: dict[str, Any] | None = None) -> answers.NodeAnswer:
        row = self.ranked.row(self.ranked.line(position))
        return self._node(row, self.journal.marked() if marked is None else marked)

    def _node(self, row: Row, marked: dict[str, Any]) -> answers.NodeAnswer:
        mark = marked[row.id].mark if row.id in marked else None
        return answers.NodeAnswer(**row._asdict(), mark=mark)
