"""Classification losses on logits, each a short function with its formula.

Sets of nodes enter as weights that sum to one over the set, so that a mean is a dot product and the
members of an ensemble, each with sets of its own, are handled in one expression. Losses have one value per
member.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import softplus

Surrogate = Literal["sigmoid", "logistic"]


def mean_over(members: Tensor, total: Callable[[Tensor], Tensor] = lambda count: count) -> Tensor:
    """Weights that average over the nodes marked in each row; an empty row averages nothing.

    Where the nodes are shared among processes, `total` adds up what each of them counts.

    >>> import torch
    >>> mean_over(torch.tensor([[True, True, False]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    weights = members.float()
    return weights / total(weights.sum(dim=-1, keepdim=True)).clamp_min(1.0)


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


def belief_risk(logits: Tensor, positive: Tensor, unlabelled: Tensor, belief: Tensor) -> Tensor:
    """mean_P l(f) + mean_U [ b l(f) + (1 - b) l(-f) ] with the sigmoid loss l (Yoo et al., 2021).

    `belief` is b, the probability of every node to be positive; with b = 0 it is P against U.

    >>> f, marks = torch.zeros(1, 2), torch.tensor([[True, False]])
    >>> belief_risk(f, mean_over(marks), mean_over(~marks), torch.tensor([[1.0, 0.3]])).item()
    1.0
    """
    as_positive, as_negative = surrogate_loss(logits, "sigmoid"), surrogate_loss(-logits, "sigmoid")
    towards = positive + unlabelled * belief
    return (towards * as_positive).sum(dim=-1) + (unlabelled * (1 - belief) * as_negative).sum(dim=-1)


def distance_aware_loss(
    logits: Tensor, positive: Tensor, near: Tensor, far: Tensor, near_prior: float, far_prior: float
) -> Tensor:
    """Shares of positives near P and far from it match two priors (Yang et al., 2023; PU-GNN).

        2 (pi^ + pi~) |mean_P z - 1| + |mean_near z - pi^| + |mean_far z - pi~|

    An empty set has no share to match, and its term is left out.

    >>> f, nodes = torch.zeros(1, 3), torch.eye(3)[:, None]
    >>> distance_aware_loss(f, *mean_over(nodes), near_prior=0.5, far_prior=0.25).item()
    1.0
    >>> distance_aware_loss(f, nodes[0], nodes[1], 0 * nodes[2], near_prior=0.5, far_prior=0.25).item()
    0.75
    """
    z = torch.sigmoid(logits)
    loss = 2 * (near_prior + far_prior) * ((positive * z).sum(dim=-1) - 1).abs()
    for weights, prior in ((near, near_prior), (far, far_prior)):
        filled = weights.sum(dim=-1) > 0
        loss = loss + filled * ((weights * z).sum(dim=-1) - prior).abs()
    return loss


def structural_loss(h: Tensor, edges: tuple[Tensor, Tensor], non_edges: tuple[Tensor, Tensor]) -> Tensor:
    """Embeddings of neighbours agree and those of others do not: the regulariser of PU-GNN.

        mean_{edges} (s_ij - 1)^2 + mean_{non-edges} s_ij^2   with   s_ij = sigma(h_i . h_j)

    `h` has shape (members, nodes, hidden). Without any pair of a kind, its mean is zero.

    >>> h = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    >>> pairs = torch.tensor([0]), torch.tensor([1])
    >>> structural_loss(h, edges=pairs, non_edges=pairs).item()
    0.5
    """
    by_node = h.transpose(0, 1).contiguous()  # gathering whole rows is the fast direction

    def mean_gap(pairs: tuple[Tensor, Tensor], wanted: float) -> Tensor:
        first, second = (by_node.index_select(0, ends) for ends in pairs)
        gap = torch.sigmoid((first * second).sum(dim=-1)) - wanted
        return gap.square().sum(dim=0) / max(len(gap), 1)

    return mean_gap(edges, 1.0) + mean_gap(non_edges, 0.0)
