"""Walks from like to like, against dense matrices and with a pencil."""

import numpy as np
import torch
from scipy import sparse

from halflabel.nets import FeatureMatrix
from halflabel.nets.alike import AGAIN, TIMES, Alike

N = 30
RNG = np.random.default_rng(0)
SHARES = (RNG.random((N, N)) < 0.15) * RNG.uniform(0.5, 2, (N, N))
np.fill_diagonal(SHARES, 0)
SHARES = (SHARES / SHARES.sum(axis=1, keepdims=True).clip(min=1e-12)).astype(np.float32)
P, U = np.zeros((2, N), dtype=bool), np.zeros((2, N), dtype=bool)
P[0, :8] = P[1, 5:15] = U[0, 10:] = U[1, 20:] = True


def met(shares=SHARES, P=P, U=U):
    return Alike.met(sparse.csr_array(shares), torch.as_tensor(P), torch.as_tensor(U))


def logits(alike, rows):
    return alike(FeatureMatrix(sparse.csr_array(rows)), None).numpy()


def test_a_score_is_one_step_from_what_walks_of_the_likes_meet():
    mutual = np.maximum(SHARES, SHARES.T)
    root = np.sqrt(mutual.sum(axis=1).clip(min=1e-12))
    M = mutual / root[:, None] / root

    def of(side):
        start = found = side * N / side.sum()
        for _ in range(TIMES):
            found = (1 - AGAIN) * M @ found + AGAIN * start
        return SHARES @ found

    for member, found in enumerate(logits(met(), SHARES)):
        wanted = np.log((of(P[member]) + 1) / (of(U[member]) + 1))
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_walks_come_back_so_that_who_is_scored_must_be_held_out():
    held = np.arange(N) == 3
    assert logits(met(P=P | held), SHARES)[1, 3] > logits(met(P=P & ~held), SHARES)[1, 3]


def test_new_nodes_are_judged_by_their_likes():
    pairs = np.kron(np.eye(2, dtype=np.float32), np.ones((3, 3)) - np.eye(3)) / 2
    known, others = np.arange(6) == 0, np.arange(6) == 5
    new = np.array([[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0]], dtype=np.float32)
    found = logits(met(pairs.astype(np.float32), known[None], others[None]), new)[0]
    assert found[0] > 0 > found[1]
    assert found[2] == 0, "who is like nobody is neither"
