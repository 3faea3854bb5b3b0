"""Nothing that is not finite gets out of training: it stops, and says when, and why as far as is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from halflabel.errors import DivergedError

if TYPE_CHECKING:
    from halflabel.methods.ensemble import Ensemble

HIGH_RATE = 0.1


def finite_loss(nets: Ensemble, loss: float, what: str = "loss") -> float:
    """The loss, if it is a number."""
    if not math.isfinite(loss):
        raise DivergedError(_message(nets, f"the {what} is {loss} in epoch {len(nets.history) + 1}"))
    return loss


def check_scores(nets: Ensemble, scores: np.ndarray) -> None:
    """Steps after the last loss may have gone wrong as well."""
    if not np.isfinite(scores).all():
        bad = int((~np.isfinite(scores)).sum())
        raise DivergedError(_message(nets, f"{bad:,} scores are not finite after epoch {len(nets.history)}"))


def _message(nets: Ensemble, what: str) -> str:
    return f"{type(nets.settings).__name__}: {what}. {_likely_cause(nets)}"


def _likely_cause(nets: Ensemble) -> str:
    rates = {name: value for name, value in nets.settings.get_params().items()
             if name.endswith("learning_rate") and value > HIGH_RATE}
    if rates:
        shown = ", ".join(f"{name}={value:g}" for name, value in rates.items())
        return f"Likely cause: {shown}, which is high. The default is 0.01: try that, or less."
    # Scaled features and weights of edges are bounded, so it is the steps.
    return "Likely cause: steps too long for these data. Try a tenth of the learning_rate."
