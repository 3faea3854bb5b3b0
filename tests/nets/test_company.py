"""Who is met on walks, against dense matrices and with a pencil."""

import numpy as np
import pytest
import torch
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.company import STRIDES, Company

N = 40
RNG = np.random.default_rng(0)
A = np.triu(RNG.random((N, N)) < 0.1, k=1) * RNG.uniform(0.5, 2, (N, N))
A[7], A[:, 7] = 0, 0  # somebody has no neighbours
A = A + A.T
GRAPH = Adjacency.from_scipy(sparse.csr_array(A)).masked()
P, U = np.zeros((2, N), dtype=bool), np.zeros((2, N), dtype=bool)
P[0, :12] = P[1, 5:15] = U[0, 15:] = U[1, 20:] = True


def itself(n):
    return FeatureMatrix(sparse.eye_array(n, format="csr", dtype=np.float32))


def logits(P, U, stride, graph=GRAPH):
    company = Company.met(torch.as_tensor(P), torch.as_tensor(U), stride)
    return company(itself(P.shape[1]), graph).numpy()


@pytest.mark.parametrize("stride", STRIDES)
def test_it_is_a_sum_over_walks(stride):
    again, times = STRIDES[stride]
    root = np.sqrt(A.sum(axis=1).clip(min=1e-12))
    M = np.linalg.matrix_power(A / root[:, None] / root, stride)

    def met(side):
        start = side * N / side.sum()
        walks = [np.linalg.matrix_power(M, k) @ start for k in range(times + 1)]
        shares = [again * (1 - again) ** k for k in range(times)] + [(1 - again) ** times]
        return sum(share * walk for share, walk in zip(shares, walks, strict=True))

    for member, found in enumerate(logits(P, U, stride)):
        wanted = np.log((met(P[member]) + 1) / (met(U[member]) + 1))
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_of_those_who_link_to_the_same_only_walks_of_even_length_know():
    """Positives, 0 to 9, link to 20 to 29, the others to 30 to 39; nobody to his like."""
    link = np.zeros((N, N))
    for first, to in ((0, 20), (10, 30)):
        link[first : first + 10, to : to + 10] = 1
    graph = Adjacency.from_scipy(sparse.csr_array(link + link.T)).masked()
    known, others = np.arange(N) < 5, np.arange(N) >= 10
    found = logits(known[None], others[None], 2, graph)[0]
    assert found[5:10].min() > 0 > found[10:20].max()
    assert found[5:10].min() > found[20:].max()


def test_who_knows_nobody_is_neither():
    held = np.arange(N) == 7
    assert logits(P & ~held, U & ~held, 1)[:, 7].tolist() == [0, 0]


def test_the_unit_of_edge_weights_does_not_matter():
    scaled = Adjacency.from_scipy(sparse.csr_array(1000 * A)).masked()
    np.testing.assert_allclose(logits(P, U, 1, scaled), logits(P, U, 1), rtol=1e-4, atol=1e-5)


def test_new_nodes_are_judged_by_old_acquaintances():
    """A graph of three: two of the fitted nodes, 3 (P) and 30 (U), and a new one that knows the former."""
    company = Company.met(torch.as_tensor(P[:1]), torch.as_tensor(U[:1]), 1)
    X = sparse.csr_array(([1.0, 1.0], ([0, 1], [3, 30])), shape=(3, N), dtype=np.float32)
    path = sparse.csr_array(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=float))
    found = company(FeatureMatrix(X), Adjacency.from_scipy(path).masked())[0]
    assert found[2] > 0 > found[1]
