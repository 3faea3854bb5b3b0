"""Scores of nodes that a run did not see: a table like that of the run, and what to know about it."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from halflabel.base import PUNodeClassifier
from halflabel.errors import DriftWarning
from halflabel.graph import Graph
from halflabel.thresholds import Threshold, flag


class NewScores(NamedTuple):
    """A row per node, best rank first: id, score, probability, rank, flagged; and warnings of drift."""

    table: pa.Table
    drift: list[str]


def score_new(model: PUNodeClassifier, graph: Graph, threshold: Threshold | None = None) -> NewScores:
    """Score the nodes in focus of a graph that the model was not fitted on, without training again.

    Flagged is who reaches the threshold of the run; or, given another one, whom that takes of these nodes.
    Of equal scores the node that comes first wins.

    >>> from halflabel import Naive
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = Naive(epochs=5).fit(graph, payments_positives(y))
    >>> other, _ = payments(random_state=1)
    >>> score_new(model, other[:100], ("budget", 3)).table["flagged"].to_pylist()[:4]
    [True, True, True, False]
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DriftWarning)
        margin = model.decision_function(graph)
    scores = margin + model.cut_
    probability = model._probabilities(scores)
    flagged = margin > 0 if threshold is None else flag(probability, threshold)
    order = np.argsort(-scores, kind="stable")
    table = pa.table({
        "id": graph.ids.to_arrow().take(pa.array(graph.nodes[order])),
        "score": pa.array(scores[order]),
        "probability": pa.array(probability[order]),
        "rank": pa.array(np.arange(1, len(order) + 1)),
        "flagged": pa.array(flagged[order]),
    })
    drift = [str(warning.message) for warning in caught if warning.category is DriftWarning]
    for warning in caught:
        if warning.category is not DriftWarning:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return NewScores(table, drift)
