"""What methods on bootstrapped representations compute: agreement of views, closeness to known positives.

Representations have the shape (members, nodes, size). Sets of nodes are weights that sum to one over the set,
one row per member, as in `losses`; results have one value per member, or one per member and node.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import normalize


def disagreement(predicted: Tensor, target: Tensor, nodes: Tensor) -> Tensor:
    """mean_{nodes} 2 - 2 cos(predicted_i, target_i): the squared distance of the two on the unit sphere.

    >>> p, t = torch.tensor([[[1.0, 0.0], [2.0, 0.0]]]), torch.tensor([[[3.0, 0.0], [0.0, 1.0]]])
    >>> disagreement(p, t, nodes=torch.tensor([[0.5, 0.5]])).tolist()
    [1.0]
    """
    cosine = (normalize(predicted, dim=-1) * normalize(target, dim=-1)).sum(dim=-1)
    return 2 - 2 * (nodes * cosine).sum(dim=-1)


def similarity_to_centre(p: Tensor, positive: Tensor) -> Tensor:
    """cos(p_i, mean_{positive} p) for every node i.

    >>> p = torch.tensor([[[1.0, 0.0], [3.0, 0.0], [0.0, 1.0]]])
    >>> similarity_to_centre(p, positive=torch.tensor([[0.5, 0.5, 0.0]])).tolist()
    [[1.0, 1.0, 0.0]]
    """
    centre = positive[:, None] @ p
    return (normalize(p, dim=-1) * normalize(centre, dim=-1)).sum(dim=-1)


def spread(p: Tensor, positive: Tensor) -> Tensor:
    """mean_{positive} 2 - 2 cos(p_i, mean_{positive} p): how far known positives are from their centre.

    >>> p = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    >>> [round(value, 4) for value in spread(p, positive=torch.tensor([[0.5, 0.5]])).tolist()]
    [0.5858]
    """
    return 2 - 2 * (positive * similarity_to_centre(p, positive)).sum(dim=-1)


def near_centre(similarity: Tensor, positive: Tensor, outliers: float = 0.0) -> Tensor:
    """Nodes nearer to the centre than the farthest known positive.

    That share of the known positives, the `outliers`, has no say: one stray positive would otherwise widen
    the region for everybody.

    >>> similarity = torch.tensor([[1.0, 0.9, -0.5, 0.0]])
    >>> positive = torch.tensor([[True, True, True, False]])
    >>> near_centre(similarity, positive).tolist(), near_centre(similarity, positive, outliers=0.5).tolist()
    ([[True, True, False, True]], [[True, False, False, False]])
    """
    known = similarity.masked_fill(~positive, torch.nan)
    return similarity > known.nanquantile(outliers, dim=1, keepdim=True)


def moved_targets(targets: Tensor, label: Tensor, step: float) -> Tensor:
    """t <- (t + step y) / (1 + step): a soft label takes a step towards the class that `label` names.

    >>> moved_targets(torch.tensor([0.5, 0.5]), torch.tensor([True, False]), step=1.0).tolist()
    [0.75, 0.25]
    """
    return (targets + step * label) / (1 + step)


def highest(scores: Tensor, candidates: Tensor, count: int | Tensor) -> Tensor:
    """For each member, mark the `count` candidates of highest score, or all if there are fewer.

    `count` is one number for all members, or a column of one for each.

    >>> scores = torch.tensor([[0.9, 0.1, 0.5, 0.2]])
    >>> highest(scores, torch.tensor([[False, True, True, True]]), count=2).tolist()
    [[False, False, True, True]]
    """
    ranked = scores.masked_fill(~candidates, -torch.inf).argsort(dim=1, descending=True, stable=True)
    within = torch.arange(scores.shape[1], device=scores.device) < count
    return torch.zeros_like(candidates).scatter_(1, ranked, within.expand_as(ranked)) & candidates
