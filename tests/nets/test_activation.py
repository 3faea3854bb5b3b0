"""Bias, relu and dropout in one tensor: what their parts would give, to the bit."""

import pytest
import torch

from halflabel.nets.activation import activated
from halflabel.nets.dropout import ByteDropout


def parts(x, bias, dropout):
    h = torch.relu(x + bias)
    return h if dropout is None else dropout(h)


@pytest.mark.parametrize("dropout", [None, ByteDropout(0.0), ByteDropout(0.4), ByteDropout(0.4).eval()])
@pytest.mark.parametrize("layout", ["stacked", "side by side"])
def test_values_and_gradients_are_those_of_the_parts(dropout, layout):
    found = []
    for way in (activated, parts):
        torch.manual_seed(0)
        x = torch.randn(3, 50, 8) if layout == "stacked" else torch.randn(50, 3, 8).transpose(0, 1)
        x.requires_grad_()
        bias = torch.randn(3, 1, 8, requires_grad=True)
        h = way(x, bias, dropout)
        value = h.detach().clone()
        (h * torch.randn(3, 50, 8)).sum().backward()
        found.append((value, x.grad, bias.grad))
    assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))
    assert 0 < int((found[0][1] == 0).sum()) < x.numel()


def test_x_stays_as_it_is():
    x = torch.randn(2, 5, 3, requires_grad=True)
    before = x.detach().clone()
    activated(x, torch.zeros(2, 1, 3), ByteDropout(0.5)).sum().backward()
    assert torch.equal(x, before)


def test_a_second_backward_pass_is_refused_instead_of_wrong():
    x = torch.randn(2, 5, 3, requires_grad=True)
    h = activated(x, torch.zeros(2, 1, 3))
    h.sum().backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="inplace"):
        h.sum().backward()


def test_dropout_may_be_over_when_the_gradient_is_asked_for():
    x, dropout = torch.ones(1, 50, 4, requires_grad=True), ByteDropout(0.5)
    h = activated(x, torch.zeros(1, 1, 4), dropout)
    kept = h.detach().clone()
    dropout.eval()
    h.sum().backward()
    assert torch.equal(x.grad, kept)
