"""Answers as a networkx graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from halflabel.base import PUNodeClassifier
from halflabel.export.answers import Answers, sources
from halflabel.graph import Graph


def to_networkx(model: PUNodeClassifier | Graph) -> Any:
    """A networkx DiGraph whose nodes are the original ids; features stay behind.

    Nodes have score, probability, rank (None for known positives), known_positive and flagged; edges have
    trust, and weight where the data has it. Of a Graph, only what it is itself.

    >>> from halflabel import Naive
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> network = to_networkx(Naive(epochs=5).fit(graph, payments_positives(y)))
    >>> network.number_of_edges() == graph.n_edges, sorted(network.nodes[graph.ids[0]])
    (True, ['flagged', 'known_positive', 'probability', 'rank', 'score'])
    """
    import networkx

    answers = None if isinstance(model, Graph) else Answers.of(model)
    graph = answers.graph if answers else model
    ids = graph.ids.take(np.arange(graph.n_nodes))
    network = networkx.DiGraph()
    network.add_nodes_from(zip(ids, _records(answers.of_nodes() if answers else {}, len(ids)), strict=True))
    of_edges = {} if graph.edge_weight is None else {"weight": graph.edge_weight.tolist()}
    if answers:
        of_edges["trust"] = answers.trust.tolist()
    start, end = (graph.ids.take(ends) for ends in (sources(graph), graph.indices))
    network.add_edges_from(zip(start, end, _records(of_edges, graph.n_edges), strict=True))
    return network


def _records(columns: dict[str, list[Any]], count: int) -> list[dict[str, Any]]:
    """Columns as one dictionary for each row."""
    if not columns:
        return [{} for _ in range(count)]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
