"""Ids are found by hash as a dictionary finds them."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halflabel.ids import NodeIds
from halflabel.ids.index import IdIndex
from halflabel.ids.keys import IntegerKeys, TextKeys
from halflabel.ids.store import finder, store_for

# Prefixes and lengths around a word of eight bytes are where a mistake would hide.
TEXT = st.one_of(st.text(max_size=4), st.text(alphabet="ab\0", max_size=20), st.just("x" * 100))
KINDS = {"text": (TEXT, pa.string()), "large": (TEXT, pa.large_string()), "view": (TEXT, pa.string_view()),
         "integers": (st.integers(-(2**63), 2**63 - 1), pa.int64()), "small": (st.integers(-9, 9), pa.int8())}


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_store_is_a_dictionary(kind, data):
    strategy, arrow = KINDS[kind]
    store, known = store_for(arrow), {}
    for batch in data.draw(st.lists(st.lists(strategy, max_size=8), max_size=4)):
        wanted = pa.array(batch, arrow)
        assert store.find(wanted).tolist() == [known.get(value, -1) for value in batch]
        new = list(dict.fromkeys(value for value in batch if value not in known))
        store.add(pa.array(new, arrow))
        known |= {value: len(known) + i for i, value in enumerate(new)}
    ids = store.to_arrow()
    assert ids.type == arrow
    assert ids.to_pylist() == list(known)


def test_a_table_that_grows_and_collides(monkeypatch):
    monkeypatch.setattr("halflabel.ids.index.BLOCK", 100)
    values = np.random.default_rng(0).permutation(5000) * 2**40
    keys, index = IntegerKeys(values), IdIndex()
    for stop in (1, 700, 701, 5000):
        assert index.add(keys, stop)
    assert index.find(keys, keys).tolist() == list(range(5000))
    assert index.find(IntegerKeys(values + 1), keys).tolist() == [-1] * 5000


def test_equal_hashes_are_told_apart(monkeypatch):
    monkeypatch.setattr(TextKeys, "hashes", lambda self, first, stop: np.zeros(stop - first, dtype=np.uint64))
    ids = pa.array([f"n{i}" for i in range(50)])
    keys, index = TextKeys.of(ids), IdIndex()
    assert index.add(keys, 50)
    assert index.find(TextKeys.of(ids.take(pa.array([7, 3]))), keys).tolist() == [7, 3]
    assert index.find(TextKeys.of(pa.array(["n50"])), keys).tolist() == [-1]


@pytest.mark.parametrize("block", [1, 3, 100])
def test_repeated_ids_are_noticed_wherever_they_are(monkeypatch, block):
    monkeypatch.setattr("halflabel.ids.index.BLOCK", block)
    names = [f"node {i}" for i in range(10)]
    for i in range(10):
        keys = TextKeys.of(pa.array([*names, names[i]]))
        assert not IdIndex(11).add(keys, 11)
    assert IdIndex(10).add(TextKeys.of(pa.array(names)), 10)


def test_slices_of_a_column():
    ids = pa.array(["skip", "a", "bb", "ccc"]).slice(1)
    wanted = pa.array(["x", "ccc", "skip", "a"]).slice(1)
    assert finder(NodeIds(ids), pa.string())(wanted).tolist() == [2, -1, 0]


DAYS = [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)]


@pytest.mark.parametrize(("ids", "wanted"), [
    (["7", "8"], pa.array([8, 7])), ([7, 8], pa.array(["8", "007"])), ([7, 8], pa.array([8, 9], pa.int16())),
    ([7, 8], pa.array([8, 2**63], pa.uint64())), ([7, 8], pa.array([8.0, 9.5])), (DAYS, pa.array(DAYS[::-1])),
    ([2.5, 1.5], pa.array([1.5])), ([(0, 1), "a"], pa.array(["a", "(0, 1)"])), (["a"], pa.array([b"a"])),
], ids=str)
def test_a_finder_agrees_with_positions(ids, wanted):
    ids = NodeIds(ids)
    assert finder(ids, wanted.type)(wanted).tolist() == ids.positions(wanted).tolist()


def test_more_text_than_small_offsets_reach(monkeypatch):
    monkeypatch.setattr("halflabel.ids.store.LARGEST_OFFSET", 5)
    store = store_for(pa.string())
    store.add(pa.array(["abc", "defg"]))
    ids = store.to_arrow()
    assert ids.type == pa.large_string()
    assert ids.to_pylist() == ["abc", "defg"]
