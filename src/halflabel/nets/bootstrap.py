"""The networks of bootstrapped representations: an encoder that two views of a graph share, and perceptrons.

Several of each train side by side, as everywhere: the first axis counts the members.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import batch_norm, normalize

from halflabel.edges.adjacency import Adjacency, MaskedGraph
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.gcn import convolve
from halflabel.nets.layout import one_above_another, side_by_side
from halflabel.nets.linear import bias, weights


class View(NamedTuple):
    """A graph as an encoder sees it: weighted edges, D^-1/2, and which feature columns are there at all."""

    csr: Tensor
    scale: Tensor
    kept: Tensor | None = None

    @classmethod
    def of(cls, csr: Tensor, kept: Tensor | None = None) -> View:
        """The view with this weighted adjacency, to which the convolution adds unit self-loops."""
        degree = csr.mv(torch.ones(len(csr), dtype=csr.dtype, device=csr.device))
        return cls(csr, (degree + 1.0).rsqrt_(), kept)

    @classmethod
    def dropped(cls, adjacency: Adjacency, n_features: int, edges: float, features: float) -> View:
        """A random view: each undirected edge and each feature column is gone with these probabilities."""
        device = adjacency.base.device
        mask = (torch.rand(adjacency.n_edges, device=device) >= edges).float()
        return cls.of(adjacency.weighted(mask), (torch.rand(n_features, device=device) >= features).float())


class Encoder(nn.Module):
    """Two graph convolutions, each followed by batch normalisation and a parametric rectifier.

    >>> import numpy as np
    >>> from scipy import sparse
    >>> triangle = Adjacency.from_scipy(sparse.csr_array(np.ones((3, 3)) - np.eye(3)))
    >>> encoder = Encoder(n_features=4, hidden=8, size=5, members=2)
    >>> encoder(FeatureMatrix(np.eye(3, 4)), View.of(triangle.weighted())).shape
    torch.Size([2, 3, 5])
    """

    def __init__(self, n_features: int, hidden: int, size: int, members: int):
        super().__init__()
        # No biases: the normalisation that follows would take them out again.
        self.first, self.second = weights(n_features, hidden, members), weights(hidden, size, members)
        self.first_norm, self.second_norm = NormAndRectify(hidden, members), NormAndRectify(size, members)

    def forward(self, X: FeatureMatrix, view: View) -> Tensor:
        """Representations of shape (members, nodes, size)."""
        # A column of X that is zero and a row of W that is zero are the same; W is by far the smaller.
        first = self.first if view.kept is None else self.first * view.kept[:, None]
        # Members stay side by side, as one wide network: stacking them for each layer took a quarter of a
        # step with five members.
        h = self.first_norm(convolve(view.csr, view.scale, X.times_each(side_by_side(first)[None])))
        h = side_by_side(h.view(X.n_nodes, len(first), -1).transpose(0, 1) @ self.second)
        h = self.second_norm(convolve(view.csr, view.scale, h[None]))[0]
        return one_above_another(h, len(first)).contiguous()

    @torch.no_grad()
    def follow(self, other: Encoder, momentum: float) -> None:
        """Keep this share of the own parameters and take the rest from another encoder."""
        for mine, theirs in zip(self.parameters(), other.parameters(), strict=True):
            mine.lerp_(theirs, 1.0 - momentum)


class NormAndRectify(nn.Module):
    """Batch normalisation over the nodes and one slope per member for what is negative."""

    mean: Tensor
    variance: Tensor

    def __init__(self, width: int, members: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(members * width))
        self.shift = nn.Parameter(torch.zeros(members * width))
        self.slope = nn.Parameter(torch.full((members,), 0.25))
        self.register_buffer("mean", torch.zeros(members * width))
        self.register_buffer("variance", torch.ones(members * width))

    def forward(self, x: Tensor) -> Tensor:
        """Normalise by this batch while training, by the running moments otherwise."""
        x = batch_norm(x[0], self.mean, self.variance, self.gain, self.shift, self.training)[None]
        slope = self.slope.repeat_interleave(x.shape[-1] // len(self.slope))
        return torch.lerp(x.relu(), x, slope)  # prelu, whose own backward pass is slower


class Perceptron(nn.Module):
    """Linear, rectifier, linear.

    >>> Perceptron(4, 8, 2, members=3)(torch.zeros(3, 5, 4)).shape
    torch.Size([3, 5, 2])
    """

    def __init__(self, n_in: int, hidden: int, n_out: int, members: int):
        super().__init__()
        self.first, self.first_bias = weights(n_in, hidden, members), bias(hidden, members)
        self.second, self.second_bias = weights(hidden, n_out, members), bias(n_out, members)

    def forward(self, x: Tensor) -> Tensor:
        """(members, nodes, n_in) to (members, nodes, n_out)."""
        return torch.relu(x @ self.first + self.first_bias) @ self.second + self.second_bias


class UnitLinear(nn.Module):
    """A linear classifier of directions, fitted elsewhere: w h / |h| + b.

    >>> UnitLinear(4, members=2)(torch.ones(2, 3, 4)).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """

    weight: Tensor
    intercept: Tensor

    def __init__(self, n_in: int, members: int):
        super().__init__()
        self.register_buffer("weight", torch.zeros(members, n_in, 1))
        self.register_buffer("intercept", torch.zeros(members, 1))

    def forward(self, h: Tensor) -> Tensor:
        """Logits of shape (members, nodes)."""
        return (normalize(h, dim=-1) @ self.weight).squeeze(-1) + self.intercept


class Scorer(nn.Module):
    """An encoder and a head that turns representations into logits: what scoring a graph takes."""

    def __init__(self, encoder: Encoder, head: nn.Module):
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """Logits of shape (members, nodes)."""
        return self.head(self.encoder(X, View.of(graph.csr)))


class Head(nn.Module):
    """A perceptron and a linear layer: the classifier that learns next to an encoder.

    >>> Head(4, 8, members=2)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3])
    """

    def __init__(self, size: int, hidden: int, members: int):
        super().__init__()
        self.perceptron = Perceptron(size, hidden, size, members)
        # A logit is the difference of the two outputs that the authors put into a softmax.
        self.last = weights(size, 1, members)

    def forward(self, h: Tensor) -> Tensor:
        """Logits of shape (members, nodes)."""
        return (self.perceptron(h) @ self.last).squeeze(-1)
