"""Losses are the formulas they cite."""

import math

import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from halflabel.losses import (
    balanced_loss,
    belief_risk,
    distribution_loss,
    mean_over,
    non_negative_risk,
    unbiased_risk,
)


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


F = torch.tensor([[1.5, -0.5, 2.0, -1.0, 0.3, -2.0]])
IN_P = torch.tensor([[True, True, False, False, False, False]])


def slow_unbiased(f, prior, loss):
    p, u = f[:2], f[2:]
    mean = lambda values: sum(values) / len(values)  # noqa: E731
    positive = prior * mean([loss(x) for x in p])
    return positive, mean([loss(-x) for x in u]) - prior * mean([loss(-x) for x in p])


@pytest.mark.parametrize(("surrogate", "loss"), [
    ("sigmoid", lambda t: 1 / (1 + math.exp(t))), ("logistic", lambda t: math.log1p(math.exp(-t))),
])
def test_unbiased_risk_is_its_formula(surrogate, loss):
    parts = unbiased_risk(F, mean_over(IN_P), mean_over(~IN_P), 0.3, surrogate)
    assert [part.item() for part in parts] == pytest.approx(slow_unbiased(F[0].tolist(), 0.3, loss))


def test_non_negative_risk_is_the_unbiased_one_while_negatives_have_a_risk():
    f = F.clone().requires_grad_()
    risk = non_negative_risk(f, mean_over(IN_P), mean_over(~IN_P), 0.3)
    both = unbiased_risk(f, mean_over(IN_P), mean_over(~IN_P), 0.3)
    assert both[1].item() > 0
    torch.testing.assert_close(risk, sum(both))
    slopes = [torch.autograd.grad(x.sum(), f, retain_graph=True)[0] for x in (risk, sum(both))]
    torch.testing.assert_close(*slopes)


def test_where_their_risk_is_negative_the_step_goes_up_and_the_positive_term_is_dropped():
    f = torch.tensor([[3.0, 2.0, -4.0, -5.0]], requires_grad=True)
    marks = torch.tensor([[True, True, False, False]])
    on_positive, on_negative = unbiased_risk(f, mean_over(marks), mean_over(~marks), 0.8)
    assert on_negative.item() < 0
    risk = non_negative_risk(f, mean_over(marks), mean_over(~marks), 0.8, beta=0.0, gamma=0.5)
    assert risk.item() == pytest.approx(on_positive.item())
    up, = torch.autograd.grad(risk.sum(), f, retain_graph=True)
    negative, = torch.autograd.grad(on_negative.sum(), f)
    torch.testing.assert_close(up, -0.5 * negative)
    # Clamping at zero, which passes for the same, would leave the negatives where they are.
    assert up[0, 2:].abs().sum() > 0


def test_each_member_decides_for_itself_whether_to_go_up():
    f = torch.tensor([[3.0, 2.0, -4.0, -5.0], [0.0, 0.0, 1.0, 1.0]], requires_grad=True)
    marks = torch.tensor([[True, True, False, False]]).repeat(2, 1)
    together = non_negative_risk(f, mean_over(marks), mean_over(~marks), 0.8)
    apart = torch.cat([non_negative_risk(f[m : m + 1], mean_over(marks[:1]), mean_over(~marks[:1]), 0.8)
                       for m in (0, 1)])
    torch.testing.assert_close(together, apart)
    torch.testing.assert_close(*(torch.autograd.grad(x.sum(), f)[0] for x in (together, apart)))


def test_distribution_loss_has_the_absolute_value_outside_the_mean():
    z = torch.tensor([0.9, 0.7, 0.1, 0.5])
    marks = torch.tensor([[True, True, False, False]])
    loss = distribution_loss(torch.logit(z)[None], mean_over(marks), mean_over(~marks), 0.3)
    assert loss.item() == pytest.approx(2 * 0.3 * abs(0.8 - 1) + abs(0.3 - 0.3), abs=1e-6)


def test_belief_risk_is_its_formula():
    belief, f = [0.9, 0.2, 0.5, 0.0], F[0].tolist()
    loss = lambda t: 1 / (1 + math.exp(t))  # noqa: E731
    wanted = (sum(loss(x) for x in f[:2]) / 2
              + sum(b * loss(x) + (1 - b) * loss(-x) for x, b in zip(f[2:], belief, strict=True)) / 4)
    everyone = torch.tensor([[1.0, 1.0, *belief]])
    assert belief_risk(F, mean_over(IN_P), mean_over(~IN_P), everyone).item() == pytest.approx(wanted)


def test_what_is_believed_of_known_positives_does_not_count():
    sets = mean_over(IN_P), mean_over(~IN_P)
    belief = torch.tensor([[1.0, 1.0, 0.9, 0.2, 0.5, 0.0]])
    torch.testing.assert_close(
        belief_risk(F, *sets, belief), belief_risk(F, *sets, torch.where(IN_P, 0.3, belief)))
