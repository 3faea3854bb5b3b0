"""append: new nodes join the fitted graph, encoded as its own were."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.convert.structure import structural_features
from halflabel.convert.structure_more import structure_of_new

EDGES = pa.table({"source": ["a", "b", "c"], "target": ["b", "c", "d"]})
NODES = pa.table({"id": ["a", "b", "c", "d"], "age": [30.0, 40.0, 50.0, 60.0],
                  "city": ["Bonn", "Ulm", "Ulm", "Bonn"], "label": [1, 0, 0, 0]})
GRAPH = hl.read_graph(EDGES, NODES)


def new_nodes(**columns):
    rows = {"id": ["x", "y"], "age": [20.0, 70.0], "city": ["Ulm", "Bonn"]} | columns
    return pa.table({name: values for name, values in rows.items() if values is not None})


def edges(*pairs, **more):
    return pa.table({"source": [s for s, _ in pairs], "target": [t for _, t in pairs], **more})


def write(path, table):
    pa.csv.write_csv(table, path)
    return path


def features(graph):
    X = graph.X if isinstance(graph.X, np.ndarray) else graph.X.toarray()
    return dict(zip(graph.ids.take(graph.nodes), X[graph.nodes].tolist(), strict=True))


def linked(graph):
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    return set(zip(graph.ids.take(rows), graph.ids.take(graph.indices), strict=True))


def test_new_nodes_are_in_focus_and_old_ones_as_they_were():
    grown = hl.append(GRAPH, edges(("x", "a"), ("y", "x")), new_nodes())
    assert grown.names() == GRAPH.names() == ("age", "city=Bonn", "city=Ulm")
    assert features(grown) == {"x": [20.0, 0.0, 1.0], "y": [70.0, 1.0, 0.0]}
    np.testing.assert_array_equal(grown.X[:4], GRAPH.X)
    assert linked(grown) == linked(GRAPH) | {("x", "a"), ("y", "x")}
    assert grown.notes == GRAPH.notes
    assert GRAPH.n_nodes == 4


def test_appending_at_once_or_one_by_one_is_the_same():
    links = edges(("x", "a"), ("y", "b"))
    at_once = hl.append(GRAPH, links, new_nodes())
    step = hl.append(GRAPH, links.slice(0, 1), new_nodes().slice(0, 1))
    then = hl.append(step, links.slice(1), new_nodes().slice(1))
    np.testing.assert_array_equal(at_once.X, then.X)
    np.testing.assert_array_equal(at_once.indices, then.indices)


def test_categories_of_then_are_used():
    """Köln comes before Ulm: a table encoded by itself would have other columns."""
    grown = hl.append(GRAPH, edges(("x", "a")), new_nodes(city=["Köln", "Ulm"]))
    assert features(grown) == {"x": [20.0, 0.0, 0.0], "y": [70.0, 0.0, 1.0]}
    assert grown.notes[-1].endswith("1 row with a value never seen before, which counts as none: 'Köln'")


def test_text_that_looks_like_numbers_stays_text(tmp_path):
    codes = NODES.set_column(2, "city", pa.array(["1A", "2", "2", "1A"]))
    graph = hl.read_graph(write(tmp_path / "edges.csv", EDGES), write(tmp_path / "nodes.csv", codes))
    nodes = write(tmp_path / "new.csv", new_nodes(city=["2", "2"]))
    grown = hl.append(graph, write(tmp_path / "new_edges.csv", edges(("x", "a"))), nodes)
    assert features(grown)["x"] == [20.0, 0.0, 1.0]


@pytest.mark.parametrize(("columns", "message"), [
    ({"age": None, "agee": [1.0, 2.0]}, r"nodes: no column 'age'\. Did you mean 'agee'\?.*was fitted"),
    ({"age": ["old", "young"]}, r"column 'age' must hold numbers; row 0 has 'old'"),
    ({"age": [None, 1.0]}, r"missing values in 'age' \(1\), of 2 rows"),
    ({"city": ["Ulm", ""]}, r"missing values in 'city' \(1\)"),
    ({"age": [np.inf, 1.0]}, r"row 0: column 'age' is infinite"),
    ({"id": ["x", "x"]}, r"repeated: 'x'"),
    ({"id": ["a", "b"], "age": [30.0, 40.0], "city": ["Bonn", "Ulm"]}, r"all 2 nodes are in the graph"),
    ({"id": ["a", "x"]}, r"1 node of the fitted graph with other features than then: 'a'; of the first, "
                         r"'age' is 20, not 30"),
])
def test_tables_that_do_not_fit_are_refused(columns, message):
    with pytest.raises(hl.DataError, match=message):
        hl.append(GRAPH, edges(("x", "a")), new_nodes(**columns))


def test_old_rows_that_say_the_same_are_left_out():
    grown = hl.append(GRAPH, edges(("x", "a"), ("a", "b"), ("d", "a")),
                      new_nodes(id=["a", "x"], age=[30.0, 20.0], city=["Bonn", "Ulm"]))
    assert features(grown) == {"x": [20.0, 0.0, 1.0]}
    assert grown.notes[-3:] == (
        "nodes: left out 1 row of nodes that were fitted", "1 of the edges was there already",
        "1 of the edges was between nodes that were fitted")


def test_columns_that_were_left_out_then_pass_in_silence_and_others_are_named():
    nodes = new_nodes(label=[0, 1], shoe=[40, 41])
    assert hl.append(GRAPH, edges(("x", "a")), nodes).notes[len(GRAPH.notes) :] == (
        "nodes: columns never seen before are not used: 'shoe'",)


def test_gaps_are_filled_as_they_were():
    gappy = NODES.set_column(1, "age", pa.array([30.0, None, 50.0, 70.0]))
    graph = hl.read_graph(EDGES, gappy, missing="mean")
    grown = hl.append(graph, edges(("x", "a")), new_nodes(age=[None, 1.0]))
    assert [row[:2] for row in features(grown).values()] == [[50.0, 1.0], [1.0, 0.0]]


def test_gaps_where_there_were_none_take_the_mean_if_asked():
    grown = hl.append(GRAPH, edges(("x", "a")), new_nodes(age=[None, 1.0]), missing="mean")
    assert [row[0] for row in features(grown).values()] == [45.0, 1.0]
    assert "1 missing" in grown.notes[-1]


def test_dates_truth_values_and_lists_are_encoded_as_then(tmp_path):
    kinds = pa.table({
        "id": ["a", "b", "c", "d"], "since": pa.array([0, 1, 2, 3], pa.timestamp("s")),
        "paid": [True, False, True, True], "place": [[1.0, 2.0]] * 3 + [[0.0, 1.0]]})
    graph = hl.read_graph(EDGES, kinds)
    new = pa.table({"id": ["x"], "since": pa.array([9], pa.timestamp("s")), "paid": [True],
                    "place": [[3.0, 4.0]]})
    assert features(hl.append(graph, edges(("x", "a")), new)) == {"x": [9.0, 1.0, 3.0, 4.0]}
    with pytest.raises(hl.DataError, match="lists of 1 numbers; the model was fitted with 2"):
        hl.append(graph, edges(("x", "a")), new.set_column(3, "place", pa.array([[3.0]])))
    with pytest.raises(hl.DataError, match=r"column 'since' held dates .*; its type is int64"):
        hl.append(graph, edges(("x", "a")), new.set_column(1, "since", pa.array([9])))
    dated = kinds.drop(["place"])
    graph = hl.read_graph(write(tmp_path / "e.csv", EDGES), write(tmp_path / "n.csv", dated))
    place = write(tmp_path / "new.csv", new.drop(["place"]))
    assert features(hl.append(graph, edges(("x", "a")), place)) == {"x": [9.0, 1.0]}


@pytest.mark.parametrize(("old", "new", "expected"), [
    ([1, 2, 3, 4], [7, 8], [7, 8]), ([1, 2, 3, 4], ["x", "8"], ["x", "8"]),
    (["1", "b", "c", "d"], [7, 8], ["7", "8"]),
])
def test_ids_of_any_type_meet(old, new, expected):
    nodes = NODES.set_column(0, "id", pa.array(old))
    graph = hl.read_graph(pa.table({"source": old[:2], "target": old[1:3]}), nodes)
    links = pa.table({"source": pa.array(new), "target": pa.array([str(v) for v in old[:2]])})
    grown = hl.append(graph, links, new_nodes(id=new))
    assert grown.ids.take(grown.nodes) == expected
    assert grown.n_edges == graph.n_edges + 2


def test_edges_to_strangers_are_refused_or_dropped():
    links = edges(("x", "a"), ("x", "nobody"))
    with pytest.raises(hl.DataError, match=r"edges row 1: target 'nobody' is not in nodes or the fitted"):
        hl.append(GRAPH, links, new_nodes())
    grown = hl.append(GRAPH, links, new_nodes(), unknown_nodes="drop")
    assert grown.n_edges == 4
    assert "dropped 1 edge" in grown.notes[-1]
    with pytest.raises(hl.DataError, match="unknown_nodes='maybe'"):
        hl.append(GRAPH, links, new_nodes(), unknown_nodes="maybe")


def test_the_reverse_of_edges_is_added_as_in_the_graph():
    both = hl.read_graph(EDGES, NODES, directed=False)
    assert linked(hl.append(both, edges(("x", "a")), new_nodes())) - linked(both) == {("x", "a"), ("a", "x")}
    assert linked(hl.append(both, edges(("x", "a")), new_nodes(), directed=True)) - linked(both) == {
        ("x", "a")}
    assert len(linked(hl.append(GRAPH, edges(("x", "a")), new_nodes(), directed=False))) == 5


def test_weights_come_if_the_graph_has_them():
    weighted = hl.read_graph(EDGES.append_column("weight", pa.array([1.0, 2.0, 3.0])), NODES)
    with pytest.raises(hl.DataError, match="edges: no column of weights"):
        hl.append(weighted, edges(("x", "a")), new_nodes())
    grown = hl.append(weighted, edges(("x", "a"), ("a", "b"), w=[9.0, 5.0]), new_nodes(), weight="w")
    assert sorted(grown.edge_weight.tolist()) == [1.0, 2.0, 3.0, 9.0]  # that from a to b stays 1
    plain = hl.append(GRAPH, edges(("x", "a"), weight=[9.0]), new_nodes())
    assert plain.edge_weight is None
    assert plain.notes[-1] == "edges: columns not used: weight"
    with pytest.raises(hl.DataError, match="edges of the fitted graph have none"):
        hl.append(GRAPH, edges(("x", "a"), weight=[9.0]), new_nodes(), weight="weight")


def test_a_graph_of_matrices_takes_columns_by_name():
    graph = hl.as_graph(np.array([[0, 1], [1, 2]]), sparse.csr_array(np.eye(3)))
    grown = hl.append(graph, pa.table({"source": [3], "target": [0]}),
                      pa.table({"id": [3], "x1": [5.0], "x0": [4.0], "x2": [0.0]}))
    assert features(grown) == {3: [4.0, 5.0, 0.0]}
    assert sparse.issparse(grown.X)


def test_the_encoding_is_stored_with_the_graph(tmp_path):
    hl.save_graph(GRAPH, tmp_path / "graph")
    links = edges(("x", "a"))
    stored = hl.append(hl.load_graph(tmp_path / "graph"), links, new_nodes(city=["Köln", "Ulm"]))
    np.testing.assert_array_equal(stored.X, hl.append(GRAPH, links, new_nodes(city=["Köln", "Ulm"])).X)


def test_another_graph_is_read_like_the_first():
    other = hl.read_graph(edges(("x", "y")), new_nodes(city=["Köln", "Ulm"]), like=GRAPH)
    assert features(other) == {"x": [20.0, 0.0, 0.0], "y": [70.0, 0.0, 1.0]}
    with pytest.raises(hl.DataError, match="needs a table of nodes"):
        hl.read_graph(edges(("x", "y")), like=GRAPH)
    with pytest.raises(hl.DataError, match="decides which columns"):
        hl.read_graph(edges(("x", "y")), new_nodes(), like=GRAPH, ignore=["age"])


@pytest.fixture(scope="module")
def bare():
    graph, y = hl.synthetic(300, degree=6, prior=0.3)
    rows = np.repeat(np.arange(300), np.diff(graph.indptr))
    return hl.read_graph(pa.table({"source": rows, "target": graph.indices})), y


def test_structure_of_a_copy_is_nearly_that_of_the_original(bare):
    """A new node with the neighbours of an old one lies where that one lies."""
    graph, _ = bare
    neighbours = graph.indices[graph.indptr[5] : graph.indptr[6]]
    ids = graph.ids.take(neighbours)
    grown = hl.append(graph, pa.table({"source": [1000] * len(ids), "target": ids}))
    assert grown.ids.take(grown.nodes) == [1000]
    old, new = graph.X[5], grown.X[-1]
    spectral = [i for i, name in enumerate(graph.names()) if name.startswith("spectral")]
    assert np.corrcoef(old[spectral], new[spectral])[0, 1] > 0.95
    np.testing.assert_allclose(new[:3], old[:3], atol=1e-6)
    np.testing.assert_array_equal(grown.X[:-1], graph.X)


def test_a_model_of_structure_scores_appended_nodes_and_refuses_another_graph(bare, tmp_path):
    graph, y = bare
    labels = y[np.asarray(graph.ids.values)]
    model = hl.Naive(epochs=3).fit(graph, hl.hide_positives(labels, positive_class=1))
    model.save(tmp_path / "model")
    grown = hl.append(graph, pa.table({"source": [1000, 1000, 1000], "target": [0, 1, 2]}))
    other = hl.read_graph(pa.table({"source": [1, 2, 3, 4], "target": [2, 3, 4, 5]}))
    for asked in (model, hl.load(tmp_path / "model")):
        assert asked.predict_proba(grown).shape == (1, 2)
        with pytest.raises(hl.DataError, match=r"structure stood in for them.*Append"):
            asked.predict_proba(other)
    with pytest.raises(hl.DataError, match="Append new nodes to the graph"):
        hl.read_graph(pa.table({"source": [1], "target": [2]}), pa.table({"id": [1, 2]}), like=graph)


def test_structure_is_extended_by_the_eigenvector_equation(bare):
    graph, _ = bare
    X, names = structural_features(graph.adjacency)
    grown = hl.append(graph, pa.table({"source": [1000, 1000], "target": [0, 1]}))
    assert structure_of_new(graph, grown).shape == (1, len(names))
    assert np.abs(structure_of_new(graph, grown)[0, -16:]).max() < 3 * np.abs(X[:, -16:]).max()


def test_a_graph_with_features_needs_a_table_of_new_nodes():
    with pytest.raises(hl.DataError, match="need them too"):
        hl.append(GRAPH, edges(("x", "a")))
