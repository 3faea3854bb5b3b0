"""The ways out: every number in its place, in the order of whoever asks, and nothing of theirs changed."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch
from scipy import sparse
from torch_geometric.data import Data
from torch_geometric.utils import subgraph

import halflabel as hl
from halflabel.errors import DataError
from halflabel.run.ranking import COLUMNS, score_table
from halflabel.run.store import write_run

KNOWN = np.arange(60) % 4 == 0


@pytest.fixture(scope="module")
def data():
    """Sixty nodes; edges in no order, some given twice or both ways, with self-loops and weights of zero."""
    rng = np.random.default_rng(0)
    ends = rng.integers(60, size=(150, 2))
    ends = np.concatenate([ends, ends[:10], ends[10:20, ::-1], np.full((2, 2), 7)])
    weight = rng.uniform(0.5, 2.0, len(ends))
    weight[[40, 41]] = 0.0
    x = rng.normal(size=(60, 3)) + KNOWN[:, None]
    return Data(x=torch.tensor(x, dtype=torch.float32), edge_index=torch.tensor(ends.T),
                edge_weight=torch.tensor(weight), y=torch.arange(60))


@pytest.fixture(scope="module")
def model(data):
    return hl.GPL(warmup=10, epochs=10, folds=2).fit(data, KNOWN)


def learned(model):
    """Trust by pair of positions."""
    frame = hl.to_edge_frame(model)
    return {frozenset(ends): trust for *ends, trust in frame[["source", "target", "trust"]].values.tolist()}


def test_data_comes_back_with_answers_in_its_own_order(data, model):
    before = data.clone()
    out = hl.to_data(model, data)
    np.testing.assert_allclose(out.pu_score, model.scores_, rtol=1e-6)
    np.testing.assert_allclose(out.pu_probability, model.predict_proba()[:, 1], rtol=1e-5)
    assert out.known_positive.tolist() == KNOWN.tolist()
    assert out.pu_flagged.tolist() == ((model.predict() == 1) & ~KNOWN).tolist()
    assert torch.equal(out.edge_index, before.edge_index)
    assert torch.equal(out.y, before.y)
    assert data.to_dict().keys() == before.to_dict().keys()
    assert all(torch.equal(data[name], before[name]) for name in before.to_dict())


def test_each_edge_of_the_data_gets_what_was_learned_about_its_ends(data, model):
    trust, by_pair = hl.to_data(model, data).edge_trust, learned(model)
    assert len(trust) == data.num_edges
    assert trust.std() > 0.01
    for (s, t), weight, value in zip(data.edge_index.T.tolist(), data.edge_weight, trust, strict=True):
        expected = 1.0 if s == t else 0.0 if weight == 0 else by_pair[frozenset((s, t))]
        assert value == pytest.approx(expected, rel=1e-6)


def test_trust_is_an_attribute_of_edges_even_with_as_many_nodes(model):
    ring = torch.arange(40)
    square = Data(x=torch.randn(40, 2), edge_index=torch.stack([ring, ring.roll(1)]))
    out = hl.to_data(hl.Naive(epochs=2, folds=2).fit(square, ring < 8), square)
    assert out.is_edge_attr("edge_trust")
    assert all(out.is_node_attr(name) for name in ("pu_score", "pu_flagged", "known_positive"))
    part, attributes = subgraph(ring[:5], out.edge_index, out.edge_trust)
    assert part.shape[1] == len(attributes)


@pytest.mark.parametrize(("change", "message"), [
    ({"edge_index": torch.tensor([[0], [1]]), "edge_weight": None}, "other edges"),
    ({"x": torch.zeros(60, 3)}, "other features x"),
    ({"x": None, "num_nodes": 61}, "61 nodes, and the model was fitted on 60"),
])
def test_another_data_is_refused(data, model, change, message):
    with pytest.raises(DataError, match=message):
        hl.to_data(model, Data(**data.to_dict() | change))


def test_a_new_data_has_the_graph_and_its_ids(data, model):
    names = [f"n{i}" for i in range(60)]
    graph = replace(hl.as_graph(data), ids=hl.as_graph(data.edge_index, data.x, ids=names).ids)
    for obj in (graph, hl.Naive(epochs=2, folds=2).fit(graph, KNOWN)):
        out = hl.to_data(obj)
        assert out.node_id == names
        assert out.edge_weight is not None
        again = hl.as_graph(out)
        assert np.array_equal(again.indices, graph.indices)
        assert np.array_equal(again.X, graph.X)
        np.testing.assert_allclose(again.edge_weight, graph.edge_weight)
    assert out.edge_trust.shape == (graph.n_edges,)
    out.x.zero_()
    assert graph.X.any()


def test_sparse_features_become_dense(model):
    graph = hl.as_graph((sparse.eye_array(6).tocsr()[[1, 2, 3, 4, 5, 0]], sparse.eye_array(6).tocsr()))
    assert torch.equal(hl.to_data(graph).x, torch.eye(6))


def test_a_graph_has_nothing_to_add(data):
    with pytest.raises(DataError, match="a Graph has nothing to add"):
        hl.to_data(hl.as_graph(data), data)


def test_networkx_has_original_ids_and_everything_on_them(model):
    grid = nx.grid_2d_graph(6, 6)
    known = [node for node in grid if sum(node) < 4]
    fitted = hl.GPL(warmup=5, epochs=3, folds=2).fit(grid, known)
    out = hl.to_networkx(fitted)
    assert set(out) == set(grid)
    assert {node for node, is_known in out.nodes(data="known_positive") if is_known} == set(known)
    assert all(out.nodes[node]["rank"] is None for node in known)
    first = max(set(grid) - set(known), key=lambda node: out.nodes[node]["score"])
    assert out.nodes[first]["rank"] == 1
    assert {frozenset(edge) for edge in out.edges} == {frozenset(edge) for edge in grid.edges}
    assert all(0 <= trust <= 1 for _, _, trust in out.edges(data="trust"))
    assert "weight" in next(iter(hl.to_networkx(model).edges(data=True)))[2]


def test_a_plain_graph_becomes_a_plain_network(data):
    graph = hl.as_graph(data)
    out = hl.to_networkx(graph)
    assert (len(out), out.number_of_edges()) == (60, graph.n_edges)
    assert out.nodes[0] == {}
    assert set(next(iter(out.edges(data=True)))[2]) == {"weight"}


def test_the_frame_is_the_table_of_a_run(data, model):
    frame, table = hl.to_frame(model), score_table(hl.as_graph(data), model, KNOWN).to_pandas()
    assert frame.columns.tolist() == list(COLUMNS)
    assert frame["id"].tolist() == table["id"].tolist()
    assert frame["rank"].isna().sum() == KNOWN.sum()
    assert frame["rank"].dropna().tolist() == list(range(1, 46))
    for name in ("score", "probability", "known_positive", "flagged"):
        assert frame[name].tolist() == table[name].tolist()


def test_a_model_of_a_run_knows_its_graph_and_a_lone_one_does_not(data, model, tmp_path):
    write_run(tmp_path / "run", hl.as_graph(data), model, KNOWN, seconds=1.0, inputs={})
    opened = hl.open_run(tmp_path / "run").model
    assert hl.to_frame(opened).equals(hl.to_frame(model))
    assert torch.equal(hl.to_data(opened, data).edge_trust, hl.to_data(model, data).edge_trust)
    with pytest.raises(DataError, match=r"does not know its graph.*open_run"):
        hl.to_frame(hl.load(tmp_path / "run" / "model"))


def test_a_part_in_focus_is_fitted_and_all_nodes_are_answered(data):
    graph, some = hl.as_graph(data), np.arange(60) < 50
    model = hl.Naive(epochs=3, folds=2).fit(graph[some], KNOWN[some])
    frame = hl.to_frame(model)
    assert len(frame) == 60
    assert set(frame[frame["known_positive"]]["id"]) == set(np.flatnonzero(KNOWN & some))


def test_methods_without_learned_edges_trust_all_alike(data):
    model = hl.LabelProp().fit(data, KNOWN)
    trust = hl.to_data(model, data).edge_trust
    assert trust[data.edge_weight > 0].tolist() == [1.0] * int((data.edge_weight > 0).sum())


def test_rows_of_any_class(data):
    y = np.where(KNOWN, "yes", "no")
    model = hl.Naive(epochs=30, folds=2).fit(data.x.numpy(), y)
    assert hl.to_frame(model)["flagged"].sum() == (model.predict()[~KNOWN] == "yes").sum()


def test_only_a_fitted_method_has_answers():
    with pytest.raises(DataError, match=r"Expected a fitted method, such as GPL\(\); got dict"):
        hl.to_frame({})
