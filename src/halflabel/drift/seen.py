"""Drift: whether nodes to be scored are unlike those that were fitted, in their features or their edges.

Of every feature, of degrees and of edge weights a fit remembers the full range and the usual one, outside of
which lie at most a twentieth of the nodes at either end. New nodes have drifted in one of these if

- too many leave the full range: so many new values beyond all old ones would come by chance in one of a
  hundred scorings;
- too many leave the usual range, at least a tenth more of them than of the old ones, and that not by chance;
- a single one is far out: beyond the full range by more than three times the length of its outer twentieth,
  or more yet where that is long beside the rest, because such tails go on; at most by twenty full ranges.

Chance is divided among all features that are looked at, so that a bag of a thousand words raises no more
false alarms than three columns do.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from halflabel.drift.ranges import RANGES, Ranges, take_rows
from halflabel.errors import DataError, DriftWarning
from halflabel.graph import Graph
from halflabel.sealed.schema import either, listed, nothing, record, text

CHANCE = 0.01  # of a false alarm, in all features together
NAMED = 3  # features in a message
# What is saved of what was seen.
SEEN = record({
    "names": listed(text), "features": RANGES, "edges": RANGES, "structure": either(nothing, text)})
PACKAGE = os.path.dirname(os.path.dirname(__file__))


class Drift(NamedTuple):
    """A measure that left its range, full or usual: how many of the nodes did, and what it was and is."""

    name: str
    outside: int
    nodes: int
    usual: bool
    fitted: tuple[float, float]
    found: tuple[float, float]

    def __str__(self) -> str:
        was, now = (f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
                    for low, high in (self.fitted, self.found))
        usually = "usually " * self.usual
        return (f"{self.name} ({usually}{was} when fitted, now {now}: {self.outside:,} of {self.nodes:,} "
                "outside)")


@dataclass(frozen=True)
class Seen:
    """What the nodes of the fitted graph were like. `structure` names the graph whose structure stood in.

    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], np.arange(4.0)[:, None], feature_names=["age"])
    >>> seen = Seen.of(graph)
    >>> seen.drifts(graph)
    []
    >>> older = Graph.from_edges([0, 1, 2], [1, 2, 3], np.arange(100.0, 104)[:, None], feature_names=["age"])
    >>> print(seen.drifts(older)[0])
    age (0 to 3 when fitted, now 100 to 103: 4 of 4 outside)
    """

    names: tuple[str, ...]
    features: Ranges
    edges: Ranges  # of what EDGES says
    structure: str | None = None

    EDGES: ClassVar[tuple[str, ...]] = ("degree", "mean edge weight")

    @classmethod
    def of(cls, graph: Graph) -> Seen:
        """Look at all nodes, in focus or not: the others were seen as neighbours."""
        everybody = np.arange(graph.n_nodes)
        encoding = graph.encoding
        return cls(tuple(graph.names()), Ranges.of(graph.X), Ranges.of(edge_measures(graph, everybody)),
                   None if encoding is None else encoding.structure)

    def refuse_other_structure(self, graph: Graph) -> None:
        """Features that mean nothing to the fitted model are not scored."""
        here = None if graph.encoding is None else graph.encoding.structure
        if self.structure is not None and here != self.structure:
            raise DataError(
                "The model was fitted on a graph without features: its structure stood in for them, and such "
                "features mean nothing in another graph. Append the new nodes to the fitted graph "
                "(halflabel.append), or fit with a node table.")

    def warn_of_drift(self, graph: Graph) -> None:
        """Say so if the nodes in focus have drifted."""
        if found := self.drifts(graph):
            warnings.warn(in_words(found), DriftWarning, stacklevel=_frames_of_ours())

    def drifts(self, graph: Graph) -> list[Drift]:
        """In what the nodes in focus have drifted; what most of them left comes first."""
        nodes = graph.nodes
        tests = len(self.names) + len(self.EDGES)
        found = [*_left(self.edges, edge_measures(graph, nodes), self.EDGES, tests)]
        place = {name: i for i, name in enumerate(graph.names())}
        shared = [(name, i) for i, name in enumerate(self.names) if name in place]
        if shared:
            values = take_rows(graph.X, nodes)
            columns = [place[name] for name, _ in shared]
            values = values if columns == list(range(values.shape[1])) else values[:, columns]
            ranges = self.features.take([i for _, i in shared])
            found += _left(ranges, values, [name for name, _ in shared], tests)
        return sorted(found, key=lambda drift: -drift.outside)

    def to_dict(self) -> dict[str, Any]:
        """As plain lists and numbers, for JSON."""
        return {"names": list(self.names), "features": self.features.to_dict(),
                "edges": self.edges.to_dict(), "structure": self.structure}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Seen:
        """The inverse of :meth:`to_dict`."""
        features, edges = (Ranges.from_dict(saved[part]) for part in ("features", "edges"))
        if len(features.low) != len(saved["names"]) or len(edges.low) != len(cls.EDGES):
            raise ValueError("ranges of something else than its features and edges")
        return cls(tuple(saved["names"]), features, edges, saved["structure"])


def edge_measures(graph: Graph, nodes: np.ndarray) -> np.ndarray:
    """Of each of these nodes the number of neighbours, and the mean weight of its edges to and from them.

    >>> edge_measures(Graph.from_edges([0, 1], [1, 2], np.eye(3)), np.array([1]))
    array([[2., 1.]])
    """
    both = graph.symmetric()
    degree = np.diff(both.indptr)
    # Who has no edges has no weights either, and must not look like one of weight zero.
    usual = float(both.data.mean()) if both.nnz else 1.0
    total = np.asarray(both.sum(axis=1)).ravel()
    mean = np.divide(total, degree, out=np.full(len(degree), usual), where=degree > 0)
    return np.column_stack([degree, mean])[nodes]


def in_words(found: Sequence[Drift]) -> str:
    """What left its range, in one sentence."""
    shown = "; ".join(map(str, found[:NAMED]))
    more = f"; and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    return f"Nodes to be scored are unlike those that were fitted: {shown}{more}. Their scores may be wrong."


def _frames_of_ours() -> int:
    """How far up the caller is whose nodes these are: the first that is not in this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    return level


def _left(ranges: Ranges, values: Any, names: Sequence[str], tests: int) -> Iterator[Drift]:
    if not values.shape[0]:
        return
    seen = ranges.compare(values)
    for i in np.flatnonzero(seen.chance < CHANCE / tests).tolist():
        usual = bool(seen.usual[i])
        limits = (ranges.start, ranges.stop) if usual else (ranges.low, ranges.high)
        yield Drift(names[i], int(seen.outside[i]), values.shape[0], usual,
                    (float(limits[0][i]), float(limits[1][i])), (float(seen.low[i]), float(seen.high[i])))
