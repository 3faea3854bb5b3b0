"""Scaling: the rule is chosen from the data, and another graph is treated alike."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from halflabel.errors import DataError
from halflabel.features.scaling import Scaling


def names(X):
    return [f"x{i}" for i in range(X.shape[1])]


def words(seed=0, n=60, d=40):
    rng = np.random.default_rng(seed)
    return (rng.random((n, d)) < 0.1).astype(np.float32)


def test_columns_agree_with_scikit_learn():
    X = np.random.default_rng(0).normal(3, 5, (50, 4)).astype(np.float32)
    got = Scaling.fit(X, names(X)).transform(X, names(X))
    np.testing.assert_allclose(got, StandardScaler().fit_transform(X), atol=1e-5)
    assert got.dtype == np.float32


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_bags_of_words_are_divided_by_rows(form):
    X = words()
    X[0] = 0
    scaling = Scaling.fit(form(X), names(X))
    assert scaling.rule == "rows"
    got = scaling.transform(form(X), names(X))
    assert sparse.issparse(got) == sparse.issparse(form(X))
    sums = np.asarray(got.sum(axis=1))
    assert sums[0] == 0
    np.testing.assert_allclose(sums[sums > 0], 1, rtol=1e-6)
    assert scaling.describe() == "each row divided by its sum: 40 features"


def test_one_large_column_is_no_bag_of_words():
    X = words()
    ages = np.linspace(20, 90, len(X))
    for column in (ages, ages * 1000, -ages):
        mixed = np.column_stack([X, column])
        assert Scaling.fit(mixed, names(mixed)).rule == "columns"


def test_sparse_columns_stay_sparse():
    X = sparse.csr_array(words() * np.random.default_rng(1).normal(size=(60, 40)))
    scaling = Scaling.fit(X, names(X))
    got = scaling.transform(X, names(X))
    assert isinstance(got, sparse.csr_array)
    wanted = X.toarray() / X.toarray().std(axis=0)
    np.testing.assert_allclose(got.toarray(), wanted.clip(-10, 10), rtol=1e-4)
    np.testing.assert_allclose(scaling.transform(X.toarray(), names(X)), got.toarray(), rtol=1e-5)
    assert scaling.describe() == "columns standardised, not centred: 40 features"


def test_heavy_tails_are_cut():
    X = np.zeros((1000, 1))
    X[0] = 1e6
    assert Scaling.fit(X, ["a"]).transform(X, ["a"]).max() == 10


@given(hnp.arrays(np.float32, hnp.array_shapes(min_dims=2, max_dims=2, max_side=8),
                  elements=st.floats(-1e6, 1e6, width=32)))
def test_always_finite_never_changes_its_input_and_survives_json(X):
    before = X.copy()
    scaling = Scaling.fit(X, names(X))
    got = scaling.transform(X, names(X))
    again = Scaling.from_dict(json.loads(json.dumps(scaling.to_dict())))
    assert again == scaling
    assert np.isfinite(got).all()
    assert got.shape == (len(X), max(1, len(scaling.names)))
    assert np.array_equal(X, before)
    sparse_got = scaling.transform(sparse.csr_array(X), names(X))
    dense = sparse_got.toarray() if sparse.issparse(sparse_got) else sparse_got
    np.testing.assert_allclose(dense, got, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_another_graph_is_aligned_by_name(form):
    X = np.array([[1.0, 1, 0, 0], [2, 0, 1, 1], [4, 0, 1, 0]])
    columns = ["age", "city=Bonn", "city=Ulm", "age is missing"]
    scaling = Scaling.fit(X, columns)
    other = form(np.array([[1.0, 9, 2], [0, 9, 4]]))
    got = scaling.transform(other, ["city=Ulm", "extra", "age"])
    same = scaling.transform(np.array([[2.0, 0, 1, 0], [4, 0, 0, 0]]), columns)
    np.testing.assert_allclose(got, same)


def test_absent_columns_are_named():
    scaling = Scaling.fit(np.array([[1.0, 0], [2, 1]]), ["age", "city=Ulm"])
    with pytest.raises(DataError, match=r"the new graph: no feature 'age'. Did you mean 'ages'\?"):
        scaling.transform(np.ones((2, 2)), ["ages", "city=Ulm"])
    with pytest.raises(DataError, match="no feature 'city=Ulm'"):
        scaling.transform(np.ones((2, 1)), ["age"])
    with pytest.raises(DataError, match="1 feature names for 2"):
        Scaling.fit(np.ones((2, 2)), ["a"])
    with pytest.raises(DataError, match="no nodes"):
        Scaling.fit(np.ones((0, 1)), ["a"])


def test_nothing_but_constants():
    X = np.ones((3, 2))
    scaling = Scaling.fit(X, ["a", "b"])
    assert scaling.transform(X, ["a", "b"]).tolist() == [[1], [1], [1]]
    assert "column of ones" in scaling.describe()
    assert Scaling.fit(np.ones((3, 0)), []).rule == "none"
