"""A first idea of who is positive: known positives against everything unlabelled."""

from __future__ import annotations

import numpy as np
import torch

from halflabel.losses import balanced_loss, mean_over
from halflabel.methods.ensemble import Ensemble


def warm_up(nets: Ensemble, epochs: int, *, judge_every: int = 0) -> np.ndarray:
    """Train P against U, and give the out-of-fold scores to estimate the prior from.

    With `judge_every` the networks end where held-out positives ranked best; whether what follows ranks them
    better is judged anew, with a fresh optimiser.
    """
    positive, unlabelled = mean_over(nets.P), mean_over(nets.U)
    label = f"warming up {type(nets.settings).__name__}"
    for record in nets.training(epochs, label, judge_every=judge_every):
        record["loss"] = nets.descend(lambda f: balanced_loss(f, positive, unlabelled))
    nets.best_auc, nets.best_weights = -np.inf, None
    # The moments of the old one belong to another loss, and to states that were taken back.
    nets.optimiser = torch.optim.Adam(
        nets.network.parameters(), lr=nets.settings.learning_rate, weight_decay=nets.settings.weight_decay)
    return nets.out_of_fold(nets.logits())
