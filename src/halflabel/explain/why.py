"""why(model, node): who is near a node, which edges carried its score, and which features speak for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from halflabel.explain.candidates import edges_to_try, features_to_try
from halflabel.explain.explanation import EdgeReason, Explanation, FeatureReason, NearPositive
from halflabel.explain.local import Change, LocalScores
from halflabel.explain.lookup import plain_id, position_of
from halflabel.explain.neighbourhood import neighbourhood
from halflabel.explain.sentences import sentences
from halflabel.explain.shapley import shapley
from halflabel.explain.spread import SpreadScores
from halflabel.explain.surroundings import Surroundings
from halflabel.explain.usual import Usual
from halflabel.graph import dense
from halflabel.methods.transductive import Transductive

WALK = 4  # steps, within which known positives are near
NEAR = 10  # of them to name
ROWS = 120_000  # nodes that are scored for one explanation
LEAST, MOST = 40, 160  # times that the node is scored, whatever that comes to
EDGES = 26  # to try
ATTRIBUTED = 10  # features
ROUGH = 0.1  # log-odds by which an unchanged copy of the surroundings may miss the score


def why(model: Any, node: Any) -> Explanation:
    """Why a node of the fitted graph has its score. The same model and node give the same answer.

    Networks score the node again with an edge taken away, or with features at their usual values (the
    median over unlabelled nodes); nothing is trained. Methods that spread labels do so again without the
    edge. Only the likeliest edges and features are tried: `tested` tells how many.

    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=5, warmup=20).fit(graph, payments_positives(y))
    >>> reason = why(model, "ACC-0427")
    >>> reason.node, len(reason.features), reason.edges[0].change >= reason.edges[-1].change
    ('ACC-0427', 10, True)
    """
    around = Surroundings.of(model)
    centre = position_of(around.graph, node)
    spreads = isinstance(model, Transductive)
    again = SpreadScores(model, centre) if spreads else LocalScores(model, centre)
    budget = int(np.clip(ROWS // again.size, LEAST, MOST))
    if spreads:  # over the whole graph each time; features do not enter
        budget = 3 * budget if again.size <= ROWS else 0
    pairs = edges_to_try(around, centre, min(budget // 6, EDGES))
    edges = _edges(model, around, again, centre, pairs)
    tried = np.zeros(0, dtype=np.int64) if spreads else features_to_try(model, centre, budget // 6)
    features = _features(model, around, again, centre, tried, budget - len(pairs) - len(tried))
    near = _near(model, around, again, centre, budget)
    unlabelled = ~around.known[around.graph.nodes]
    told = sentences(model, around, centre, near, edges, features)
    if abs(model.slope_ * again.drift) > ROUGH:
        told.append("its networks look further than a few steps, and here all beyond is averaged: the "
                    "numbers are rough")
    return Explanation(
        node=plain_id(around.graph.ids[centre]), score=float(model.scores_[centre]),
        probability=float(around.probability[centre]), rank=_rank(model, around, centre),
        unlabelled=int(unlabelled.sum()), flagged=bool(around.flagged[centre]),
        known_positive=bool(around.known[centre]), near=near, edges=edges, features=features,
        tested={"edges": len(pairs), "features": len(tried)},
        sentences=told, around=neighbourhood(model, node))


def _rank(model: Any, around: Surroundings, centre: int) -> int | None:
    """As in the table of scores: among the unlabelled, of equals the one listed first; none for the known."""
    if around.known[centre]:
        return None
    nodes = around.graph.nodes
    nodes = nodes[~around.known[nodes]]
    scores = model.scores_[nodes]
    own = model.scores_[centre]
    listed = np.flatnonzero(nodes == centre)
    if not len(listed):  # not in focus
        return None
    return int((scores > own).sum() + (scores[: listed[0]] == own).sum()) + 1


def _near(model: Any, around: Surroundings, again: Any, centre: int, budget: int) -> list[NearPositive]:
    met, steps, closeness = around.walk(centre, WALK)
    found = np.flatnonzero(around.known[met] & (met != centre))
    best = found[np.lexsort((met[found], -closeness[found]))][:NEAR]
    told = again.reaches(met[best]) & (budget > 0)
    scores = np.full(len(best), np.nan)
    scores[told] = again.scores([Change(node=position) for position in met[best][told].tolist()])
    changes = around.probability[centre] - model._probabilities(scores)
    log_odds = model.slope_ * (model.scores_[centre] - scores)
    return [NearPositive(plain_id(name), int(steps[i]), float(closeness[i]),
                         *((float(change), float(odds)) if tells else (None, None)))
            for name, i, tells, change, odds
            in zip(around.graph.ids.take(met[best]), best, told, changes, log_odds, strict=True)]


def _edges(
    model: Any, around: Surroundings, again: Any, centre: int, pairs: Sequence[tuple[int, int, int]]
) -> list[EdgeReason]:
    """The edge that speaks most for the node first."""
    graph, now = around.graph, model.scores_[centre]
    scores = again.scores([Change(edge=(a, b)) for a, b, _ in pairs])
    found = [EdgeReason(plain_id(graph.ids[a]), plain_id(graph.ids[b]), float(around.trust[edge]),
                        float(around.probability[centre] - p), float(model.slope_ * (now - score)))
             for (a, b, edge), p, score in zip(pairs, model._probabilities(scores), scores, strict=True)]
    return sorted(found, key=lambda edge: -edge.log_odds)


def _features(
    model: Any, around: Surroundings, again: Any, centre: int, tried: np.ndarray, budget: int
) -> list[FeatureReason]:
    """Those that change the score most, the one that speaks most for the node first."""
    if not len(tried):
        return []
    usual, names = Usual.of(model), around.graph.names()
    alone = again.scores([Change(frozenset([feature])) for feature in tried.tolist()])
    changes = around.probability[centre] - model._probabilities(alone)
    strongest = np.argsort(-np.abs(model.scores_[centre] - alone), kind="stable")[:ATTRIBUTED]

    def log_odds(sets: Sequence[frozenset[int]]) -> np.ndarray:
        return model.slope_ * again.scores([Change(features) for features in sets])

    value, error = shapley(log_odds, tried[strongest].tolist(), budget)
    row = around.graph.X[[centre]]
    own = dense(row).ravel()
    found = [FeatureReason(names[i], float(own[i]), float(usual.median[i]), float(v), float(e), float(c))
             for i, v, e, c in zip(tried[strongest], value, error, changes[strongest], strict=True)]
    return sorted(found, key=lambda feature: -feature.contribution)
