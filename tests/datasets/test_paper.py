"""The ten graphs of the paper: the published counts, the known traps, and files that are not there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from halflabel.datasets import list_datasets, load_dataset
from halflabel.datasets.paper import PAPER_GRAPHS, PRE_2022_CORNELL, check_class_counts
from halflabel.datasets.raw import ensure_raw_files, read_arrays
from halflabel.errors import DataError

TRUE_PRIORS = {"cora": 0.1779, "pubmed": 0.2496, "citeseer": 0.1179, "cornell": 0.2887, "chameleon": 0.1294,
               "squirrel": 0.1113, "actor": 0.1485, "wisconsin": 0.3073, "texas": 0.3835}

# nodes, edge_index columns, self-loops, undirected pairs, features: the table of the data's README.
TABLE = {
    "cora": (2708, 10556, 0, 5278, 1433),
    "citeseer": (3327, 9104, 0, 4552, 3703),
    "pubmed": (19717, 88648, 0, 44324, 500),
    "cornell": (183, 298, 3, 277, 1703),
    "texas": (183, 325, 16, 279, 1703),
    "wisconsin": (251, 515, 16, 450, 1703),
    "chameleon": (2277, 36101, 50, 31371, 2325),
    "squirrel": (5201, 217073, 140, 198353, 2089),
    "actor": (7600, 30019, 93, 26659, 932),
}


@pytest.mark.data
@pytest.mark.parametrize("name", TRUE_PRIORS)
def test_true_prior_is_the_papers(real_graph, name):
    _, y = real_graph(name)
    positives = np.bincount(y).max()
    known = int(0.5 * positives)
    assert round((positives - known) / (len(y) - known), 4) == TRUE_PRIORS[name]


@pytest.mark.data
@pytest.mark.parametrize("name", TABLE)
def test_counts_are_the_published_ones(real_graph, name):
    nodes, columns, loops, pairs, features = TABLE[name]
    graph, y = real_graph(name)
    assert graph.shape == (nodes, features)
    assert graph.n_edges == columns - loops == PAPER_GRAPHS[name].edges
    assert sparse.triu(graph.symmetric()).nnz == pairs
    assert y.dtype == np.int64
    assert y.shape == (nodes,)


@pytest.mark.data
@pytest.mark.parametrize("name", ["cora", "texas", "pubmed"])
def test_thin_features_are_sparse_and_as_published(real_graph, name):
    graph, _ = real_graph(name)
    assert sparse.issparse(graph.X)
    assert graph.X.dtype == np.float32
    if name != "pubmed":
        assert set(np.unique(graph.X.data)) == {1.0}


@pytest.mark.data
def test_symmetric_gives_both_directions(real_graph):
    graph, _ = real_graph("texas", symmetric=True)
    assert graph.n_edges == 2 * 279
    assert (graph.adjacency != graph.adjacency.T).nnz == 0


@pytest.mark.data
def test_direction_is_kept(real_graph):
    graph, _ = real_graph("texas")
    assert (graph.adjacency != graph.adjacency.T).nnz > 0


@pytest.mark.data
def test_citeseer_has_isolated_and_absent_nodes(real_graph):
    graph, y = real_graph("citeseer")
    degree = np.diff(graph.symmetric().indptr)
    absent = np.flatnonzero(np.diff(graph.X.indptr) == 0)
    assert np.sum(degree == 0) == 48
    assert absent.tolist() == [2407, 2489, 2553, 2682, 2781, 2953, 3042, 3063, 3212, 3214, 3250, 3292, 3305,
                               3306, 3309]
    assert np.all(y[absent] == 0)
    assert "15 nodes are absent" in graph.notes[0]


@pytest.mark.data
def test_wikics(real_graph):
    graph, y = real_graph("wikics")
    assert graph.shape == (11701, 300)
    assert np.bincount(y).argmax() == 4
    assert (graph.adjacency != graph.adjacency.T).nnz > 0


@pytest.mark.data
def test_nothing_is_printed_and_torch_is_not_needed_again(real_graph):
    real_graph("cornell")
    code = ("import sys; from halflabel.datasets import load_dataset; load_dataset('cornell');"
            "assert 'torch' not in sys.modules and 'sklearn' not in sys.modules")
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def cornell_copy(real_graph, tmp_path, monkeypatch) -> Path:
    """A data directory of its own with Cornell in it, and a cache that is not the user's."""
    real_graph("cornell")
    raw = next(row.path for row in list_datasets() if row.name == "cornell")
    shutil.copytree(raw, tmp_path / "data" / PAPER_GRAPHS["cornell"].raw.folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "data"


@pytest.mark.data
def test_parsing_is_quiet_and_kept_beside_the_data(cornell_copy, capfd):
    first, _ = load_dataset("cornell", data_dir=cornell_copy)
    again, _ = load_dataset("cornell", data_dir=cornell_copy)
    assert np.array_equal(first.indices, again.indices)
    assert np.array_equal(first.X.data, again.X.data)
    assert len(list((cornell_copy / "parsed").glob("cornell-*.npz"))) == 1
    assert not (cornell_copy / "WebKB/cornell/processed").exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.data
def test_read_only_data_is_kept_in_the_users_cache(cornell_copy, tmp_path):
    # A file where the directory should be stops even the superuser, whom permissions do not.
    (cornell_copy / "parsed").write_text("")
    graph, _ = load_dataset("cornell", data_dir=cornell_copy)
    assert graph.n_nodes == 183
    assert len(list((tmp_path / "cache/halflabel/parsed").glob("cornell-*.npz"))) == 1


@pytest.mark.data
def test_damaged_raw_file_is_a_data_error(cornell_copy):
    (cornell_copy / "WebKB/cornell/raw/out1_graph_edges.txt").write_text("header\nnot an edge\n")
    with pytest.raises(DataError, match=r"cornell: the raw files in .* cannot be read .*geom-gcn"):
        load_dataset("cornell", data_dir=cornell_copy)


@pytest.mark.data
def test_changed_raw_file_is_parsed_again(cornell_copy):
    load_dataset("cornell", data_dir=cornell_copy)
    labels = cornell_copy / "WebKB/cornell/raw/out1_node_feature_label.txt"
    header, *rows = labels.read_text().splitlines()
    old = np.repeat(np.arange(5), PRE_2022_CORNELL)
    rows = [row.rpartition("\t")[0] + f"\t{label}" for row, label in zip(rows, old, strict=True)]
    labels.write_text("\n".join([header, *rows]) + "\n")
    with pytest.raises(DataError, match="before July 2022"):
        load_dataset("cornell", data_dir=cornell_copy)


def test_other_class_counts_are_refused():
    with pytest.raises(DataError, match=r"texas: .* expected 33/1/18/101/30. The files are damaged"):
        check_class_counts("texas", np.array([0, 1, 2]), Path("raw"))


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*args, **_):
        raise OSError("no network here")

    monkeypatch.setattr("socket.getaddrinfo", refuse)


@pytest.mark.parametrize("name", ["wikics", "actor", "cora"])
def test_missing_files_say_what_to_put_where(no_network, tmp_path, capfd, name):
    raw = PAPER_GRAPHS[name].raw
    with pytest.raises(DataError) as caught:
        load_dataset(name, data_dir=tmp_path)
    message = str(caught.value)
    assert str(tmp_path / raw.folder) in message
    assert raw.files[0] in message
    assert raw.source in message
    assert "HALFLABEL_DATA" in message
    assert caught.value.__suppress_context__
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_downloaded_files_are_kept(monkeypatch, tmp_path):
    raw = PAPER_GRAPHS["cornell"].raw
    home = tmp_path / raw.folder
    home.mkdir(parents=True)
    (home / raw.files[0]).write_text("placed by hand")

    def download(raw, root):
        for file in raw.files[1:]:
            (root / raw.folder / file).write_text("downloaded")

    monkeypatch.setattr("halflabel.datasets.raw._open_dataset", download)
    assert ensure_raw_files("cornell", raw, tmp_path) == home
    assert sorted(path.name for path in home.iterdir()) == sorted(raw.files)
    assert (home / raw.files[0]).read_text() == "placed by hand"


def test_wikics_reader_keeps_direction(tmp_path):
    """On a file of WikiCS's form with three nodes, since the real one is often not at hand."""
    raw = PAPER_GRAPHS["wikics"].raw
    masks = {"train_masks": [[True] * 3], "val_masks": [[True] * 3], "stopping_masks": [[True] * 3],
             "test_mask": [True] * 3}
    content = {"features": [[0.5, 0], [0, 0], [0, -1]], "labels": [0, 1, 1], "links": [[1], [2], []], **masks}
    (tmp_path / raw.folder).mkdir(parents=True)
    (tmp_path / raw.folder / "data.json").write_text(json.dumps(content))
    arrays = read_arrays("wikics", raw, tmp_path)
    assert arrays["edges"].tolist() == [[0, 1], [1, 2]]
    assert arrays["y"].tolist() == [0, 1, 1]
    assert arrays["data"].tolist() == [0.5, -1]
