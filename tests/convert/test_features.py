"""Columns of any type become numbers, and gaps are never overlooked."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from halflabel.convert.features import encode_features
from halflabel.errors import DataError


def test_numbers_flags_dates_and_decimals_stay_in_order():
    table = pa.table({
        "n": pa.array([1, 2**62]),
        "flag": [True, False],
        "d": [decimal.Decimal("1.5"), decimal.Decimal("2.5")],
        "day": [datetime.date(1970, 1, 2), datetime.date(1970, 1, 1)],
        "when": [datetime.datetime(1970, 1, 1, 0, 1), datetime.datetime(1970, 1, 1)],
    })
    X, names, notes = encode_features(table)
    assert X.dtype == np.float32
    assert names == table.column_names
    assert X.tolist() == [[1, 1, 1.5, 86400, 60], [2**62, 0, 2.5, 0, 0]]
    assert notes == []


def test_embeddings_expand():
    fixed = pa.FixedSizeListArray.from_arrays(pa.array([1.0, 2.0, 3.0, 4.0]), 2)
    X, names, _ = encode_features(pa.table({"e": fixed, "l": pa.array([[5], [6]])}))
    assert names == ["e[0]", "e[1]", "l[0]"]
    assert X.tolist() == [[1, 2, 5], [3, 4, 6]]


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=30))
def test_one_hot_names_tell_the_value(values):
    X, names, _ = encode_features(pa.table({"c": values}))
    dense = X.toarray() if sparse.issparse(X) else X
    assert [names[i] for i in dense.argmax(axis=1)] == [f"c={v}" for v in values]
    assert (dense.sum(axis=1) == 1).all()


def test_sparse_below_a_quarter():
    many = pa.table({"c": [str(i) for i in range(20)]})
    X, _, _ = encode_features(many)
    assert isinstance(X, sparse.csr_array)
    assert X.dtype == np.float32
    X, _, _ = encode_features(pa.table({"c": pa.array(["a", "b", "c"]).dictionary_encode()}))
    assert isinstance(X, np.ndarray)


def test_identifiers_are_left_out_with_a_note():
    table = pa.table({"key": [f"k{i}" for i in range(101)], "x": range(101)})
    _, names, notes = encode_features(table)
    assert names == ["x"]
    assert notes == ["left out text column 'key': 101 different values, probably an identifier"]
    assert encode_features(table, one_hot_limit=101)[0].shape == (101, 102)


def test_missing_values_are_an_error_or_filled():
    table = pa.table({
        "age": [30.0, None, float("nan"), 50.0], "city": ["Ulm", "", "Bonn", None],
        "e": [[1.0], None, [3.0], [5.0]], "none": pa.nulls(4),
    })
    message = (r"nodes.csv: missing values in 'age' \(2\), 'city' \(2\), 'e' \(1\), 'none' \(4\), of 4 rows. "
               r'Fill them in, leave the columns out \(ignore=\[...\]\), or pass missing="mean"')
    with pytest.raises(DataError, match=message):
        encode_features(table, where="nodes.csv")
    X, names, notes = encode_features(table, missing="mean")
    cities = ["city=Bonn", "city=Ulm", "city=(missing)"]
    assert names == ["age", "age is missing", *cities, "e[0]", "e is missing"]
    assert X.tolist() == [
        [30, 0, 0, 1, 0, 1, 0],
        [40, 1, 0, 0, 1, 3, 1],
        [40, 1, 1, 0, 0, 3, 0],
        [50, 0, 0, 0, 1, 5, 0],
    ]
    assert notes == ["left out column 'none': it has no values"]


@pytest.mark.parametrize(("column", "message"), [
    ([1.0, float("inf")], "n.csv row 3: column 'x' is infinite, or too large for 32 bits. 1 such row."),
    ([1.0, 1e300], "n.csv row 3: column 'x' is infinite"),
    ([[1.0], [1.0, 2.0]], "n.csv: column 'x' has lists of 1, 2 numbers"),
    ([{"a": 1}, {"a": 2}], r"n.csv: column 'x' has type struct<a: int64>. Features .* ignore=\['x'\]"),
    ([["a"], ["b"]], "column 'x' has type string"),
    ([b"a", b"b"], "column 'x' has type binary"),
])
def test_what_cannot_be_a_feature_is_named(column, message):
    with pytest.raises(DataError, match=message):
        encode_features(pa.table({"x": column}), where="n.csv", first_row=2)


def test_the_option_is_checked():
    with pytest.raises(DataError, match="missing='median': expected"):
        encode_features(pa.table({"x": [1]}), missing="median")


def test_no_columns_give_no_features():
    X, names, _ = encode_features(pa.table({"x": [1, 2]}).select([]))
    assert X.shape[1] == 0
    assert names == []
