"""The share of mixed edges, where probabilities are certain and where they are not."""

import numpy as np
import pytest

from halflabel.datasets import edge_heterophily, synthetic
from halflabel.diagnose import expected_heterophily
from halflabel.graph import Graph


def test_with_certain_probabilities_it_is_the_truth():
    graph, y = synthetic(2000, heterophily=0.3)
    found = expected_heterophily(graph, (y == 1).astype(float), np.zeros(len(y), bool))
    assert found == pytest.approx(edge_heterophily(graph, y == 1))


def test_known_positives_count_as_positive_whatever_their_score():
    graph = Graph.from_edges([0], [1], np.eye(2))
    assert expected_heterophily(graph, np.array([0.0, 0.0]), np.array([True, False])) == 1.0


def test_a_graph_without_edges_has_none_that_is_mixed():
    graph = Graph.from_edges([], [], np.eye(2))
    assert expected_heterophily(graph, np.ones(2), np.zeros(2, bool)) == 0.0
