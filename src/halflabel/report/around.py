"""What only the model and its graph can tell: reasons for the first nodes, and their neighbourhoods."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from halflabel.errors import DataError
from halflabel.explain.neighbourhood import neighbourhood
from halflabel.explain.reasons import reasons
from halflabel.plots.neighbourhood import TRUSTED, neighbourhood_svg
from halflabel.report.ranked import PLAIN, shown_id
from halflabel.run.answer import percent

DRAWN = 6  # neighbourhoods
NODES = 14  # in each: more would not fit with their names


class Drawing(NamedTuple):
    """A neighbourhood: its node, the picture, and how many nodes had no room in it."""

    id: str
    svg: str
    left_out: int


class Drawings(NamedTuple):
    """The neighbourhoods of the first nodes, and what there is to say about the trust in edges."""

    drawings: list[Drawing]
    words: str


def reasons_of_first(scores: pa.Table, model: Any) -> list[str]:
    """Why the first nodes of the ranking are where they are, in the ranking's order."""
    if model is None or model._graph is None:
        raise DataError("Reasons need the whole graph, which no process of this run held.")
    return list(reasons(model, _places(scores, model, PLAIN)))


def drawings_of_first(scores: pa.Table, model: Any) -> Drawings:
    """Pictures of the first nodes of the ranking."""
    if model is None or model._graph is None:
        raise DataError("No process held the whole graph of this run, so no neighbourhood is drawn; "
                        "edges.parquet has the trust in each edge.")
    graph = model._graph
    if not graph.n_edges:
        raise DataError("The graph has no edges, so there are no neighbourhoods.")
    drawings = [_drawing(model, graph.ids[place]) for place in _places(scores, model, DRAWN)]
    return Drawings(drawings, trust_in_words(getattr(model, "edge_weight_", np.ones(1))))


def trust_in_words(trust: np.ndarray) -> str:
    """How many edges are distrusted, or that none is.

    >>> trust_in_words(np.array([0.1, 0.9, 1.0, 1.0]))
    '25.0 % of all edges are distrusted: the trust in them is below one half.'
    >>> trust_in_words(np.array([0.94, 0.96]))
    'No edge is distrusted here: the trust in them goes from 0.94 to 0.96.'
    """
    low, high = float(trust.min()), float(trust.max())
    if low < TRUSTED:
        share = percent(float((trust < TRUSTED).mean()))
        return f"{share} of all edges are distrusted: the trust in them is below one half."
    if low == high:
        return "This run trusts all edges alike."
    return f"No edge is distrusted here: the trust in them goes from {low:.2f} to {high:.2f}."


def _drawing(model: Any, node: Any) -> Drawing:
    around = neighbourhood(model, node, limit=NODES)
    return Drawing(shown_id(node), neighbourhood_svg(around.to_dict()), around.left_out)


def _places(scores: pa.Table, model: Any, count: int) -> np.ndarray:
    """Positions in the graph of the first unlabelled nodes of the ranking."""
    first = scores.slice(0, count)
    return model._graph.ids.positions(first.filter(first["rank"].is_valid())["id"])
