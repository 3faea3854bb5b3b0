"""Two-layer graph convolutional network (Kipf & Welling, 2017), several of them side by side."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from halflabel.edges.adjacency import MaskedGraph
from halflabel.edges.csr import is_far, product_onto
from halflabel.nets.activation import activate_, gradient_before, scale_of
from halflabel.nets.backbone import TwoLayers
from halflabel.nets.dropout import ByteDropout
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.layout import few_at_a_time, one_above_another, side_by_side
from halflabel.nets.linear import bias, to_one_column, weights


class GCN(TwoLayers):
    """logits = A^ relu(A^ X W1 + b1) W2 + b2 with A^ = D^-1/2 (M o A + I) D^-1/2.

    The unit self-loop reacts to the mask's scale: where all edges of a node shrink, its convolution turns
    into a perceptron on its own features.
    """

    def __init__(self, n_features: int, hidden: int, members: int, dropout: float):
        super().__init__()
        self.first, self.first_bias = weights(n_features, hidden, members), bias(hidden, members)
        self.second, self.second_bias = weights(hidden, 1, members), bias(1, members)
        self.dropout = ByteDropout(dropout)

    def hidden(self, X: FeatureMatrix, graph: MaskedGraph, dropout: ByteDropout | None) -> Tensor:
        """relu(A^ X W1 + b1)."""
        product = X.times_each(self.first)
        return rectified(graph.csr, graph.inverse_root_degree, product, self.first_bias, dropout)

    def answer(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """A^ h W2 + b2."""
        h = to_one_column(h, self.second)
        return (convolve(graph.csr, graph.inverse_root_degree, h) + self.second_bias).squeeze(-1)


def convolve(weighted: Tensor, scale: Tensor, x: Tensor) -> Tensor:
    """D^-1/2 (V + I) D^-1/2 x for x of shape (members, nodes, columns).

    `weighted` is one graph, which then serves all members in one product, or the union of one for each.
    """
    if not torch.is_grad_enabled():  # a node of autograd takes a fifth of the product on 10^4 edges
        return _apply(weighted, scale[:, None], x)
    return _Convolution.apply(x, weighted, scale[:, None])  # pyright: ignore


def rectified(
    weighted: Tensor, scale: Tensor, x: Tensor, bias: Tensor, dropout: ByteDropout | None
) -> Tensor:
    """relu(D^-1/2 (V + I) D^-1/2 x + b), without the copies of x that its parts would make."""
    if not torch.is_grad_enabled():
        return _layer(weighted, scale[:, None], x, bias, dropout)
    return _Layer.apply(x, bias, weighted, scale[:, None], dropout)  # pyright: ignore


class _Convolution(torch.autograd.Function):
    """The matrix is symmetric, hence its own backward pass; its values need no gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weighted: Tensor, scale: Tensor) -> Tensor:
        ctx.weighted, ctx.scale = weighted, scale
        return _apply(weighted, scale, x)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        return _apply(ctx.weighted, ctx.scale, grad_outputs[0]), None, None


class _Layer(torch.autograd.Function):
    """What the convolution returns is nobody else's: bias, relu and dropout change it in its place."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, bias: Tensor, weighted: Tensor, scale: Tensor, dropout: ByteDropout | None
    ) -> Tensor:
        h = _layer(weighted, scale, x, bias, dropout)
        ctx.save_for_backward(h)
        ctx.weighted, ctx.scale, ctx.dropout_scale = weighted, scale, scale_of(dropout)
        return h

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        grad = gradient_before(grad_outputs[0], ctx.saved_tensors[0], ctx.dropout_scale)
        of_bias = grad.sum(dim=1, keepdim=True)
        return _apply(ctx.weighted, ctx.scale, grad, own=True), of_bias, None, None, None


def _layer(
    weighted: Tensor, scale: Tensor, x: Tensor, bias: Tensor, dropout: ByteDropout | None
) -> Tensor:
    return activate_(_apply(weighted, scale, x).add_(bias), dropout)


def _apply(weighted: Tensor, scale: Tensor, x: Tensor, own: bool = False) -> Tensor:
    """With `own`, x is not needed any more: its memory serves."""
    members, nodes, _ = x.shape
    far = is_far(nodes, members)
    if len(scale) == members * nodes:  # a graph of its own for each member
        return _convolve_columns(weighted, scale, x.reshape(len(scale), -1), far, own).view_as(x)

    def convolved(some: Tensor) -> Tensor:
        columns = _convolve_columns(weighted, scale, side_by_side(some), far, own=False)
        return one_above_another(columns, len(some))

    return (few_at_a_time(x, x.shape[2], convolved) if far else convolved(x)).contiguous()


def _convolve_columns(weighted: Tensor, scale: Tensor, columns: Tensor, far: bool, own: bool) -> Tensor:
    scaled = columns.mul_(scale) if own else scale * columns
    if scaled.shape[1] == 1:  # a product with one column takes twice as long as one with a vector
        vector = scaled[:, 0]
        return torch.addmv(vector, weighted, vector).mul_(scale[:, 0])[:, None]
    return product_onto(scaled, weighted, scaled, far=far).mul_(scale)
