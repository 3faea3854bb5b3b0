"""The explanation in words: nothing in them that the numbers do not say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from halflabel.explain.explanation import EdgeReason, FeatureReason, NearPositive
from halflabel.explain.lookup import plain_id
from halflabel.explain.surroundings import Surroundings
from halflabel.explain.words import amount, percent, shortened
from halflabel.methods.transductive import Transductive

NAMED = 3
MATTERS = 0.005  # of the probability
CLEAR = 2.0  # standard errors
DISTRUSTED = 0.5  # learned weight


def sentences(
    model: Any,
    around: Surroundings,
    centre: int,
    near: Sequence[NearPositive],
    edges: Sequence[EdgeReason],
    features: Sequence[FeatureReason],
) -> list[str]:
    """What speaks for the node, what against it, whom it is near, which edges carried or are distrusted."""
    now = float(around.probability[centre])
    found = [*_features(features, isinstance(model, Transductive)), _near(near),
             *_edges(edges, plain_id(around.graph.ids[centre]), now, around.carried)]
    return [sentence for sentence in found if sentence]


def _features(features: Sequence[FeatureReason], blind: bool) -> list[str]:
    if blind:
        return ["this method does not look at features"]
    clear = [f for f in features if abs(f.contribution) > max(CLEAR * f.error, 0.01)]
    speaking = [f for f in clear if f.contribution > 0][:NAMED]
    against = [f for f in reversed(clear) if f.contribution < 0][:NAMED]
    return [f"for it: {_listed(speaking)}" if speaking else "no feature speaks for it",
            f"against it: {_listed(against)}" if against else ""]


def _listed(features: Sequence[FeatureReason]) -> str:
    return ", ".join(f"{shortened(f.name)} {amount(f.value)} (usual {amount(f.usual)})" for f in features)


def _near(near: Sequence[NearPositive]) -> str:
    if not near:
        return "no known positive is within four steps"
    first = near[0]
    others = f", then {', '.join(shortened(p.id) for p in near[1:NAMED])}" if len(near) > 1 else ""
    away = "one step" if first.steps == 1 else f"{first.steps} steps"
    return f"the nearest known positive is {shortened(first.id)}, {away} away{others}"


def _edges(edges: Sequence[EdgeReason], node: Any, now: float, carried: bool) -> list[str]:
    found = []
    if edges and (best := edges[0]).change > MATTERS:
        found.append(f"the edge that carries most is {_named(best, node)}: without it the probability would "
                     f"be {percent(now - best.change)} instead of {percent(now)}")
    if edges and (worst := edges[-1]).change < -MATTERS:
        found.append(f"most against it is {_named(worst, node)}: without it, {percent(now - worst.change)}")
    own = [edge for edge in edges if node in (edge.source, edge.target)]
    doubted = sorted((e for e in own if e.trust < DISTRUSTED), key=lambda e: e.trust)
    if doubted:
        some = ", ".join(f"{_named(e, node)} ({e.trust:.2f})" for e in doubted[:NAMED])
        meaning = "the learned weight is" if carried else "the chance that both ends are of one class is"
        found.append(f"{len(doubted)} of its {len(own)} edges that were tried are distrusted ({meaning} "
                     f"below {DISTRUSTED}): {some}")
    return found


def _named(edge: EdgeReason, node: Any) -> str:
    if edge.source == node:
        return f"to {shortened(edge.target)}"
    if edge.target == node:
        return f"from {shortened(edge.source)}"
    return f"{shortened(edge.source)} to {shortened(edge.target)}"
