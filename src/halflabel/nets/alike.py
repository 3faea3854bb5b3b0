"""Alike: P against U by who is met on walks from like to like. Nothing is trained.

Where positives are few and features many, those who resemble known positives, and those who resemble them in
turn, are found by what they have in common, with no weight to learn. Walks are those of `company`, through a
graph that joins every node to those most like it; a node's own score is one step further,

    log (S a + 1) / (S b + 1),      S: the shares of its likes, a and b: what walks from these meet,

so that a new node, or one with other features, is scored by its likes among the fitted ones.
"""

from __future__ import annotations

from typing import Self

import torch
from scipy import sparse
from torch import Tensor, nn

from halflabel.edges.adjacency import Adjacency, MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.company import both_sides, log_odds, walked
from halflabel.nets.features import FeatureMatrix

AGAIN, TIMES = 0.1, 11  # probability of beginning again, steps


class Alike(Backbone):
    """What walks from every fitted node meet, (members, nodes, 2); `X` has the shares of each row's likes.

    >>> import numpy as np
    >>> pairs = sparse.csr_array(np.kron(np.eye(2, dtype=np.float32), [[0, 1], [1, 0]]))  # 0 is like 1
    >>> P, U = torch.tensor([[True, False, False, False]]), torch.tensor([[False, False, False, True]])
    >>> logits = Alike.met(pairs, P, U)(FeatureMatrix(pairs), None)
    >>> bool(logits[0, 1] > 0), bool(logits[0, 2] < 0)
    (True, True)
    """

    radius = 1

    def __init__(self, n_nodes: int, members: int):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(members, n_nodes, 2), requires_grad=False)

    @classmethod
    def met(cls, shares: sparse.csr_array, P: Tensor, U: Tensor) -> Self:
        """From the shares of everybody's likes, and who is in P and in U of each member, (members, nodes)."""
        members, n = P.shape
        alike = cls(n, members)
        mutual = sparse.csr_array(shares.maximum(shares.T))
        mutual.eliminate_zeros()
        graph = Adjacency.from_scipy(mutual).to(P.device).masked()
        alike.weight.copy_(walked(both_sides(P, U), graph, AGAIN, TIMES))
        return alike

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """What the likes of each row meet, (members, nodes, 2)."""
        return X.times_each(self.weight)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """Log odds of what is met."""
        return log_odds(h)
