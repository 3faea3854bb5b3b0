"""Classification losses on logits, each a short function with its formula.

Sets of nodes enter as weights that sum to one over the set, so that a mean is a dot product and the
members of an ensemble, each with sets of its own, are handled in one expression.
"""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import softplus


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
    return (positive * softplus(-logits)).sum() + (negative * softplus(logits)).sum()
