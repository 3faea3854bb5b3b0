"""Products of sparse matrices: every kernel that may be chosen gives the same."""

import pytest
import torch

from halflabel.edges.csr import csr_tensor, product, product_onto


@pytest.fixture
def matrix():
    generator = torch.Generator().manual_seed(0)
    dense = torch.rand(40, 40, generator=generator) * (torch.rand(40, 40, generator=generator) < 0.2)
    dense[7] = 0  # a node without neighbours
    csr = dense.to_sparse_csr()
    return csr_tensor(csr.crow_indices().int(), csr.col_indices().int(), csr.values(), (40, 40))


@pytest.mark.parametrize("width", [1, 12, 17])
@pytest.mark.parametrize("far", [False, True])
def test_products_do_not_depend_on_the_kernel(matrix, width, far):
    columns, onto = torch.rand(40, width), torch.rand(40, width)
    before = onto.clone()
    wanted = matrix.to_dense() @ columns
    torch.testing.assert_close(product(matrix, columns, far=far), wanted)
    torch.testing.assert_close(product_onto(onto, matrix, columns, far=far), wanted + onto)
    torch.testing.assert_close(onto, before, rtol=0, atol=0)


def test_rows_are_read_ahead_only_where_they_are_far_and_wide(matrix, monkeypatch):
    called = []
    monkeypatch.setattr("halflabel.edges.csr._sums_of_rows", lambda m, x: called.append(x.shape[1]) or m @ x)
    for width in (1, 11, 12, 20):
        product(matrix, torch.rand(40, width), far=True)
    product(matrix, torch.rand(40, 20))
    product(matrix.to(torch.float64), torch.rand(40, 20, dtype=torch.float64), far=True)
    assert called == [12, 20]
