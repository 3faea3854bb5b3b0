"""Company: P against U by who is met on walks through the graph. No feature is seen, and nothing is trained.

A walk goes on from node to node and begins again at its start with probability `again`. Weighed alike from
both ends, M = D^-1/2 A D^-1/2, what it meets of P and of U is

    a = again * sum_k (1 - again)^k M^k p,      p marks P, its mean over all nodes is one; b is that of U,

and the log odds are log (a + 1) / (b + 1): where little is met, little is said. Where positives know each
other, walks of any length tell; where they know the same others, walks of even length do.
"""

from __future__ import annotations

from typing import Self

import torch
from torch import Tensor, nn

from halflabel.edges.adjacency import MaskedGraph
from halflabel.edges.csr import is_far, product
from halflabel.nets.backbone import Backbone
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.layout import one_above_another, side_by_side

STRIDES = {1: (0.05, 20), 2: (0.3, 6)}  # steps at a time: probability of beginning again, how many times


class Company(Backbone):
    """Who is in P and in U of each member, (members, nodes, 2); `X` tells which of these nodes a row is.

    >>> import numpy as np
    >>> from scipy import sparse
    >>> from halflabel.edges.adjacency import Adjacency
    >>> pairs = sparse.csr_array(np.kron(np.eye(2), [[0, 1], [1, 0]]))  # 0 knows 1, 2 knows 3
    >>> itself = FeatureMatrix(sparse.eye_array(4, format="csr", dtype=np.float32))
    >>> P, U = torch.tensor([[True, False, False, False]]), torch.tensor([[False, False, False, True]])
    >>> logits = Company.met(P, U, stride=1)(itself, Adjacency.from_scipy(pairs).masked())
    >>> bool(logits[0, 1] > 0), bool(logits[0, 2] < 0)
    (True, True)
    """

    def __init__(self, n_nodes: int, members: int, stride: int):
        super().__init__()
        self.stride = stride
        self.again, self.times = STRIDES[stride]
        self.radius = stride * self.times
        self.weight = nn.Parameter(torch.zeros(members, n_nodes, 2), requires_grad=False)

    @classmethod
    def met(cls, P: Tensor, U: Tensor, stride: int) -> Self:
        """From who is in P and in U of each member, (members, nodes)."""
        members, n = P.shape
        company = cls(n, members, stride)
        company.weight.copy_(both_sides(P, U))
        return company

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """Where walks that end in P, and in U, begin, (members, nodes, 2)."""
        return X.times_each(self.weight)

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """Log odds of what is met."""
        return log_odds(walked(h, graph, self.again, self.times, self.stride))


def both_sides(P: Tensor, U: Tensor) -> Tensor:
    """Where walks end: in P, and in U, each of mean one over all nodes, (members, nodes, 2)."""
    sides = torch.stack([P, U], dim=-1).float()
    return sides * P.shape[1] / sides.sum(dim=1, keepdim=True).clamp_min(1)  # nobody: none are met


def walked(h: Tensor, graph: MaskedGraph, again: float, times: int, stride: int = 1) -> Tensor:
    """What walks from each node meet of h, (members, nodes, 2)."""
    members, nodes, _ = h.shape
    start, far = side_by_side(h), is_far(nodes, members)
    scale = graph.strength.clamp_min(1e-12).rsqrt()[:, None]
    met = start
    for _ in range(times):
        step = met
        for _ in range(stride):
            step = product(graph.csr, scale * step, far=far).mul_(scale)
        met = (1 - again) * step + again * start
    return one_above_another(met, members)


def log_odds(met: Tensor) -> Tensor:
    """log (a + 1) / (b + 1), (members, nodes), from what is met of both sides."""
    a, b = (met + 1).log().unbind(dim=-1)
    return a - b
