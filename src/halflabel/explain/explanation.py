"""Explanation: why a node has its score, as text, as plain data and as a picture."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any

from halflabel.explain.neighbourhood import Neighbourhood
from halflabel.explain.words import amount, percent, points, shortened, table

SHOWN = 5  # rows of a table


@dataclass(frozen=True)
class NearPositive:
    """A known positive: how many steps away, and the chance that a short walk ends there (`closeness`).

    `change` is the probability now minus that without the positive's edges, `log_odds` the same in log-odds;
    None for one further away than the part of the graph that is scored again.
    """

    id: Any
    steps: int
    closeness: float
    change: float | None
    log_odds: float | None


@dataclass(frozen=True)
class EdgeReason:
    """An edge near the node: the learned trust, and what would be different without it.

    `change` is the probability now minus that without the edge, `log_odds` the same in log-odds, which also
    tells of nodes that are certain anyway.
    """

    source: Any
    target: Any
    trust: float
    change: float
    log_odds: float


@dataclass(frozen=True)
class FeatureReason:
    """A feature of the node, against the median of the unlabelled nodes.

    `contribution` is its share of the log-odds (a Shapley value, with its standard error; zero where it is
    exact), `change` the probability now minus that with the usual value.
    """

    name: str
    value: float
    usual: float
    contribution: float
    error: float
    change: float


@dataclass(frozen=True)
class Explanation:
    """What `model.why(node)` gives: positive changes speak for the node, negative ones against it.

    `tested` counts the edges and the features that were tried, `around` is what a picture shows.
    """

    node: Any
    score: float
    probability: float
    rank: int | None
    unlabelled: int
    flagged: bool
    known_positive: bool
    near: list[NearPositive]
    edges: list[EdgeReason]
    features: list[FeatureReason]
    tested: dict[str, int]
    sentences: list[str]
    around: Neighbourhood

    def to_dict(self) -> dict[str, Any]:
        """As plain lists, numbers and strings, for JSON."""
        return asdict(self)

    def draw(self, path: str | os.PathLike[str]) -> None:
        """Write a small picture: the neighbourhood, and what the features contribute; .png, .svg or .pdf."""
        from halflabel.plots.why import draw_why

        draw_why(self, path)

    def text(self) -> str:
        """For reading: a few sentences, and the largest numbers behind them."""
        parts = [self._headline(), *(f"  - {sentence}" for sentence in self.sentences)]
        parts += self._near_lines() + self._edge_lines() + self._feature_lines()
        return "\n".join(parts)

    def _headline(self) -> str:
        if self.known_positive:
            status = "a known positive"
        else:
            verb = "flagged" if self.flagged else "not flagged"
            status = f"rank {self.rank:,} of {self.unlabelled:,} unlabelled, {verb}"
        return f"{self.node}: probability {percent(self.probability)}, {status}"

    def _near_lines(self) -> list[str]:
        if not self.near:
            return []
        rows = [(shortened(p.id), str(p.steps), percent(p.closeness),
                 *(("-", "-") if p.change is None else (f"{p.log_odds:+.2f}", points(p.change))))
                for p in self.near[:SHOWN]]
        columns = ("node", "steps", "closeness", "log-odds", "% points")
        return ["", "Known positives, nearest first: with their edges minus without",
                *table(columns, rows, left=1)]

    def _edge_lines(self) -> list[str]:
        if not self.edges:
            return []
        strongest = sorted(self.edges, key=lambda edge: -abs(edge.log_odds))[: 2 * SHOWN]
        rows = [(shortened(edge.source), shortened(edge.target), f"{edge.trust:.2f}", f"{edge.log_odds:+.2f}",
                 points(edge.change)) for edge in sorted(strongest, key=lambda edge: -edge.log_odds)]
        title = f"Edges: with them minus without, {self.tested['edges']:,} tried"
        return ["", title, *table(("from", "to", "trust", "log-odds", "% points"), rows, left=2)]

    def _feature_lines(self) -> list[str]:
        if not self.features:
            return []
        rows = [(shortened(f.name), amount(f.value), amount(f.usual), f"{f.contribution:+.2f}",
                 f"± {f.error:.2f}" if f.error else "exact", points(f.change)) for f in self.features]
        tried = self.tested["features"]
        title = f"Features: what they contribute, and now minus at the usual value, {tried:,} tried"
        columns = ("feature", "value", "usual", "log-odds", "error", "% points")
        return ["", title, *table(columns, rows, left=1)]
