"""Datasets by name."""

from __future__ import annotations

import pytest

from halflabel.datasets import data_directory, list_datasets, load_dataset
from halflabel.errors import DataError


def test_every_name_is_listed_once(tmp_path):
    rows = list_datasets(data_dir=tmp_path)
    names = "cora pubmed citeseer wikics cornell chameleon squirrel actor wisconsin texas payments"
    assert [row.name for row in rows] == names.split()
    assert [row.name for row in rows if row.available] == ["payments"]
    assert rows[0].path == tmp_path / "Planetoid/Cora/raw"
    assert round(rows[3].prior, 4) == 0.1293


def test_payments_row_is_true():
    row = list_datasets()[-1]
    graph, _ = load_dataset("payments")
    assert (row.nodes, row.edges, row.features) == (graph.n_nodes, graph.n_edges, graph.X.shape[1])


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(DataError, match=r"no dataset 'Cora'\. Did you mean 'cora'\?"):
        load_dataset("Cora")


def test_data_directory_prefers_argument_then_variable_then_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HALFLABEL_DATA", raising=False)
    assert data_directory() == tmp_path / "cache/halflabel"
    monkeypatch.setenv("HALFLABEL_DATA", str(tmp_path / "variable"))
    assert data_directory() == tmp_path / "variable"
    assert data_directory(tmp_path) == tmp_path


def test_symmetric_payments_keep_their_weights():
    graph, _ = load_dataset("payments", symmetric=True)
    assert (graph.adjacency != graph.adjacency.T).nnz == 0
    assert graph.edge_weight is not None
    assert len(graph.edge_weight) == graph.n_edges
