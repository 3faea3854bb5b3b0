"""Features on disk: the same numbers as in memory, in whatever blocks they are read."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.diagnose.randomness import labels_not_random
from halflabel.drift.ranges import Ranges
from halflabel.features import diskrows
from halflabel.features.diskrows import DiskRows, is_on_disk
from halflabel.features.scaling import Scaling
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.nets import FeatureMatrix
from halflabel.order import sort_by_id

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(3, 2, (500, 6)).astype(np.float32)
WORDS = (RNG.random((500, 30)) < 0.1).astype(np.float32)
CONSTANT = np.column_stack([NUMBERS, np.ones(500, dtype=np.float32)])
MATRICES = pytest.mark.parametrize("X", [NUMBERS, WORDS, CONSTANT, np.ones((9, 2), dtype=np.float32)],
                                   ids=["numbers", "words", "a constant", "constants only"])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(diskrows, "BLOCK_VALUES", 700)


def on_disk(X, path):
    np.save(path / "X.npy", X)
    return np.load(path / "X.npy", mmap_mode="r")


def names(X):
    return [f"x{i}" for i in range(X.shape[1])]


@MATRICES
def test_scaling_is_the_same(X, tmp_path):
    mapped = on_disk(X, tmp_path)
    wanted, found = (Scaling.fit(matrix, names(X)) for matrix in (X, mapped))
    assert (found.rule, found.names) == (wanted.rule, wanted.names)
    np.testing.assert_allclose(found.deviation or 0, wanted.deviation or 0, rtol=1e-12)
    rows = found.on_disk(mapped, names(X))
    scaled = wanted.transform(X, names(X))
    assert rows.shape == scaled.shape
    some = np.array([8, 0, 3])
    np.testing.assert_allclose(rows[some], scaled[some], rtol=1e-6)
    np.testing.assert_allclose(np.concatenate([block for _, block in rows.blocks()]), scaled, rtol=1e-6)


def test_blocks_are_small_and_cover_everything(tmp_path):
    rows = DiskRows(on_disk(NUMBERS, tmp_path), np.asarray, width=6)
    slices, blocks = zip(*rows.blocks(), strict=True)
    assert max(block.size for block in blocks) <= 700
    np.testing.assert_array_equal(np.concatenate([np.arange(500)[s] for s in slices]), np.arange(500))
    np.testing.assert_array_equal(np.concatenate(blocks), NUMBERS)


def test_products_and_gradients_are_the_same(tmp_path):
    results = []
    for X in (NUMBERS, DiskRows(on_disk(NUMBERS, tmp_path), np.array, width=6)):
        torch.manual_seed(0)
        W = torch.randn(3, 6, 4, requires_grad=True)
        out = FeatureMatrix(X).times_each(W)
        out.square().sum().backward()
        results.append((out.detach(), W.grad))
    torch.testing.assert_close(*results)


def test_a_mapped_matrix_stays_mapped_on_its_way_into_a_graph(tmp_path):
    mapped, edges = on_disk(NUMBERS, tmp_path), np.array([[0, 1], [1, 2]])
    graphs = [Graph.from_edges(*edges, mapped), hl.as_graph(edges, mapped), hl.as_graph((edges, mapped))]
    assert all(graph.X is mapped for graph in graphs)
    doubles = np.memmap(tmp_path / "doubles", dtype=np.float64, mode="w+", shape=(3, 2))
    assert Graph.from_edges(*edges, doubles).X.dtype == np.float32


def test_missing_values_on_disk_are_found(tmp_path):
    X = NUMBERS.copy()
    X[[300, 301], 2] = np.nan
    with pytest.raises(hl.DataError, match="2 values that are missing or infinite, the first in row 300"):
        hl.as_graph(np.array([[0], [1]]), on_disk(X, tmp_path))


def test_sorting_by_id_writes_a_copy_to_disk_and_leaves_the_file_alone(tmp_path):
    mapped = on_disk(NUMBERS, tmp_path)
    order = np.random.default_rng(1).permutation(500)
    graph = Graph.from_edges([0], [1], mapped, ids=NodeIds(np.argsort(order)))
    ordered, _ = sort_by_id(graph)
    assert is_on_disk(ordered.X)
    in_memory, _ = sort_by_id(replace(graph, X=NUMBERS))
    np.testing.assert_array_equal(ordered.X, in_memory.X)
    np.testing.assert_array_equal(np.load(tmp_path / "X.npy"), NUMBERS)


def test_looking_at_a_wide_matrix_on_disk_takes_a_fraction_of_it(tmp_path):
    """What a fit does besides training: ranges for later drift, and whether labels look random."""
    X = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", np.float32, (24_000, 1_000))
    X[::7] = np.arange(1_000)
    graph = replace(hl.synthetic(24_000, degree=2, features=0)[0], X=X)
    known = np.arange(24_000) % 2 == 0
    tracemalloc.start()
    try:
        Ranges.of(X)
        labels_not_random(graph, known, np.ones(24_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < X.nbytes / 2
