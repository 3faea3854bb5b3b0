"""A graph for rows that come without one."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import StandardScaler

import halflabel as hl


def rows(n=50, width=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, width)) * 10.0 ** np.arange(width)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, pd.DataFrame, np.ndarray.tolist])
def test_edges_are_those_of_scikit_learn_after_scaling(form):
    X = rows()
    nearest = kneighbors_graph(StandardScaler().fit_transform(X), 5)
    graph = hl.neighbour_graph(form(X), k=5)
    assert ((graph.adjacency != 0) != (nearest + nearest.T != 0)).nnz == 0
    assert graph.edge_weight is None
    np.testing.assert_allclose(graph.X if form is not sparse.csr_array else graph.X.toarray(), X, rtol=1e-6)
    assert graph.notes == ("no edges: joined every row to its 5 nearest",)


def test_ids_and_names_are_kept():
    graph = hl.neighbour_graph(rows(3, 2), ids=["a", "b", "c"], feature_names=["age", "sum"])
    assert graph.ids[2] == "c"
    assert graph.feature_names == ("age", "sum")
    assert graph.n_edges == 6


def test_equal_rows_have_neighbours_other_than_themselves():
    graph = hl.neighbour_graph(np.repeat([[0.0], [1.0]], 20, axis=0), k=3)
    assert (np.diff(graph.indptr) >= 3).all()


@pytest.mark.parametrize(("X", "k", "message"), [
    (np.ones((1, 3)), 5, "two rows"), (np.ones((5, 0)), 5, "a feature"), (np.ones((5, 2)), 0, "k=0"),
    (np.ones(5), 2, "matrix"), ([["a"], ["b"]], 1, "numbers"), ([[1.0], [np.nan]], 1, "missing or infinite"),
])
def test_what_has_no_neighbours(X, k, message):
    with pytest.raises(hl.DataError, match=message):
        hl.neighbour_graph(X, k)


def test_as_graph_points_to_it():
    with pytest.raises(hl.DataError, match="neighbour_graph"):
        hl.as_graph(rows())
