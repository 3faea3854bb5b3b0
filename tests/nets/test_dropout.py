"""Dropout keeps the mean, and draws every value on its own."""

import pytest
import torch

from halflabel.nets.dropout import ByteDropout


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_share_and_the_mean(p):
    torch.manual_seed(0)
    dropped = ByteDropout(p)(torch.ones(1000, 101))
    assert (dropped == 0).float().mean().item() == pytest.approx(p, abs=0.01)
    assert dropped.mean().item() == pytest.approx(1, abs=0.05)
    assert (dropped == 0).float().mean(dim=0).std() < 0.03  # no column is favoured


@pytest.mark.parametrize("p", [0.99, 0.998, 0.9999])
def test_nearly_everything_may_be_dropped(p):
    assert torch.isfinite(ByteDropout(p)(torch.ones(5000))).all()


def test_nothing_is_dropped_at_zero_or_when_not_training():
    x = torch.randn(50)
    assert torch.equal(ByteDropout(0.0)(x), x)
    assert torch.equal(ByteDropout(0.5).eval()(x), x)


def test_the_gradient_passes_where_the_value_did():
    x = torch.ones(999, requires_grad=True)
    dropped = ByteDropout(0.5)(x)
    dropped.sum().backward()
    assert torch.equal(x.grad, dropped.detach())


def test_values_are_dropped_in_their_place_to_the_same_bits():
    x, dropout, found = torch.linspace(0, 1, 1000), ByteDropout(0.3), []
    for drop in (dropout, dropout.drop_):
        torch.manual_seed(0)
        found.append(drop(x.clone()))
    assert torch.equal(*found)
