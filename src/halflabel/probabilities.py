"""From scores to probabilities and a threshold that agree with the estimated prior."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit


def prior_shift(scores_u: np.ndarray, prior: float) -> float:
    """The constant b for which sigmoid(score + b) averages to the prior over the unlabelled nodes.

    >>> scores = np.array([-1.0, 0.0, 1.0])
    >>> round(float(expit(scores + prior_shift(scores, 0.2)).mean()), 6)
    0.2
    """
    prior = float(np.clip(prior, 1e-6, 1 - 1e-6))
    reach = 50.0 + float(np.abs(scores_u).max())
    return float(brentq(lambda b: expit(scores_u + b).mean() - prior, -reach, reach))


def top_share_threshold(probabilities_u: np.ndarray, share: float) -> float:
    """The smallest probability among the top `share` of the unlabelled nodes.

    >>> top_share_threshold(np.array([0.9, 0.1, 0.5, 0.2]), 0.5)
    0.5
    """
    count = round(share * len(probabilities_u))
    if count == 0:
        return float(np.nextafter(probabilities_u.max(), np.inf))
    return float(np.partition(probabilities_u, -count)[-count])
