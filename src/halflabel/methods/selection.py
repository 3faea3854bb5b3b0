"""Top-share selection: the unlabelled nodes that are most likely positive."""

from __future__ import annotations

import torch
from torch import Tensor


def top_share(logits: Tensor, candidates: Tensor, share: float) -> Tensor:
    """For each member, a row that marks the highest scores: floor(share |U|) of the candidates, which are the
    positions of the unlabelled nodes.

    >>> logits = torch.tensor([[3.0, 1.0, 2.0, 0.0]])
    >>> top_share(logits, torch.tensor([1, 2, 3]), 0.4).tolist()
    [[False, False, True, False]]
    """
    count = int(share * len(candidates))
    top = logits.index_select(1, candidates).topk(count, dim=1, sorted=False).indices
    return torch.zeros_like(logits, dtype=torch.bool).scatter_(1, candidates.take(top), True)
