"""How many edges join a positive to a negative, estimated without knowing any negative."""

from __future__ import annotations

import numpy as np

from halflabel.graph import Graph


def expected_heterophily(graph: Graph, probability: np.ndarray, known: np.ndarray) -> float:
    """Expected share of edges between a positive and a negative, given each node's probability.

    Known positives count with probability one. End points are taken as independent given their scores, which
    neighbours are not quite: docs/priors.md has its error on graphs where the truth is known.

    >>> graph = Graph.from_edges([0, 1], [1, 2], np.eye(3))
    >>> expected_heterophily(graph, np.array([0.2, 0.0, 0.5]), np.array([True, False, False]))
    0.75
    """
    if not graph.n_edges:
        return 0.0
    p = np.where(known, 1.0, probability)
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    a, b = p[source], p[graph.indices]
    return float((a * (1 - b) + b * (1 - a)).mean())
