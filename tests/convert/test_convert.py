"""Every way in gives the same graph, and each id keeps its own features."""

import random
import warnings

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from halflabel.convert import as_graph
from halflabel.convert.read import read_graph
from halflabel.errors import DataError
from halflabel.graph import Graph

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # torch_geometric uses a deprecated part of torch while being imported
    from torch_geometric.data import Data, HeteroData

SOURCE, TARGET = [0, 1, 2, 2], [1, 2, 0, 3]
X = np.arange(8, dtype=np.float32).reshape(4, 2)
EDGES = {"source": SOURCE, "target": TARGET}
NODES = {"id": [0, 1, 2, 3], "f": X[:, 0], "g": X[:, 1]}


def from_networkx():
    graph = nx.DiGraph()
    graph.add_nodes_from((i, {"f": float(X[i, 0]), "g": float(X[i, 1])}) for i in range(4))
    graph.add_edges_from(zip(SOURCE, TARGET, strict=True))
    return graph


WAYS = {
    "adjacency": (sparse.coo_matrix((np.ones(4), (SOURCE, TARGET)), shape=(4, 4)), X),
    "edge_index": (np.array([SOURCE, TARGET]), X),
    "tensors": (torch.tensor([SOURCE, TARGET]), torch.tensor(X, requires_grad=True)),
    "sparse X": (np.array([SOURCE, TARGET]), sparse.csr_matrix(X)),
    "X frame": (np.array([SOURCE, TARGET]), pd.DataFrame(X, columns=["f", "g"])),
    "pyg": Data(x=torch.tensor(X), edge_index=torch.tensor([SOURCE, TARGET]), y=torch.zeros(4)),
    "pandas": (pd.DataFrame(EDGES), pd.DataFrame(NODES)),
    "polars": (pl.DataFrame(EDGES), pl.DataFrame(NODES)),
    "arrow": (pa.table(EDGES), pa.table(NODES)),
    "networkx": from_networkx(),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_in_gives_the_same_graph(way):
    graph = as_graph(WAYS[way])
    assert graph.ids.take(np.arange(4)) == [0, 1, 2, 3]
    assert graph.indptr.tolist() == [0, 1, 2, 4, 4]
    assert graph.indices.tolist() == [1, 2, 0, 3]
    assert graph.edge_weight is None
    dense = graph.X.toarray() if sparse.issparse(graph.X) else graph.X
    assert np.array_equal(dense, X)
    assert graph.X.dtype == np.float32
    assert graph.notes == ()


def test_a_graph_is_returned_as_it_is():
    graph = Graph.from_edges([0], [1], np.eye(2))
    assert as_graph(graph) is graph


IDS = st.one_of(
    st.lists(kind, unique=True, min_size=2, max_size=12)
    for kind in (
        st.integers(-(2**62), 2**62).map(str),
        st.integers(2**63, 2**70).map(str),
        st.from_regex(r"[A-Za-z0-9_+.\-]{1,8}", fullmatch=True),
    )
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(IDS, st.integers(0, 1000))
def test_each_id_keeps_its_own_features_whatever_the_order(tmp_path, ids, seed):
    rng = random.Random(seed)
    feature = {name: i + 1 for i, name in enumerate(ids)}
    edges = [(rng.choice(ids), rng.choice(ids)) for _ in range(15)]
    (tmp_path / "edges.csv").write_text("s,t\n" + "".join(f"{s},{t}\n" for s, t in edges))
    shuffled = rng.sample(ids, len(ids))
    (tmp_path / "nodes.csv").write_text("id,f\n" + "".join(f"{name},{feature[name]}\n" for name in shuffled))
    graph = read_graph(tmp_path / "edges.csv", tmp_path / "nodes.csv")
    dense = graph.X.toarray() if sparse.issparse(graph.X) else graph.X
    names = [str(name) for name in graph.ids.take(np.arange(len(ids)))]
    assert names == shuffled
    assert dense[:, 0].tolist() == [feature[name] for name in names]
    got = {(names[i], names[j]) for i, j in zip(*graph.adjacency.nonzero(), strict=True)}
    assert got == {(s, t) for s, t in edges if s != t}


@pytest.fixture
def files(tmp_path):
    def files(edges, nodes=None):
        (tmp_path / "edges.csv").write_text(edges)
        if nodes is None:
            return tmp_path / "edges.csv", None
        (tmp_path / "nodes.csv").write_text(nodes)
        return tmp_path / "edges.csv", tmp_path / "nodes.csv"

    return files


def test_ids_become_integers_only_together(files):
    assert read_graph(*files("s,t\n1,2\n", "id,x\n2,0\n1,5\n")).ids[0] == 2
    graph = read_graph(*files("s,t\n1,2\n1,007\n", "id,x\n2,0\n1,5\n007,1\n"))
    assert graph.ids.values.to_pylist() == ["2", "1", "007"]
    with pytest.raises(DataError, match="target '02' is not in"):
        read_graph(*files("s,t\n1,02\n", "id,x\n2,0\n1,5\n"))


def test_text_edges_find_typed_nodes(files, tmp_path):
    edges, _ = files("s,t\n7,8\n")
    pyarrow.parquet.write_table(pa.table({"id": [8, 7], "x": [0.5, 1.5]}), tmp_path / "nodes.parquet")
    graph = as_graph(edges, tmp_path / "nodes.parquet")
    assert graph.adjacency.toarray().tolist() == [[0, 0], [1, 0]]


def test_without_nodes_the_structure_stands_in(files):
    graph = as_graph(files("source,target,kind\nb,a,x\na,c,y\n")[0])
    assert graph.lacks_features
    assert graph.ids.values.to_pylist() == ["b", "a", "c"]
    assert graph.notes == (
        "edges.csv: columns not used: kind",
        "no node features: used degree, clustering, core number and a spectral embedding instead",
    )
    only_ids = read_graph(*files("s,t\nb,a\n", "id\na\nb\nlonely\n"))
    assert only_ids.n_nodes == 3
    assert only_ids.names()[0] == "log out-degree"


def test_an_answer_never_becomes_a_feature_by_accident(files):
    paths = files("s,t\na,b\n", "id,age,label\na,1,1\nb,2,0\n")
    graph = read_graph(*paths)
    assert graph.feature_names == ("age",)
    assert "left out column 'label'" in graph.notes[0]
    assert read_graph(*paths, ignore=["label"]).notes == ()
    assert read_graph(*paths, features=["label"]).feature_names == ("label",)
    assert as_graph(from_networkx(), ignore=["g"]).feature_names == ("f",)


def test_weights_and_directions(files):
    paths = files("s,t,weight\na,b,2\nb,c,0\nc,a,0.5\n")
    graph = read_graph(paths[0])
    assert graph.edge_weight.tolist() == [2.0, 0.5]
    assert graph.notes[0] == "dropped 1 edge of weight zero"
    both = read_graph(paths[0], directed=False)
    assert both.adjacency.toarray().tolist() == [[0, 2, 0.5], [2, 0, 0], [0.5, 0, 0]]
    data = Data(x=torch.eye(2), edge_index=torch.tensor([[0], [1]]), edge_attr=torch.tensor([[3.0]]))
    assert as_graph(data).edge_weight.tolist() == [3.0]
    data.edge_attr = torch.ones(1, 2)
    assert as_graph(data).notes == ("edge_attr of shape (1, 2) is not used: a weight is one number an edge",)


def test_unknown_ends(files):
    edges = "s,t\n" + "a,b\n" * 1202 + "a,A-77\n" * 13
    paths = files(edges, "id,x\na,1\nb,2\n")
    with pytest.raises(DataError) as error:
        read_graph(*paths)
    assert str(error.value) == (
        "edges.csv row 1,204: target 'A-77' is not in nodes.csv (2 ids). 13 such edges. "
        'Add the nodes, or pass unknown_nodes="drop".'
    )
    graph = read_graph(*paths, unknown_nodes="drop")
    assert graph.n_edges == 1
    assert "dropped 13 edges with an end that is not in nodes.csv" in graph.notes
    with pytest.raises(DataError, match="none of the 1 edges joins two nodes of nodes"):
        read_graph(*files("s,t\nx,y\n", "id,x\na,1\n"), unknown_nodes="drop")


@pytest.mark.parametrize(("edges", "nodes", "options", "message"), [
    ("s,t,weight\na,b,1\nb,a,-1\n", None, {}, "edges.csv row 3: weight -1.0. Weights must be finite"),
    ("s,t,weight\na,b,1\nb,a,inf\n", None, {}, "edges.csv row 3: weight inf"),
    ("s,t,weight\na,b,1\nb,a,\n", None, {}, "edges.csv row 3: weight is missing"),
    ("s,t,weight\na,x,1\nb,a,-1\n", "id,f\na,1\nb,2\n", {"unknown_nodes": "drop"}, "row 3: weight -1"),
    ("s,t\na,b\n,a\n", None, {}, "edges.csv row 3: source is empty. 1 such edge"),
    ("s,t\na,b\n", "id,f\na,1\na,2\n", {}, "nodes.csv, column 'id': node ids must be unique; repeated: 'a'"),
    ("s,t\na,b\n", "id,f\na,1\n,2\n", {}, "nodes.csv, column 'id': 1 of 2 node ids are empty"),
    ("s,t\na,b\n", "id,f\na,1\nb,\n", {}, r"nodes.csv: missing values in 'f' \(1\)"),
    ("s,t\na,b\n", "id,f\na,1\nb,inf\n", {}, "nodes.csv row 3: column 'f' is infinite"),
    ("s,t\na,b\n", None, {"source": "x"}, "edges.csv: no column 'x'"),
    ("s,t\na,b\n", "id,f\na,1\nb,2\n", {"ignore": ["ff"]}, "nodes.csv: no column 'ff'. Did you mean 'f'"),
    ("s,t\na,b\n", None, {"unknown_nodes": "keep"}, "unknown_nodes='keep': expected"),
])
def test_bad_tables_are_named(files, edges, nodes, options, message):
    with pytest.raises(DataError, match=message):
        read_graph(*files(edges, nodes), **options)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_networkx_of_every_kind(kind):
    graph = kind()
    graph.add_edge((0, 1), "b", weight=2)
    graph.add_edge((0, 1), "b")
    graph.add_edge("b", 7, weight=3)
    got = as_graph(graph)
    matrix = nx.to_numpy_array(graph)
    assert got.ids.take(np.arange(3)) == list(graph.nodes)
    assert got.adjacency.toarray().tolist() == matrix.tolist()


def test_networkx_attributes_and_matrix():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: "red", 1: "blue", 2: "red"}, "colour")
    nx.set_node_attributes(graph, {i: np.array([i, 1.0]) for i in graph}, "e")
    assert as_graph(graph).feature_names == ("colour=blue", "colour=red", "e[0]", "e[1]")
    assert np.array_equal(as_graph(graph, np.eye(3)).X, np.eye(3))
    del graph.nodes[1]["colour"]
    with pytest.raises(DataError, match=r"node attributes: missing values in 'colour' \(1\)"):
        as_graph(graph)
    graph.nodes[1]["colour"] = 5
    with pytest.raises(DataError, match="node attribute 'colour' has values of different types"):
        as_graph(graph)
    graph.edges[0, 1]["weight"] = "heavy"
    with pytest.raises(DataError, match=r"edge \(0, 1\): weight 'heavy' is not a number"):
        as_graph(graph, np.eye(3))


def test_names_for_matrices_and_graphs_without_features():
    graph = as_graph(np.array([[0], [2]]), ids=["a", "b", "c", "d"])
    assert graph.n_nodes == 4
    assert as_graph(np.array([[0], [2]])).n_nodes == 3
    assert as_graph(Data(edge_index=torch.tensor([[0], [1]]), num_nodes=5)).n_nodes == 5
    assert as_graph(sparse.eye_array(2), np.eye(2), feature_names=["p", "q"]).feature_names == ("p", "q")


@pytest.mark.parametrize(("obj", "options", "message"), [
    (7, {}, "Cannot make a graph of int.\nAccepted are:\n  a Graph;"),
    (np.eye(3), {}, r"Cannot make a graph of an array of shape \(3, 3\) and type float64"),
    (HeteroData(), {}, "Cannot make a graph of HeteroData"),
    (sparse.csr_array((2, 3)), {}, r"An adjacency matrix is square; got shape \(2, 3\)"),
    (sparse.csr_array([[0, -1], [0, 0]]), {"X": X[:2]}, r"edge 0: weight -1.0"),
    (sparse.csr_array((3, 3)), {"X": X}, "X has 4 rows for a graph of 3 nodes"),
    (np.array([[0], [9]]), {"X": X}, r"target 9 is outside 0 \.\. 3"),
    (np.array([[0], [1]]), {"X": X[:, 0]}, r"X must be a matrix of numbers.*got shape \(4,\), type float32"),
    (np.array([[0], [1]]), {"X": np.array([["a"], ["b"]])}, "type <U1"),
    (np.array([[0], [1]]), {"X": np.array([[1.0], [np.nan]])}, "1 values that are missing .* first in row 1"),
    (np.array([[0], [1]]), {"X": X, "features": ["f"]}, "features has no meaning for a graph without named"),
    (pd.DataFrame(EDGES), {"ids": [1]}, "ids has no meaning for a graph which has ids of its own"),
    (Graph.from_edges([0], [1], np.eye(2)), {"X": X}, "X has no meaning for a graph which has features"),
    (nx.Graph(), {}, "The graph has no nodes"),
])
def test_what_is_not_a_graph_is_told_what_is(obj, options, message):
    with pytest.raises(DataError, match=message):
        as_graph(obj, **options)


def test_inputs_are_not_changed():
    edges, nodes = pd.DataFrame(EDGES), pd.DataFrame(NODES)
    before = edges.copy(), nodes.copy()
    as_graph(edges, nodes, directed=False)
    pd.testing.assert_frame_equal(edges, before[0])
    pd.testing.assert_frame_equal(nodes, before[1])
