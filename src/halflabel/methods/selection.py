"""Top-share selection: the unlabelled nodes that are most likely positive."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def top_share(logits: Tensor, unlabelled: np.ndarray, share: float) -> Tensor:
    """For each member, a row that marks the floor(share |U|) unlabelled nodes with its highest scores.

    >>> logits = torch.tensor([[3.0, 1.0, 2.0, 0.0]])
    >>> top_share(logits, np.array([False, True, True, True]), 0.4).tolist()
    [[False, False, True, False]]
    """
    candidates = torch.as_tensor(unlabelled, device=logits.device).nonzero()[:, 0]
    count = int(share * len(candidates))
    top = logits[:, candidates].topk(count, dim=1, sorted=False).indices
    return torch.zeros_like(logits, dtype=torch.bool).scatter_(1, candidates[top], True)
