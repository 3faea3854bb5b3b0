"""A first idea of who is positive: known positives against everything unlabelled."""

from __future__ import annotations

import numpy as np

from halflabel.losses import balanced_loss, mean_over
from halflabel.methods.ensemble import Ensemble


def warm_up(nets: Ensemble, epochs: int, *, early_stopping: bool = False) -> np.ndarray:
    """Train P against U, and give the out-of-fold scores to estimate the prior from.

    With `early_stopping` the networks end where held-out positives ranked best; whether what follows ranks
    them better is judged anew, with a fresh optimiser.
    """
    positive, unlabelled = mean_over(nets.P), mean_over(nets.U)
    label = f"warming up {type(nets.settings).__name__}"
    for record in nets.training(epochs, label, early_stopping=early_stopping):
        record["loss"] = nets.descend(lambda f: balanced_loss(f, positive, unlabelled))
    # Moments of the old optimiser belong to another loss, and to states that were taken back.
    nets.start_stage(nets.settings.learning_rate, nets.settings.weight_decay)
    return nets.out_of_fold(nets.logits())
