"""From scores to probabilities and a threshold that agree with the estimated prior."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, log_expit

FLAT = 0.01  # probabilities that span less than this are one answer for everybody
SLOPES = (-4.0, 2.0)  # range of log(slope); steeper, probabilities round to one, and ties have no order


def prior_shift(scores_u: np.ndarray, prior: float) -> float:
    """The constant b for which sigmoid(score + b) averages to the prior over the unlabelled nodes.

    >>> scores = np.array([-1.0, 0.0, 1.0])
    >>> round(float(expit(scores + prior_shift(scores, 0.2)).mean()), 6)
    0.2
    """
    prior = float(np.clip(prior, 1e-6, 1 - 1e-6))
    reach = 50.0 + float(np.abs(scores_u).max())
    return float(brentq(lambda b: expit(scores_u + b).mean() - prior, -reach, reach))


def calibration_slope(
    scores_p: np.ndarray, scores_u: np.ndarray, prior: float, slopes: tuple[float, float] = SLOPES
) -> float:
    """How steep the sigmoid should be, from scores of nodes by networks that did not train on them.

    If g(s) is the probability of being positive, known positives have the density g(s) p_U(s) / prior. Among
    the sigmoids that average to the prior over U, the best is the one under which they are most likely: too
    steep, and those with a low score are impossible; too flat, and those with a high score are wasted.

    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(0, 2, 20_000)
    >>> positive = rng.random(20_000) < expit(scores)
    >>> known = positive & (rng.random(20_000) < 0.3)
    >>> slope = calibration_slope(3 * scores[known], 3 * scores[~known], positive[~known].mean())
    >>> 0.28 < slope < 0.45
    True
    """
    def loss(log_slope: float) -> float:
        slope = np.exp(log_slope)
        return -float(log_expit(slope * scores_p + prior_shift(slope * scores_u, prior)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=slopes, method="bounded").x))


def cut_between(scores: np.ndarray, flagged: np.ndarray) -> float:
    """A number above every score that is not flagged and below every one that is, next to the deciding one.

    No score lies on the border itself, which scikit-learn counts now to one side, now to the other.

    >>> scores = np.array([0.5, 2.0, 1.0])
    >>> scores > cut_between(scores, scores >= 1.0)
    array([False,  True,  True])
    """
    scores = scores.astype(np.float64)
    if not flagged.any():
        return float(np.nextafter(scores.max(), np.inf))
    return float(np.nextafter(scores[flagged].min(), -np.inf))
