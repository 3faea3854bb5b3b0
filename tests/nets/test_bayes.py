"""Naive Bayes agrees with scikit-learn's, at the node and with its neighbourhood."""

import numpy as np
import torch
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.bayes import NaiveBayes

RNG = np.random.default_rng(0)
B = sparse.csr_array((RNG.random((60, 8)) < 0.3).astype(np.float32))
A = np.triu(RNG.random((60, 60)) < 0.06, k=1).astype(float)
A[7], A[:, 7] = 0, 0  # somebody has no neighbours
A = A + A.T
GRAPH = Adjacency.from_scipy(sparse.csr_array(A)).masked()
P, U = np.zeros((2, 60), dtype=bool), np.zeros((2, 60), dtype=bool)
P[0, :15] = P[1, 5:25] = U[0, 20:] = U[1, 30:] = True


def ours(hops):
    X = FeatureMatrix(B)
    return NaiveBayes.counted(X, GRAPH, torch.as_tensor(P), torch.as_tensor(U), hops)(X, GRAPH).numpy()


def theirs(model, features, member):
    learned = np.flatnonzero(P[member] | U[member])
    odds = model.fit(features[learned], P[member][learned]).predict_joint_log_proba(features)
    return odds[:, 1] - odds[:, 0]


def centred(scores):
    return scores - scores.mean()  # the prior of the classes is a constant


def test_without_hops_it_is_bernoulli():
    for member in range(2):
        wanted = theirs(BernoulliNB(alpha=1.0), B.toarray(), member)
        np.testing.assert_allclose(centred(ours(0)[member]), centred(wanted), atol=1e-4)


def test_with_hops_it_is_multinomial_on_the_means_of_neighbours():
    mean = A / A.sum(axis=1, keepdims=True).clip(min=1)
    features = np.hstack([B.toarray(), mean @ B, mean @ mean @ B])
    for member in range(2):
        wanted = theirs(MultinomialNB(alpha=1.0), features, member)
        np.testing.assert_allclose(centred(ours(2)[member]), centred(wanted), atol=1e-4)
