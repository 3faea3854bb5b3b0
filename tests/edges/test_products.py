"""Products at both ends of every edge: the same however rows and columns are taken."""

import pytest
import torch

from halflabel.edges import products
from halflabel.edges.products import products_of_copies, stretches, symmetric_products

N = 30


@pytest.fixture
def entries():
    generator = torch.Generator().manual_seed(0)
    upper = (torch.rand(N, N, generator=generator) < 0.2).triu(1)
    upper[[4, 5, 6, N - 1]] = False  # rows without entries, one of which is a stretch of three
    return upper.nonzero().T


def pattern_of(entries, length):
    crow = torch.zeros(N + 1, dtype=torch.int32)
    crow[1:] = torch.bincount(entries[0], minlength=N).cumsum(0)
    return stretches(crow, entries[1].int(), length)


def drawn(*shape):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(1))


def wanted(entries, pairs):
    i, j = entries
    return sum((a[:, i] * b[:, j] + b[:, i] * a[:, j]).sum(0) for a, b in pairs)


@pytest.mark.parametrize("length", [1, 4, 7, N, 100])
@pytest.mark.parametrize("long", [1, 1000])
@pytest.mark.parametrize("rows", [1, 5, 13])
def test_sums_over_pairs_do_not_depend_on_how_they_are_taken(entries, length, long, rows, monkeypatch):
    monkeypatch.setattr(products, "LONG", long)
    pairs = [(drawn(rows, N), drawn(rows, N).flip(1)), (drawn(1, N), torch.ones(1, N))]
    pattern = pattern_of(entries, length)
    torch.testing.assert_close(symmetric_products(pattern, pairs), wanted(entries, pairs))
    onto = drawn(entries.shape[1])
    before = onto.clone()
    assert symmetric_products(pattern, pairs, onto) is onto
    torch.testing.assert_close(onto, before + wanted(entries, pairs))


def test_stretches_change_no_bit(entries):
    pairs = [(drawn(6, N), drawn(6, N).flip(0))]
    one, many = (symmetric_products(pattern_of(entries, length), pairs) for length in (N, 3))
    torch.testing.assert_close(one, many, rtol=0, atol=0)


def test_copies_have_their_own(entries):
    a, b = drawn(4, 3, N), drawn(4, 3, N).flip(2)
    found = products_of_copies(pattern_of(entries, 8), [(a, b)]).view(3, -1)
    for copy in range(3):
        torch.testing.assert_close(found[copy], wanted(entries, [(a[:, copy], b[:, copy])]))
