"""The estimate knows every method, and grows with all that costs memory."""

import numpy as np
import pytest
from scipy import sparse

import halflabel as hl
from halflabel.memory import estimated_peak
from halflabel.memory.footprint import _known, shape_of

GRAPH, _ = hl.synthetic(5000, degree=10, features=8)


@pytest.mark.parametrize("name", hl.methods())
def test_every_method_is_known(name):
    assert name in _known()
    assert estimated_peak(hl.methods()[name](), GRAPH) > 2**20


@pytest.mark.parametrize("backbone", ["mlp", "hops", "gat", "arma", "appnp", "lsdan", "gcn_head"])
def test_every_backbone_is_known(backbone):
    assert f"naive+{backbone}" in _known()
    assert estimated_peak(hl.TED(backbone=backbone), GRAPH) > 2**20


@pytest.mark.parametrize("larger", [
    hl.synthetic(50_000, degree=10, features=8)[0], hl.synthetic(5000, degree=100, features=8)[0],
    hl.synthetic(5000, degree=10, features=800)[0]], ids=["nodes", "edges", "features"])
@pytest.mark.parametrize("model", [hl.Naive(), hl.GPL()])
def test_more_of_anything_takes_more(model, larger):
    assert estimated_peak(model, larger) > estimated_peak(model, GRAPH)


def test_attention_takes_more_than_convolution_and_a_single_network_less():
    large, _ = hl.synthetic(200_000, degree=10, features=16)
    assert estimated_peak(hl.Naive(backbone="gat"), large) > 1.5 * estimated_peak(hl.Naive(), large)
    assert estimated_peak(hl.Naive(batch_size=1024), large) < estimated_peak(hl.Naive(), large)
    assert estimated_peak(hl.GPL(folds=1), large) < estimated_peak(hl.GPL(), large) / 2


def test_stored_edges_are_counted_both_ways():
    one_way = hl.Graph.from_edges(np.arange(999), np.arange(1, 1000), np.zeros((1000, 1)))
    assert shape_of(hl.Naive(), one_way).edges == 2 * 999
    assert shape_of(hl.Naive(), GRAPH).edges == GRAPH.n_edges  # a synthetic graph has every reverse
    assert shape_of(hl.Naive(), hl.Graph.from_edges([], [], np.zeros((5, 1)))).edges == 0


def test_bytes_of_features():
    dense, thin = np.zeros((100, 30), dtype=np.float32), sparse.eye_array(100, 30, format="csr")
    assert shape_of(hl.Naive(), hl.Graph.from_edges([0], [1], dense)).features == 12_000
    assert shape_of(hl.Naive(), hl.Graph.from_edges([0], [1], thin)).features == 30 * 8


def test_what_is_on_disk_takes_none(tmp_path):
    X = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", np.float32, (100, 30))
    assert shape_of(hl.Naive(), hl.Graph.from_edges([0], [1], X)).features == 0


@pytest.mark.parametrize(("model", "members"), [
    (hl.Naive(), 5), (hl.Naive(folds=0), 1), (hl.GPL(folds=3, draws=2), 6), (hl.LabelProp(folds=4), 4),
    (hl.Auto(), 15 * 3), (hl.Auto(folds=3), 6 * 3)])
def test_networks_side_by_side(model, members):
    assert shape_of(model, GRAPH).members == members


def test_large_graphs_have_fewer_networks():
    assert hl.GPL().members_for(10**6, 30_000_000, 9, 0) == 1
    assert hl.Naive().members_for(10**6, 30_000_000, 9, 0) == 5
    assert hl.Auto().members_for(10**6, 2_000_000, 9, 0) == 6


def test_many_features_of_few_nodes_count():
    """Measured with 75 networks on 250 nodes: 1,754 MB more than before the fit."""
    words = hl.Graph.from_edges([0], [1], sparse.eye_array(100, 30_000, format="csr"))
    model = hl.Auto()
    networks = shape_of(model, words).members
    assert networks == 15 * 2
    assert 0.8 < estimated_peak(model, words) / (1_754 * 2**20 * networks / 75) < 1.3


def test_a_method_of_the_users_counts_as_what_it_is_derived_from():
    class Mine(hl.GPL):
        pass

    assert estimated_peak(Mine(), GRAPH) == estimated_peak(hl.GPL(), GRAPH)
