"""Classification losses on logits, each a short function with its formula.

Sets of nodes enter as weights that sum to one over the set, so that a mean is a dot product and the
members of an ensemble, each with sets of its own, are handled in one expression. Losses have one value per
member.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import softplus

Surrogate = Literal["sigmoid", "logistic"]


def mean_over(members: Tensor) -> Tensor:
    """Weights that average over the nodes marked in each row; an empty row averages nothing.

    >>> import torch
    >>> mean_over(torch.tensor([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    weights = members.float()
    return weights / weights.sum(dim=-1, keepdim=True).clamp_min(1.0)


def balanced_loss(logits: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
    """mean_{positive} l(f, +1) + mean_{negative} l(f, -1) with the logistic loss (Eq. 8).

    Each class has weight one however few its nodes are: unbalanced, the loss falls into "all negative".

    >>> import torch
    >>> logits = torch.tensor([[0.0, 0.0]])
    >>> loss = balanced_loss(logits, mean_over(logits == 0), mean_over(logits == 0))
    >>> round(loss.item(), 4)
    1.3863
    """
    return (positive * softplus(-logits)).sum(dim=-1) + (negative * softplus(logits)).sum(dim=-1)


def surrogate_loss(margin: Tensor, surrogate: Surrogate) -> Tensor:
    """l(t), decreasing in the margin t = y f: sigma(-t), which is bounded, or log(1 + exp(-t))."""
    return torch.sigmoid(-margin) if surrogate == "sigmoid" else softplus(-margin)


def unbiased_risk(
    logits: Tensor, positive: Tensor, unlabelled: Tensor, prior: float, surrogate: Surrogate = "sigmoid"
) -> tuple[Tensor, Tensor]:
    """The two parts of the unbiased PU risk (du Plessis et al., 2015); their sum is the risk of uPU.

        pi R_p^+   and   N = R_u^- - pi R_p^-

    N estimates the risk on negatives, which cannot be negative; an estimate that is, is over-fitting.

    >>> f, marks = torch.zeros(1, 2), torch.tensor([[True, False]])
    >>> [part.item() for part in unbiased_risk(f, mean_over(marks), mean_over(~marks), prior=0.5)]
    [0.25, 0.25]
    """
    as_positive, as_negative = surrogate_loss(logits, surrogate), surrogate_loss(-logits, surrogate)
    on_positive = prior * (positive * as_positive).sum(dim=-1)
    on_negative = ((unlabelled - prior * positive) * as_negative).sum(dim=-1)
    return on_positive, on_negative


def non_negative_risk(
    logits: Tensor, positive: Tensor, unlabelled: Tensor, prior: float,
    surrogate: Surrogate = "sigmoid", beta: float = 0.0, gamma: float = 1.0,
) -> Tensor:
    """The risk of nnPU (Kiryo et al., 2017), with its ascent step.

    Where N >= -beta, pi R_p^+ + N. Elsewhere the value is pi R_p^+ - beta while the gradient is that of
    -gamma N alone: the step undoes over-fitting instead of ignoring it, which max(0, N) would do.

    >>> f = torch.tensor([[-2.0, -3.0]], requires_grad=True)
    >>> marks = torch.tensor([[True, False]])
    >>> risk = non_negative_risk(f, mean_over(marks), mean_over(~marks), prior=0.9)
    >>> risk.backward()
    >>> f.grad.tolist()[0][1] < 0  # the unlabelled node is pushed up again
    True
    """
    on_positive, on_negative = unbiased_risk(logits, positive, unlabelled, prior, surrogate)
    overfitted = on_negative < -beta
    value = torch.where(overfitted, on_positive - beta, on_positive + on_negative)
    followed = torch.where(overfitted, -gamma * on_negative, on_positive + on_negative)
    return followed + (value - followed).detach()


def distribution_loss(logits: Tensor, positive: Tensor, unlabelled: Tensor, prior: float) -> Tensor:
    """2 pi |mean_P z - 1| + |mean_U z - pi|: predicted shares match the known ones (Zhao et al., 2022).

    The absolute value is outside the mean: inside, it would push every node to the prior.

    >>> f, marks = torch.zeros(1, 2), torch.tensor([[True, False]])
    >>> distribution_loss(f, mean_over(marks), mean_over(~marks), prior=0.5).item()
    0.5
    """
    z = torch.sigmoid(logits)
    mean_p, mean_u = (positive * z).sum(dim=-1), (unlabelled * z).sum(dim=-1)
    return 2 * prior * (mean_p - 1).abs() + (mean_u - prior).abs()
