"""The symmetric pattern: one weight per undirected edge, copies side by side."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from halflabel.edges.adjacency import Adjacency


@st.composite
def symmetric_matrices(draw, max_nodes=9):
    n = draw(st.integers(1, max_nodes))
    upper = np.triu(np.array(draw(st.lists(
        st.sampled_from([0.0, 0.0, 0.5, 1.0, 3.0]), min_size=n * n, max_size=n * n))).reshape(n, n), k=1)
    return upper + upper.T


@given(symmetric_matrices())
@settings(deadline=None)
def test_the_weighted_matrix_is_the_data_times_the_mask(dense):
    adjacency = Adjacency.from_scipy(sparse.csr_array(dense), dtype=torch.float64)
    assert (adjacency.n_nodes, adjacency.n_edges) == (len(dense), np.count_nonzero(dense) // 2)
    assert adjacency.degree.tolist() == np.count_nonzero(dense, axis=1).tolist()
    np.testing.assert_array_equal(adjacency.weighted().to_dense(), dense)

    first, second = (ends.long().numpy() for ends in adjacency.ends)
    assert (first < second).all()
    mask = torch.arange(1.0, adjacency.n_edges + 1, dtype=torch.float64)
    wanted = np.zeros_like(dense)
    wanted[first, second] = wanted[second, first] = mask
    np.testing.assert_array_equal(adjacency.weighted(mask).to_dense(), wanted * dense)


@given(symmetric_matrices(), st.integers(1, 11))
@settings(deadline=None, max_examples=50)
def test_edge_products_are_dot_products_of_the_ends_both_ways(dense, columns):
    adjacency = Adjacency.from_scipy(sparse.csr_array(dense), dtype=torch.float64)
    rng = np.random.default_rng(columns)
    left, right = (torch.as_tensor(rng.normal(size=(len(dense), columns))) for _ in range(2))
    first, second = (ends.long() for ends in adjacency.ends)
    products = adjacency.edge_products([(left.T, right.T)])
    wanted = (left[first] * right[second] + right[first] * left[second]).sum(1)
    torch.testing.assert_close(products, wanted)


@given(symmetric_matrices(), st.integers(1, 4))
@settings(deadline=None, max_examples=30)
def test_copies_form_a_block_diagonal_with_a_mask_each(dense, copies):
    adjacency = Adjacency.from_scipy(sparse.csr_array(dense), dtype=torch.float64)
    union = adjacency.repeat(copies)
    masks = torch.rand(copies, adjacency.n_edges, dtype=torch.float64)
    blocks = torch.block_diag(*(adjacency.weighted(mask).to_dense() for mask in masks))
    torch.testing.assert_close(union.weighted(masks.flatten()).to_dense(), blocks)
    assert [ends.tolist() for ends in union.ends] == [
        [int(e) + c * len(dense) for c in range(copies) for e in ends] for ends in adjacency.ends]

    edge_index, weights = union.masked(masks.flatten()).of_each(len(masks))
    for mask, weight in zip(masks, weights, strict=True):
        one = torch.sparse_coo_tensor(edge_index, weight, dense.shape, check_invariants=True).to_dense()
        torch.testing.assert_close(one, adjacency.weighted(mask).to_dense())


def test_indices_have_32_bits_because_torch_would_convert_others_on_every_product():
    adjacency = Adjacency.from_scipy(sparse.csr_array(np.ones((3, 3)) - np.eye(3)))
    union = adjacency.repeat(2)
    for indices in (adjacency.crow, adjacency.col, adjacency.edge, union.crow, union.col, union.edge):
        assert indices.dtype == torch.int32


def test_weights_count_in_multiples_of_the_unit():
    matrix = sparse.csr_array(np.array([[0, 6.0], [6.0, 0]]))
    assert Adjacency.from_scipy(matrix, unit=3.0).base.tolist() == [2.0]


@given(symmetric_matrices())
@settings(deadline=None)
def test_every_entry_has_a_reverse(dense):
    adjacency = Adjacency.from_scipy(sparse.csr_array(dense))
    assert torch.equal(adjacency.rows[adjacency.reverse], adjacency.col)
    assert torch.equal(adjacency.col[adjacency.reverse], adjacency.rows)


def test_moving_keeps_everything():
    union = Adjacency.from_scipy(sparse.csr_array(np.ones((3, 3)) - np.eye(3))).repeat(2).to("cpu")
    assert union.copies == 2
    edge_index, weights = union.masked().of_each(union.copies)
    assert edge_index.max() == 2
    assert weights.shape == (2, 6)


def test_the_input_is_left_alone():
    unsorted = sparse.csr_array((np.ones(4), np.array([2, 1, 0, 0]), np.array([0, 2, 3, 4])), shape=(3, 3))
    Adjacency.from_scipy(unsorted)
    assert unsorted.indices.tolist() == [2, 1, 0, 0]


@pytest.mark.parametrize("dense", [
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]],  # one direction only
    [[0, 1, 0], [0, 0, 0], [1, 0, 0]],  # as many entries below the diagonal as above, but elsewhere
    [[1, 1, 0], [1, 0, 0], [0, 0, 0]],  # a self-loop
], ids=["directed", "elsewhere", "self-loop"])
def test_what_is_not_an_undirected_graph_is_refused(dense):
    with pytest.raises(ValueError, match="symmetric and without self-loops"):
        Adjacency.from_scipy(sparse.csr_array(np.array(dense, dtype=float)))


def test_more_copies_than_indices_can_count_are_refused():
    adjacency = Adjacency.from_scipy(sparse.csr_array(np.ones((3, 3)) - np.eye(3)))
    with pytest.raises(ValueError, match="32-bit"):
        adjacency.repeat(2**29)
