"""Naive Bayes: P against U by counting features, at a node and in its neighbourhood; nothing is trained.

Every feature is yes or no. A node's log odds are a sum over the features that it has; with `hops`, also over
the shares of its neighbours, and of their neighbours, that have them:

    log odds = B w_0 + M B w_1 + M^2 B w_2,      M = D^-1 A.

Where positives are few and features many, counting is hard to beat: a network has to learn the same from
steps that over-fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import torch
from torch import Tensor, nn

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.features import FeatureMatrix

SMOOTHING = 1.0  # of every count: Laplace's rule


class NaiveBayes(Backbone):
    """Weights of shape (members, features, hops + 1).

    >>> import numpy as np
    >>> from scipy import sparse
    >>> from halflabel.edges.adjacency import Adjacency
    >>> graph = Adjacency.from_scipy(sparse.csr_array((4, 4))).masked()
    >>> X = FeatureMatrix(np.array([[1, 0], [1, 0], [0, 1], [1, 1]], dtype=np.float32))
    >>> positive = torch.tensor([[True, True, False, False]])
    >>> bayes = NaiveBayes.counted(X, graph, positive, ~positive, hops=0)
    >>> bool(bayes(X, graph)[0, 0] > bayes(X, graph)[0, 2])
    True
    """

    def __init__(self, n_features: int, members: int, hops: int):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(members, n_features, hops + 1), requires_grad=False)

    @classmethod
    def counted(
        cls, X: FeatureMatrix, graph: MaskedGraph, P: Tensor, U: Tensor, hops: int,
        total: Callable[[Tensor], Tensor] = lambda count: count,
    ) -> Self:
        """From who is in P and in U of each member, (members, nodes).

        Without hops, features that are lacking speak too (Bernoulli); with them, it is by how much of the
        features around a node each one is (multinomial), because neighbourhoods differ in size. Where the
        nodes are shared among processes, `total` adds up what each of them counts.
        """
        p, q = (total(_counts(X, graph, side.float(), hops)) for side in (P, U))
        bayes = cls(X.n_features, len(P), hops)
        if hops:
            bayes.weight.copy_(_log_share(p) - _log_share(q))
        else:
            n_p, n_u = (total(side.sum(dim=1)) for side in (P, U))
            bayes.weight.copy_(_log_odds(p, n_p) - _log_odds(q, n_u))
        return bayes

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """B w_k, (members, nodes, hops + 1)."""
        return X.times_each(self.weight)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """The sum over the hops: from the outermost inward, so that there is one product a hop."""
        *nearer, total = h.unbind(dim=-1)
        for column in reversed(nearer):
            total = column + (graph.csr @ total.T).T / graph.degree.T
        return total


def _counts(X: FeatureMatrix, graph: MaskedGraph, side: Tensor, hops: int) -> Tensor:
    """side M^k B for every hop k, (members, features, hops + 1); M^T = A D^-1, as A is symmetric."""
    columns = [side]
    for _ in range(hops):
        columns.append((graph.csr @ (columns[-1] / graph.degree.T).T).T)
    return X.transposed_product(torch.stack(columns, dim=-1))


def _log_odds(count: Tensor, total: Tensor) -> Tensor:
    total = total[:, None, None]
    return torch.log(count + SMOOTHING) - torch.log(total - count + SMOOTHING)


def _log_share(count: Tensor) -> Tensor:
    """Of each member's features, at all hops together."""
    count = count + SMOOTHING
    return torch.log(count / count.sum(dim=(1, 2), keepdim=True))
