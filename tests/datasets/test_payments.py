"""The built-in example: its promises, and that the graph adds to the features."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import StandardScaler

from halflabel.datasets import payments, payments_positives, write_payments
from halflabel.errors import DataError


@pytest.fixture(scope="module")
def example():
    return payments()


def test_size_ids_and_names(example):
    graph, y = example
    assert graph.shape == (2000, 20)
    assert y.sum() == 160
    assert graph.ids[427] == "ACC-0427"
    assert "chargebacks_30d" in graph.names()
    assert np.all(np.isfinite(graph.X))
    assert graph.edge_weight is not None
    assert np.all(graph.edge_weight > 0)


def test_edges_at_frauds_mostly_lead_to_honest_accounts(example):
    graph, y = example
    pairs = sparse.triu(graph.symmetric(), format="coo")
    frauds = y[pairs.row] + y[pairs.col]
    share = np.sum(frauds == 1) / np.sum(frauds > 0)
    assert 0.9 < share < 1


def test_same_seed_same_bits_other_seed_other_graph(example):
    graph, y = example
    same, same_y = payments(0)
    assert np.array_equal(graph.X, same.X)
    assert np.array_equal(graph.indices, same.indices)
    assert np.array_equal(y, same_y)
    assert not np.array_equal(y, payments(1)[1])


def _average_precision(view, y):
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = LogisticRegression(C=0.1, max_iter=500)
    scores = cross_val_predict(model, view, y, cv=folds, method="predict_proba")[:, 1]
    return average_precision_score(y, scores)


def test_features_overlap_and_the_graph_helps(example):
    graph, y = example
    X = StandardScaler().fit_transform(np.log1p(graph.X))
    both = (graph.symmetric() != 0).astype(float)
    mean = sparse.diags_array(1 / np.maximum(both.sum(axis=1), 1)) @ both
    alone = _average_precision(X, y)
    together = _average_precision(np.hstack([X, mean @ X, mean @ (mean @ X)]), y)
    assert 0.6 < alone < 0.75
    assert together > alone + 0.08


def test_known_frauds(example):
    _, y = example
    known = payments_positives(y)
    assert known.dtype == bool
    assert known.sum() == 60
    assert np.all(y[known] == 1)
    assert np.array_equal(known, payments_positives(y))
    assert not np.array_equal(known, payments_positives(y, random_state=1))
    with pytest.raises(DataError, match="y has 3 frauds"):
        payments_positives(np.array([1, 1, 1, 0]))


def _rows(path):
    with path.open(newline="") as stream:
        return list(csv.reader(stream))


def test_written_files_say_the_same(example, tmp_path):
    graph, y = example
    place = write_payments(tmp_path / "deep" / "demo")
    assert {path.name for path in place.iterdir()} == {"edges.csv", "known.txt", "nodes.csv", "truth.csv"}

    (header, *edges), nodes = _rows(place / "edges.csv"), _rows(place / "nodes.csv")
    assert header == ["source", "target", "weight"]
    position = {name: i for i, name in enumerate(row[0] for row in nodes[1:])}
    assert [position[target] for _, target, _ in edges] == graph.indices.tolist()
    assert np.array_equal(np.array([row[2] for row in edges], dtype=np.float32), graph.edge_weight)
    assert nodes[0] == ["id", *graph.names()]
    assert np.array_equal(np.array([row[1:] for row in nodes[1:]], dtype=np.float32), graph.X)

    truth = dict(_rows(place / "truth.csv")[1:])
    known = (place / "known.txt").read_text().split()
    assert len(known) == 60
    assert all(truth[name] == "1" for name in known)
    assert sum(value == "1" for value in truth.values()) == y.sum()
