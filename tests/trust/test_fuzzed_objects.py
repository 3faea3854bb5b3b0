"""Arrays, data frames, Parquet and labels of any type: a graph of finite numbers, or a message."""

import datetime
import decimal
import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy import sparse

import halflabel as hl
from halflabel.errors import DataError
from halflabel.ids import NodeIds
from halflabel.labels import as_positive_mask

COUNT = int(os.environ.get("HALFLABEL_FUZZ", "600")) // 4
fuzzed = settings(
    max_examples=COUNT, derandomize="HALFLABEL_FUZZ" not in os.environ, database=None, deadline=None,
    suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink])
VALUES = {
    pa.int8(): (0, 1, 2, -128), pa.int64(): (0, 1, 2**53 + 1, -(2**63)), pa.uint64(): (0, 1, 2**64 - 1),
    pa.float32(): (0.0, 1.0, 2.5, float("nan")), pa.float64(): (0.0, 1.0, 1e300, float("nan"), float("inf")),
    pa.string(): ("0", "1", "", "007", "é"), pa.large_string(): ("0", "1", "x"), pa.bool_(): (True, False),
    pa.binary(): (b"0", b"\xff"), pa.date32(): (datetime.date(2020, 1, 1), datetime.date(1, 1, 1)),
    pa.timestamp("us"): (datetime.datetime(2020, 1, 1), datetime.datetime(9999, 1, 1)),
    pa.timestamp("ns", "UTC"): (datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),),
    pa.time64("us"): (datetime.time(1, 2),), pa.duration("s"): (datetime.timedelta(1),),
    pa.decimal128(20, 2): (decimal.Decimal("1.50"), decimal.Decimal("999999999999999999.99")),
    pa.list_(pa.float64()): ([1.0, 2.0], [3.0, float("nan")], [], [1.0]), pa.list_(pa.string()): (["a"], []),
    pa.struct([("a", pa.int64())]): ({"a": 1},), pa.null(): (None,),
    pa.dictionary(pa.int32(), pa.string()): ("a", "b"),
}


@st.composite
def typed_columns(draw, rows):
    """A column of any Arrow type, now and then with gaps."""
    kind = draw(st.sampled_from(list(VALUES)))
    values = VALUES[kind] + ((None,) if draw(st.integers(0, 3)) == 0 else ())
    chosen = draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))
    if pa.types.is_dictionary(kind):
        return pa.array(chosen, pa.string()).dictionary_encode()
    return pa.array(chosen, kind)


@st.composite
def tables(draw, first):
    rows = draw(st.integers(0, 4))
    names = [*first, *draw(st.sampled_from([[], ["age"], ["age", "weight"]]))]
    return pa.table([draw(typed_columns(rows)) for _ in names], names=names)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("objects")


def refusal(action):
    """The message, if it is refused."""
    try:
        action()
    except DataError as error:
        return str(error)


def check(graph):
    assert np.isfinite(graph.X.data if sparse.issparse(graph.X) else graph.X).all()
    assert graph.edge_weight is None or (np.isfinite(graph.edge_weight) & (graph.edge_weight > 0)).all()
    assert len(graph.ids) == graph.n_nodes == graph.X.shape[0]


@fuzzed
@given(edges=tables(["source", "target"]), nodes=st.one_of(st.none(), tables(["id"])),
       how=st.sampled_from(["arrow", "parquet", "pandas"]), missing=st.sampled_from(["error", "mean"]))
def test_columns_of_any_type(place, edges, nodes, how, missing):
    def as_given(table, name):
        if table is None or how == "arrow":
            return table
        if how == "pandas":
            return pd.DataFrame(table.to_pydict(), dtype=object)
        pyarrow.parquet.write_table(table, place / f"{name}.parquet")
        return place / f"{name}.parquet"

    message = refusal(lambda: check(hl.read_graph(
        as_given(edges, "edges"), as_given(nodes, "nodes"), missing=missing, unknown_nodes="drop")))
    assert message is None or "edges" in message or "nodes" in message


numbers = st.sampled_from([0, 1, 2, 3, 4, -1, 5, 0.5, float("nan"), float("inf"), 2**31, 2**63 - 1, True])
kinds = st.sampled_from([np.int64, np.int32, np.uint8, np.float64, np.float32, bool, object, str, complex])


@st.composite
def arrays(draw, widths):
    rows, columns = draw(st.sampled_from([2, 0, 1, 3, 5])), draw(st.sampled_from(widths))
    values = draw(st.lists(numbers, min_size=rows * columns, max_size=rows * columns))
    kind = draw(kinds)
    with np.errstate(all="ignore"):
        try:
            return np.array(values, dtype=kind).reshape(rows, columns)
        except (OverflowError, ValueError):
            return np.array(values, dtype=object).reshape(rows, columns)


@fuzzed
@given(first=arrays([3, 0, 1, 5]), X=arrays([2, 0, 1]), scipy_=st.booleans())
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
def test_arrays_of_any_kind(first, X, scipy_):
    if scipy_ and first.dtype.kind in "biuf":
        first = sparse.csr_array(first)
    assert refusal(lambda: check(hl.as_graph((first, X)))) != ""


labels = st.one_of(
    st.lists(st.one_of(numbers, st.sampled_from(["a", "b", "c", "1", "", None, b"a", (1, 2)])), max_size=4),
    arrays([1, 4]), arrays([1, 4]).map(np.ravel), st.just({"a": 1}), st.just("nowhere.txt"), st.just(7),
    st.none(), st.sets(st.sampled_from("abx")), st.just(pa.array([1, None])), st.just(pd.Series(["a", None])))


@fuzzed
@given(positives=labels, text=st.booleans())
def test_labels_of_any_kind(positives, text):
    ids = NodeIds(["a", "b", "c"]) if text else NodeIds.range(3)
    graph = hl.Graph.from_edges([0], [1], np.eye(3), ids=ids)

    def check_mask():
        mask = as_positive_mask(positives, graph)
        assert mask.dtype == bool
        assert mask.shape == (3,)
        assert 0 < mask.sum() < 3

    assert refusal(check_mask) != ""
