"""The part of the graph around a node that is worth looking at, small enough to be drawn."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from halflabel.explain.lookup import plain_id, position_of
from halflabel.explain.surroundings import Surroundings

REACH = 2  # steps
DOUBT = 0.02  # what a node counts that is surely negative, where one that is positive counts 1


@dataclass(frozen=True)
class Neighbour:
    """A node near the centre, and how many steps away from it."""

    id: Any
    probability: float
    known_positive: bool
    flagged: bool
    steps: int


@dataclass(frozen=True)
class Link:
    """A directed edge: how far the model trusts it, from 0 to 1, and its weight in the data, if any."""

    source: Any
    target: Any
    trust: float
    amount: float | None


@dataclass(frozen=True)
class Neighbourhood:
    """A node, the most relevant of those within two steps (the centre comes first), and their edges."""

    centre: Any
    nodes: list[Neighbour]
    edges: list[Link]
    left_out: int

    def to_dict(self) -> dict[str, Any]:
        """As plain lists, numbers and strings, for JSON."""
        return asdict(self)


def neighbourhood(model: Any, node: Any, limit: int = 30) -> Neighbourhood:
    """Up to `limit` nodes around one, the most relevant first, with all edges between them.

    Relevant is who is likely positive, known or not, and easy to walk to over edges that are trusted. Whoever
    leads there on the best way is shown too, so that the picture hangs together.

    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=2, warmup=5).fit(graph, payments_positives(y))
    >>> around = neighbourhood(model, "ACC-0427", limit=10)
    >>> around.nodes[0].id, len(around.nodes) <= 10, around.nodes[1].steps
    ('ACC-0427', True, 1)
    """
    around = Surroundings.of(model)
    centre = position_of(around.graph, node)
    met, steps, closeness = around.walk(centre, REACH)
    interest = DOUBT + np.maximum(around.probability[met], around.known[met])
    order = np.lexsort((met, -closeness * interest, met != centre))
    ways = _best_ways(around, met, steps, closeness)
    chosen: dict[int, int] = {}
    for i in order:
        if len(chosen) >= limit:
            break
        missing = [place for place in _path(int(i), ways) if place not in chosen]
        if len(chosen) + len(missing) <= limit:
            chosen.update(dict.fromkeys(missing, 0))
    places = np.fromiter(chosen, dtype=np.int64)
    nodes = [_neighbour(around, int(met[i]), int(steps[i])) for i in places]
    left_out = len(met) - len(places)
    return Neighbourhood(plain_id(around.graph.ids[centre]), nodes, _links(around, met[places]), left_out)


def _best_ways(
    around: Surroundings, met: np.ndarray, steps: np.ndarray, closeness: np.ndarray
) -> dict[int, int]:
    """For nodes two steps away, over which neighbour of the centre to go; places among those met."""
    nearest = met[steps == 1]
    taken = around.steps_from(nearest)
    end, start = np.searchsorted(met, taken.end), np.searchsorted(met, taken.start)
    far = steps[end] == 2
    end, start, ease = end[far], start[far], around.ease[taken.edge[far]]
    order = np.lexsort((-ease * closeness[start], end))
    end, start = end[order], start[order]
    best = np.flatnonzero(np.diff(end, prepend=-1))
    return dict(zip(end[best].tolist(), start[best].tolist(), strict=True))


def _path(place: int, ways: dict[int, int]) -> list[int]:
    return [ways[place], place] if place in ways else [place]


def _neighbour(around: Surroundings, position: int, steps: int) -> Neighbour:
    return Neighbour(plain_id(around.graph.ids[position]), float(around.probability[position]),
                     bool(around.known[position]), bool(around.flagged[position]), steps)


def _links(around: Surroundings, chosen: np.ndarray) -> list[Link]:
    """Directed edges with both ends among the chosen."""
    graph = around.graph
    taken = around.steps_from(chosen)
    inside = np.unique(taken.edge[np.isin(taken.end, chosen)])
    source = np.searchsorted(graph.indptr, inside, side="right") - 1
    ends = zip(graph.ids.take(source), graph.ids.take(graph.indices[inside]), strict=True)
    weight = graph.edge_weight
    amounts = [None] * len(inside) if weight is None else weight[inside].tolist()
    return [Link(plain_id(a), plain_id(b), trust, amount)
            for (a, b), trust, amount in zip(ends, around.trust[inside].tolist(), amounts, strict=True)]
