"""Losses are the formulas they cite."""

import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from halflabel.losses import balanced_loss, mean_over


def test_mean_over_averages_each_row_over_its_own_nodes():
    members = torch.tensor([[True, False, True, True], [False, True, False, False]])
    values = torch.tensor([[1.0, 99.0, 3.0, 5.0], [99.0, 7.0, 99.0, 99.0]])
    assert (mean_over(members) * values).sum(dim=1).tolist() == pytest.approx([3.0, 7.0])


def test_mean_over_nobody_is_nothing():
    assert mean_over(torch.tensor([[False, False]])).tolist() == [[0.0, 0.0]]


def test_balanced_loss_is_two_means_of_cross_entropy():
    logits = torch.tensor([[2.0, -1.0, 0.5, -3.0, 1.0]])
    positive = torch.tensor([[True, True, False, False, False]])
    negative = torch.tensor([[False, False, True, True, True]])
    wanted = (binary_cross_entropy_with_logits(logits[positive], torch.ones(2))
              + binary_cross_entropy_with_logits(logits[negative], torch.zeros(3)))
    torch.testing.assert_close(balanced_loss(logits, mean_over(positive), mean_over(negative)), wanted[None])


def test_each_class_has_weight_one_however_few_its_nodes_are():
    logits = torch.zeros(1, 1000, requires_grad=True)
    positive = torch.arange(1000)[None] < 3
    balanced_loss(logits, mean_over(positive), mean_over(~positive)).backward()
    assert logits.grad[positive].sum().item() == pytest.approx(-0.5)
    assert logits.grad[~positive].sum().item() == pytest.approx(0.5)


def test_members_do_not_mix():
    logits = torch.tensor([[1.0, -2.0, 0.3], [0.5, 0.1, -0.7]])
    positive = torch.tensor([[True, False, False], [False, True, False]])
    negative = torch.tensor([[False, True, True], [True, False, False]])
    sets = mean_over(positive), mean_over(negative)
    each = [balanced_loss(logits[m : m + 1], *(s[m : m + 1] for s in sets)) for m in range(2)]
    torch.testing.assert_close(balanced_loss(logits, *sets), torch.cat(each))


def test_extreme_logits_stay_finite():
    logits = torch.tensor([[-1e4, 1e4]], requires_grad=True)
    loss = balanced_loss(logits, torch.tensor([[1.0, 0]]), torch.tensor([[0, 1.0]]))
    loss.backward()
    assert loss.item() == 2e4
    assert torch.isfinite(logits.grad).all()
