"""Answers as data frames of pandas: one of nodes, one of edges."""

from __future__ import annotations

from typing import Any

from halflabel.base import PUNodeClassifier
from halflabel.export.answers import Answers, sources


def to_frame(model: PUNodeClassifier) -> Any:
    """A pandas frame of the nodes, best rank first: id, score, probability, rank, known_positive, flagged.

    Known positives come last, without a rank. It has the columns of a run's scores.csv; ids keep their type.

    >>> from halflabel import Naive
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> frame = to_frame(Naive(epochs=5).fit(graph, payments_positives(y)))
    >>> frame.columns.tolist(), frame["rank"].head(2).tolist()
    (['id', 'score', 'probability', 'rank', 'known_positive', 'flagged'], [1, 2])
    """
    pandas = _pandas("to_frame")
    answers = Answers.of(model)
    order = answers.order
    rank = pandas.array(answers.rank[order], dtype="Int64")
    rank[answers.known[order]] = pandas.NA
    return pandas.DataFrame({
        "id": answers.graph.ids.take(order),
        "score": answers.score[order],
        "probability": answers.probability[order],
        "rank": rank,
        "known_positive": answers.known[order],
        "flagged": answers.flagged[order],
    })


def to_edge_frame(model: PUNodeClassifier) -> Any:
    """A pandas frame of the directed edges: source, target, weight where the data has them, and trust.

    Trust is the model's `edge_weight_`: how far it relies on the edge, from 0 to 1.

    >>> from halflabel import Naive
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> frame = to_edge_frame(Naive(epochs=5).fit(graph, payments_positives(y)))
    >>> len(frame) == graph.n_edges, frame.columns.tolist()
    (True, ['source', 'target', 'weight', 'trust'])
    """
    pandas = _pandas("to_edge_frame")
    answers = Answers.of(model)
    graph = answers.graph
    columns: dict[str, Any] = {
        "source": graph.ids.take(sources(graph)), "target": graph.ids.take(graph.indices)}
    if graph.edge_weight is not None:
        columns["weight"] = graph.edge_weight
    return pandas.DataFrame({**columns, "trust": answers.trust})


def _pandas(asker: str) -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"{asker} needs pandas: pip install pandas") from error
    return pandas
