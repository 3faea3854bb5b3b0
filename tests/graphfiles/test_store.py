"""A stored graph comes back as it was, mapped and not copied; anything else is refused."""

import datetime
import json
import shutil

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.convert import as_graph
from halflabel.errors import DataError
from halflabel.fingerprint import fingerprint
from halflabel.graph import Graph
from halflabel.graphfiles.card import GRAPH
from halflabel.ids import NodeIds
from halflabel.order import sort_by_id

DAYS = [datetime.date(2024, 1, day) for day in range(1, 7)]


def graph(seed=0, weighted=True, form=np.asarray, ids=("a", "b", "c", "d", "e", "f")):
    rng = np.random.default_rng(seed)
    source, target = rng.integers(6, size=(2, 30))
    return Graph.from_edges(
        source, target, form(rng.integers(2, size=(6, 3))), ids=NodeIds(list(ids)), notes=["a note"],
        weight=rng.random(30) if weighted else None, feature_names=["p", "q", "r"])


@pytest.fixture
def stored(tmp_path):
    hl.save_graph(graph(), tmp_path / "g")
    return tmp_path / "g"


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("ids", ["abcdef", range(6), DAYS], ids=["text", "integers", "dates"])
def test_a_round_trip_changes_nothing(tmp_path, weighted, form, ids):
    before = graph(weighted=weighted, form=form, ids=ids)
    hl.save_graph(before, tmp_path / "g")
    after = hl.load_graph(tmp_path / "g")
    assert fingerprint(after) == fingerprint(before)
    assert after.ids.values.equals(before.ids.values)
    assert (after.feature_names, after.notes) == (before.feature_names, before.notes)
    assert (after.edge_weight is None) == (not weighted)
    assert type(after.X) is type(before.X)
    assert (after.indptr.dtype, after.indices.dtype, after.X.dtype) == (np.int64, np.int32, np.float32)


def test_a_graph_without_edges(tmp_path):
    hl.save_graph(Graph.from_edges([], [], np.eye(3)), tmp_path / "g")
    after = hl.load_graph(tmp_path / "g")
    assert (after.n_edges, after.feature_names) == (0, None)


def is_mapped(array):
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array is not None


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_arrays_are_mapped_and_stay_so_when_sorted_by_id(tmp_path, form):
    hl.save_graph(graph(form=form), tmp_path / "g")
    mapped = hl.load_graph(tmp_path / "g", check=False)
    features = mapped.X if form is np.asarray else mapped.X.data
    assert all(map(is_mapped, (mapped.indptr, mapped.indices, mapped.edge_weight, features)))
    assert sort_by_id(mapped)[0] is mapped
    assert not is_mapped(np.ones(3))


def test_writing_to_a_mapped_array_does_not_reach_the_file(stored):
    mapped = hl.load_graph(stored)
    mapped.indices[:] = 0
    assert hl.load_graph(stored).indices.any()


def test_every_way_in_takes_a_stored_graph(stored):
    wanted = fingerprint(graph())
    for way in (as_graph, hl.read_graph, hl.load_graph):
        assert fingerprint(way(stored)) == fingerprint(way(str(stored))) == wanted


def test_methods_take_a_mapped_graph(tmp_path):
    payments, y = hl.load_dataset("payments")
    known = hl.payments_positives(y)
    hl.save_graph(payments, tmp_path / "g")
    first, second = (hl.GPL(epochs=2, warmup=3).fit(given, known)
                     for given in (payments, hl.load_graph(tmp_path / "g")))
    assert np.array_equal(first.scores_, second.scores_)


@pytest.mark.parametrize("name", ["indices.npy", "indptr.npy", "X.npy", "edge_weight.npy", "ids.arrow"])
def test_cut_missing_and_swapped_files_are_refused(stored, tmp_path, name):
    hl.save_graph(graph(seed=1, ids="ABCDEF"), tmp_path / "other")
    content = (stored / name).read_bytes()
    (stored / name).write_bytes(content[:-4])
    with pytest.raises(DataError, match=rf"{name} has .* bytes where .* were written: .* Convert the"):
        hl.load_graph(stored, check=False)
    (stored / name).unlink()
    with pytest.raises(DataError, match=f"{name} is missing"):
        hl.load_graph(stored, check=False)
    changed = content[:-1] + bytes([content[-1] ^ 1])
    (stored / name).write_bytes(changed)
    with pytest.raises(DataError, match=f"{name} is not the file that was written"):
        hl.load_graph(stored)
    if name != "indptr.npy":
        shutil.copy(tmp_path / "other" / name, stored / name)
        with pytest.raises(DataError, match=name):
            hl.load_graph(stored)


@pytest.mark.parametrize(("change", "message"), [
    ({"format": 3}, "written by a newer halflabel .format 3; this one reads format 2.. Upgrade"),
    ({"format": 1}, "written by an older halflabel .format 1; this one reads format 2.. Convert the tables"),
    ({"format": "2"}, "does not say its format"),
    ({"nodes": 7}, "its parts do not fit together"),
    ({"nodes": -1}, "nodes: expected a whole number of at least 0, got -1"),
    ({"edges": 1}, "its parts do not fit together"),
    ({"features": 1}, "its parts do not fit together"),
    ({"feature_names": ["p"]}, "its parts do not fit together"),
    ({"files": {}}, "files: expected ids.arrow"),
    ({"notes": None}, "notes: expected a list, got None"),
    ({"colour": 1}, "'colour' not expected"),
])
def test_a_changed_card_is_refused_even_if_it_is_sealed_anew(stored, change, message):
    card = json.loads((stored / "graph.json").read_text()) | change
    (stored / "graph.json").write_text(json.dumps(card))
    with pytest.raises(DataError, match=message if "format" in change else "the seal does not fit"):
        hl.load_graph(stored)
    del card["seal"]
    GRAPH.write(stored, card)
    with pytest.raises(DataError, match=message):
        hl.load_graph(stored)


def test_what_is_no_stored_graph(tmp_path, stored):
    with pytest.raises(DataError, match=r"not a stored graph, it has no graph.json"):
        hl.load_graph(tmp_path)
    (stored / "graph.json").write_text("{")
    with pytest.raises(DataError, match="the saved graph is damaged"):
        hl.load_graph(stored)


def test_only_an_earlier_graph_is_replaced(tmp_path, stored):
    hl.save_graph(graph(seed=1, weighted=False), stored)
    assert hl.load_graph(stored).edge_weight is None
    (stored / "letter.txt").write_text("Dear Ann")
    for place in (stored, stored / "letter.txt"):
        with pytest.raises(DataError, match="exists and is not a stored graph"):
            hl.save_graph(graph(), place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g"]


def test_what_cannot_be_stored_is_said(tmp_path):
    with pytest.raises(DataError, match="only a whole graph can be stored"):
        hl.save_graph(graph()[:2], tmp_path / "g")
    tuples = Graph.from_edges([0], [1], np.eye(2), ids=NodeIds([(0, 1), (1, 1)]))
    with pytest.raises(DataError, match=r"Ids such as \(0, 1\) cannot be stored"):
        hl.save_graph(tuples, tmp_path / "g")
    assert not (tmp_path / "g").exists()


@pytest.mark.parametrize("options", [
    {"nodes": "n.csv"}, {"source": "s"}, {"ignore": ["x"]}, {"directed": False}, {"missing": "mean"},
    {"unknown_nodes": "drop"},
], ids=str)
def test_options_about_tables_are_refused(stored, options):
    [name] = options
    with pytest.raises(DataError, match=f"a stored graph, whose tables were read already; {name} can"):
        hl.read_graph(stored, **options)
