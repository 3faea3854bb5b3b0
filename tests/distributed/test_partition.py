"""Parts on disk hold the whole graph, each edge where it is needed, and can be read one at a time."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.distributed import partition_graph, read_part
from halflabel.distributed.assign import assign_parts
from halflabel.distributed.local_edges import local_edges
from halflabel.distributed.manifest import Manifest, part_name
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.order import sort_by_id


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(0)
    source, target = rng.integers(60, size=(2, 150))
    return Graph.from_edges(source, target, rng.normal(size=(60, 3)), weight=rng.random(150) + 0.1,
                            ids=NodeIds([f"n{i}" for i in rng.permutation(60)]))


@pytest.fixture
def place(graph, tmp_path):
    partition_graph(graph, 3, tmp_path / "parts", how="contiguous")
    return tmp_path / "parts"


def test_the_parts_are_the_graph(graph, place):
    whole = sort_by_id(graph)[0]
    rebuilt, directed, seen = np.zeros((60, 60)), 0, []
    for rank in range(3):
        part = read_part(place, rank)
        places = np.concatenate([part.place, part.halo_place])
        rows = np.repeat(part.place, np.diff(part.indptr))
        rebuilt[rows, places[part.target]] = part.weight
        directed += part.graph.n_edges
        seen += part.listed.tolist()
        np.testing.assert_array_equal(part.X, graph.X[part.listed])
        assert part.ids.take(np.arange(len(places))) == whole.ids.take(places)
        for source, targets in enumerate(np.split(part.graph.indices, part.graph.indptr[1:-1])):
            expected = whole.adjacency[[places[source]]].indices if source < len(part.place) else []
            assert set(places[targets]) == set(expected)
    np.testing.assert_allclose(rebuilt, whole.symmetric().toarray())
    assert (directed, sorted(seen)) == (graph.n_edges, list(range(60)))


def test_parts_know_how_features_came_about(graph, tmp_path):
    nodes = pa.table({"id": range(60), "age": np.arange(60.0), "city": ["Bonn", "Ulm"] * 30})
    edges = pa.table({"source": np.arange(59), "target": np.arange(1, 60)})
    bare, of_a_table = hl.as_graph(graph.adjacency), hl.as_graph(edges, nodes)
    for whole in (bare, of_a_table):
        partition_graph(whole, 2, tmp_path / "parts")
        part = read_part(tmp_path / "parts", 1).graph
        assert part.encoding == whole.encoding is not None
        assert part.lacks_features == (whole is bare)


def test_a_process_reads_no_part_but_its_own(place):
    whole = read_part(place, 1)
    shutil.rmtree(place / part_name(0))
    shutil.rmtree(place / part_name(2))
    again = read_part(place, 1)
    np.testing.assert_array_equal(again.target, whole.target)
    with pytest.raises(DataError, match=r"part-00000.*is missing\. Partition the graph again"):
        read_part(place, 0)


@pytest.mark.parametrize(("table", "column", "value"), [
    ("edges", "target", 10**6), ("edges", "target", -1), ("nodes", "degree", -3), ("nodes", "place", 60),
    ("halo", "owner", 3), ("halo", "place", -1),
])
def test_a_part_that_leads_outside_is_refused(place, table, column, value):
    path = place / part_name(1) / f"{table}.parquet"
    found = pq.read_table(path)
    at = found.column_names.index(column)
    changed = pa.array([value, *found[column].to_pylist()[1:]], found[column].type)
    pq.write_table(found.set_column(at, column, changed), path)
    with pytest.raises(DataError, match=r"part-00001: the saved partition is damaged"):
        read_part(place, 1)
    assert read_part(place, 0).rank == 0


def test_a_changed_manifest_is_refused(place):
    path = place / "parts.json"
    path.write_text(path.read_text().replace('"nodes": 60', '"nodes": 61'))
    with pytest.raises(DataError, match=r"partition is damaged .the seal does not fit.. Partition the graph"):
        read_part(place, 0)


def test_every_edge_has_one_number_and_one_way_round(place):
    ways = {}
    for rank in range(3):
        part = read_part(place, rank)
        places = np.concatenate([part.place, part.halo_place])
        edges = local_edges(part)
        assert (places[edges.left] < places[edges.right]).all()
        assert (np.diff(edges.left * 1000 + edges.right) > 0).all()
        rows = np.repeat(np.arange(len(part.place)), np.diff(part.indptr))
        ends = np.sort(np.stack([places[rows], places[part.target]]), axis=0)
        np.testing.assert_array_equal(ends[0], places[edges.left][edges.edge])
        np.testing.assert_array_equal(ends[1], places[edges.right][edges.edge])
        ways[rank] = len(edges.left)
    manifest = Manifest.read(place)
    assert sum(ways.values()) == manifest.stored // 2 + manifest.cut  # a cut edge is known to two parts


def test_sparse_features_and_none(tmp_path):
    X = sparse.random(20, 9, density=0.3, format="csr", random_state=0, dtype=np.float32)
    partition_graph(Graph.from_edges([0, 1], [1, 2], X), 2, tmp_path / "sparse", how="contiguous")
    found = sparse.vstack([read_part(tmp_path / "sparse", rank).X for rank in range(2)])
    np.testing.assert_array_equal(found.toarray(), X.toarray())
    made = partition_graph(Graph.from_edges([0], [1], np.empty((4, 0))), 2, tmp_path / "none")
    assert read_part(tmp_path / "none", 1).X.shape == (made.own_nodes[1], 0)


@pytest.mark.parametrize("parts", [1, 2, 5, 9])
def test_runs_have_about_the_same_work(parts):
    star = sparse.lil_array((9, 9))
    star[0, 1:] = star[1:, 0] = 1
    owner, how = assign_parts(star.tocsr(), parts, "contiguous")
    assert how == "contiguous"
    assert sorted(set(owner)) == list(range(parts))  # nobody without a node, though one has all edges
    assert (np.diff(owner) >= 0).all()


def test_metis_is_used_where_it_is_installed():
    pymetis = pytest.importorskip("pymetis", reason="pymetis is not installed")
    assert pymetis
    rng = np.random.default_rng(0)
    order = rng.permutation(400)
    ring = sparse.csr_array((np.ones(400), (order, np.roll(order, 1))), shape=(400, 400))
    ring = ring + ring.T
    owner, how = assign_parts(ring.tocsr(), 2)
    rows, columns = ring.nonzero()
    assert how == "metis"
    assert np.mean(owner[rows] != owner[columns]) < 0.05  # runs of a shuffled ring would cut half


@pytest.mark.parametrize(("make", "message"), [
    (lambda graph, place: partition_graph(graph, 61, place), "61 parts of 60 nodes: expected between"),
    (lambda graph, place: partition_graph(graph[:5], 2, place), "5 of 60 nodes are in focus"),
    (lambda graph, place: read_part(place), "not a partitioned graph, it has no parts.json"),
])
def test_bad_requests(graph, tmp_path, make, message):
    with pytest.raises(DataError, match=message):
        make(graph, tmp_path / "parts")


def test_nothing_but_parts_is_replaced(graph, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear Ann")
    with pytest.raises(DataError, match="does not hold parts of a graph"):
        partition_graph(graph, 2, tmp_path)
    assert (tmp_path / "letter.txt").exists()


def test_the_wrong_number_of_processes(place):
    with pytest.raises(DataError, match=r"3 parts, number of processes: 1\. Start 3 \(torchrun"):
        read_part(place)


def test_another_format(place):
    saved = json.loads((place / "parts.json").read_text())
    (place / "parts.json").write_text(json.dumps({**saved, "format": 99}))
    with pytest.raises(DataError, match="format 99"):
        read_part(place, 0)


@pytest.mark.parametrize(("model", "message"), [
    (hl.NNPU(), "NNPU needs the whole graph in one process; several fit Auto, GPL, Naive"),
    (hl.Naive(backbone="gat"), "backbone='gat' needs the whole graph.*gcn, mlp"),
    (hl.Naive(batch_size=100), "batch_size samples neighbours from the whole graph"),
])
def test_what_cannot_be_shared(graph, tmp_path, model, message):
    partition_graph(graph, 1, tmp_path / "parts")
    with pytest.raises(DataError, match=message):
        model.fit(read_part(tmp_path / "parts"), np.arange(60) < 10)


@pytest.mark.parametrize(("positives", "message"), [
    (["n1", "n2", "n3", "nobody"], "1 of 4 ids are not in the graph: 'nobody'"),
    (np.ones(7, dtype=bool), "a mask of 7 values for 60 nodes"),
    (["n1", "n2"], "2 known positives: at least 4"),
])
def test_positives_that_cannot_be_used(graph, tmp_path, positives, message):
    partition_graph(graph, 1, tmp_path / "parts")
    with pytest.raises(DataError, match=message):
        hl.Naive(epochs=1).fit(read_part(tmp_path / "parts"), positives)
