"""Edges become the rows that a dictionary would give, however they are cut into pieces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halflabel import compress
from halflabel.compress import EdgeSorter
from halflabel.errors import DataError
from halflabel.files import spool

N = 9
EDGES = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.integers(1, 64)), max_size=60)


def by_dictionary(edges, weighted):
    found = {}
    for s, t, w in edges:
        if s != t:
            found[s, t] = found.get((s, t), 0) + w
    rows = sorted(found)
    indptr = np.cumsum([0, *(sum(s == i for s, _ in rows) for i in range(N))])
    return indptr.tolist(), [t for _, t in rows], [found[edge] for edge in rows] if weighted else None


@settings(deadline=None, max_examples=150)
@given(EDGES, st.booleans(), st.integers(1, 20), st.integers(1, 7), st.integers(1, 5))
def test_any_cut_gives_the_same_rows(edges, weighted, piece, run, sample):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compress, "RUN", run)
        patch.setattr(compress, "SAMPLE", sample)
        sorter = EdgeSorter(weighted)
        for first in range(0, len(edges), piece):
            s, t, w = np.array(edges[first : first + piece]).T
            sorter.add(s.astype(np.int32), t.astype(np.int32), w.astype(float) if weighted else None)
        rows = sorter.rows(N)
    indptr, indices, weight = by_dictionary(edges, weighted)
    assert rows.indptr.tolist() == indptr
    assert rows.indices.tolist() == indices
    assert (rows.weight is None) == (weight is None)
    assert weight is None or rows.weight.tolist() == weight
    assert rows.loops == sum(s == t for s, t, _ in edges)
    assert rows.merged == len(edges) - rows.loops - len(indices)
    assert (rows.indptr.dtype, rows.indices.dtype) == (np.int64, np.int32)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64, np.int8])
def test_positions_of_any_integer_type(dtype):
    sorter = EdgeSorter()
    sorter.add(np.array([2, 0], dtype=dtype), np.array([1, 2], dtype=dtype))
    assert sorter.rows(3).indices.tolist() == [2, 1]


def test_the_largest_positions_keep_apart():
    last = 2**31 - 2
    sorter = EdgeSorter()
    sorter.add(np.array([1, 0, 0]), np.array([0, last, last - 1]))
    assert sorter.rows(2).indices.tolist() == [last - 1, last, 0]


def test_no_room_for_the_temporary_file_is_a_data_error(monkeypatch):
    class Full:
        def seek(self, *place): ...

        def close(self): ...

        def write(self, values):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool.tempfile, "TemporaryFile", lambda **kwargs: Full())
    with pytest.raises(DataError, match=r"No space left on device\). Set TMPDIR to a directory with more"):
        spool.Spool(np.int64).append(np.arange(3))
