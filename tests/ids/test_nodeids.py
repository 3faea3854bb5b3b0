"""Ids of every type find their own position, and no other."""

import datetime
import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halflabel.errors import DataError, unknown_name
from halflabel.ids import NodeIds, canonical_integers

INTEGERS = st.integers(-(2**63) + 1, 2**63 - 1)
KINDS = st.one_of(
    st.lists(INTEGERS, unique=True, min_size=1),
    st.lists(st.integers(2**63, 2**80), unique=True, min_size=1),
    st.lists(st.text(min_size=1), unique=True, min_size=1),
    st.lists(st.tuples(st.integers(), st.integers()), unique=True, min_size=1),
)


@given(KINDS)
def test_every_id_finds_its_own_position(values):
    ids = NodeIds(values)
    assert ids.positions(values).tolist() == list(range(len(values)))
    assert ids.positions(values[::-1]).tolist() == list(range(len(values)))[::-1]
    assert ids.take(np.arange(len(values))) == values


@given(st.lists(st.integers(-(2**70), 2**70), unique=True, min_size=1))
def test_an_integer_and_its_text_are_one_id(values):
    text = [str(v) for v in values]
    assert NodeIds(values).positions(text).tolist() == list(range(len(values)))
    assert NodeIds(text).positions(values).tolist() == list(range(len(values)))


@given(st.text(alphabet="0123456789-+ .e", max_size=21))
def test_canonical_integers_are_those_that_print_the_same(text):
    [value] = canonical_integers(pa.array([text])).to_pylist()
    if value is not None:
        assert str(value) == text
    else:
        assert not (re.fullmatch("-?[0-9]+", text) and str(int(text)) == text and abs(int(text)) < 2**63)


def test_lookups_across_types():
    assert NodeIds([1, 2]).positions(["2", "02", "x"]).tolist() == [1, -1, -1]
    assert NodeIds([1, 2]).positions([]).tolist() == []
    assert len(NodeIds([])) == 0
    assert NodeIds([1, 2]).positions([None, 2]).tolist() == [-1, 1]
    assert NodeIds(["5", "1000000000000000"]).positions([np.nan, 1e15]).tolist() == [-1, 1]
    # 258 would wrap round to 2 in eight bits
    assert NodeIds(np.array([1, 2], dtype=np.int8)).positions([258, 2]).tolist() == [-1, 1]
    assert NodeIds([datetime.date(2020, 1, 2)]).positions(["2020-01-02"]).tolist() == [0]
    assert NodeIds(["a"]).positions(pa.chunked_array([["a"], ["b"]])).tolist() == [0, -1]
    assert NodeIds(["a"]).positions(pa.array(["a"]).dictionary_encode()).tolist() == [0]


def test_ids_that_arrow_cannot_hold():
    ids = NodeIds([(0, 1), "a", 3])
    assert ids[0] == (0, 1)
    assert ids.to_arrow().to_pylist() == ["(0, 1)", "a", "3"]
    assert ids.positions(pa.array(["a", "(0, 1)", "3", "b"])).tolist() == [1, 0, 2, -1]


def test_repeated_and_empty_ids_are_named():
    with pytest.raises(DataError, match=r"nodes.csv: node ids must be unique; repeated: 'a'\. Remove"):
        NodeIds(["a", "b", "a"], where="nodes.csv")
    with pytest.raises(DataError, match="repeated: 3"):
        NodeIds([3, "x", 3])
    with pytest.raises(DataError, match="1 of 2 node ids are empty"):
        NodeIds(["a", None])


def test_a_mistyped_name_never_fills_the_screen():
    message = unknown_name("feature", "w500", [f"word{i}" for i in range(1433)])
    assert message.endswith("word11, ... (1,433 in all).")


@given(st.lists(st.text(), unique=True, min_size=3), st.data())
def test_few_are_found_among_many(values, data):
    anything = st.one_of(st.sampled_from(values), st.text(), st.none())
    few = data.draw(st.lists(anything, max_size=len(values) - 1))
    place = {value: i for i, value in enumerate(values)}
    assert NodeIds(values).positions(pa.array(few, pa.string())).tolist() == [place.get(v, -1) for v in few]
