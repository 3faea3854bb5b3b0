"""Nothing that is not finite gets out of training: it stops, and says when, and why as far as is known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from halflabel.diskrows import DiskRows
from halflabel.errors import DivergedError

if TYPE_CHECKING:
    from halflabel.methods.ensemble import Ensemble

HIGH_RATE = 0.1
LARGE = 1e4  # a scaled feature this far out is a mistake in the data, or an outlier that is all that counts


def finite_loss(nets: Ensemble, loss: float, what: str = "loss") -> float:
    """The loss, if it is a number."""
    if not math.isfinite(loss):
        raise DivergedError(_message(nets, f"the {what} is {loss}"))
    return loss


def check_scores(nets: Ensemble, scores: np.ndarray) -> None:
    """Steps after the last loss may have gone wrong as well."""
    if not np.isfinite(scores).all():
        raise DivergedError(_message(nets, f"{int((~np.isfinite(scores)).sum()):,} scores are not finite"))


def _message(nets: Ensemble, what: str) -> str:
    return f"{type(nets.settings).__name__}: {what} in epoch {len(nets.history) + 1}. {_likely_cause(nets)}"


def _likely_cause(nets: Ensemble) -> str:
    rates = {name: value for name, value in nets.settings.get_params().items()
             if name.endswith("learning_rate") and value > HIGH_RATE}
    if rates:
        shown = ", ".join(f"{name}={value:g}" for name, value in rates.items())
        return f"Likely cause: {shown}, which is high. The default is 0.01: try that, or less."
    X = nets.problem.X
    values = np.empty(0) if isinstance(X, DiskRows) else X if isinstance(X, np.ndarray) else X.data
    if (largest := float(np.abs(values).max(initial=0.0))) > LARGE or not math.isfinite(largest):
        return (f"Likely cause: a feature that is {largest:.3g} after scaling. Look for outliers or a wrong "
                "unit in the features, or leave the column out (ignore=[...]).")
    return "Likely cause: steps too long for these data. Try a tenth of the learning_rate, or scale features."
