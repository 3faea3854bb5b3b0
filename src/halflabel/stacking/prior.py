"""The prior from blended scores: the mean of three estimates that err in different directions.

`bbe` needs a region of high scores without negatives, and where there is none it is too high. `dedpul`
smooths the ratio of densities, and is less so. The sigmoid estimate supposes that the probability of being
positive is a sigmoid of the score, whose bend tells the prior even if the top is not pure; it is mostly too
low.

The last two depend on the scale of the scores, which in a blend means nothing. So they are given ranks,
spread like a normal distribution: whatever has the same ranking has the same prior.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_expit, ndtri
from scipy.stats import rankdata

from halflabel.priors import Prior, estimate_prior
from halflabel.probabilities import calibration_slope, prior_shift

RANGE = (0.002, 0.98)
LEAST = 0.5  # of what `dedpul` says, below which the sigmoid estimate is not believed


def stacked_prior(scores_p: np.ndarray, scores_u: np.ndarray, *, random_state: int = 0) -> Prior:
    """The mean of the three, on normal scores; the interval holds all of them, and that of `dedpul`.

    Their disagreement is what there is to know about the overlap of the classes: a bootstrap does not see it.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(2, 1, 300), rng.normal(-1, 1, 900)]
    >>> prior = stacked_prior(rng.normal(2, 1, 300), U)
    >>> abs(prior.value - 0.25) < 0.03, prior.low < 0.25 < prior.high
    (True, True)
    """
    scores_p, scores_u = normal_scores(scores_p, scores_u)
    bbe, dedpul = (estimate_prior(scores_p, scores_u, method, random_state=random_state)
                   for method in ("bbe", "dedpul"))
    # Where scores do not bend, all shares below some value are as likely, and the peak may lie next to zero.
    sigmoid = max(sigmoid_prior(scores_p, scores_u), LEAST * dedpul.value)
    values = [bbe.value, dedpul.value, sigmoid]
    return Prior(float(np.mean(values)), min(*values, dedpul.low), max(*values, dedpul.high), "stacked")


def normal_scores(scores_p: np.ndarray, scores_u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The normal quantile of each score's rank among all of them.

    >>> [part.round(2).tolist() for part in normal_scores(np.array([9.0]), np.array([-1.0, 100.0]))]
    [[0.0], [-0.67, 0.67]]
    """
    ranks = rankdata(np.r_[scores_p, scores_u])
    spread = ndtri(ranks / (len(ranks) + 1))
    return spread[: len(scores_p)], spread[len(scores_p) :]


def sigmoid_prior(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """The share at which known positives are most likely: max over pi and slope of mean_P log(g(s) / pi).

    Known positives have the density g(s) p_U(s) / pi, where g is the sigmoid that averages to pi over U.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(1, 1, 900), rng.normal(-1, 1, 2100)]
    >>> abs(sigmoid_prior(rng.normal(1, 1, 1000), U) - 0.3) < 0.05
    True
    """
    def loss(log_odds: float) -> float:
        prior = 1 / (1 + np.exp(-log_odds))
        slope = calibration_slope(scores_p, scores_u, prior)
        fit = log_expit(slope * scores_p + prior_shift(slope * scores_u, prior)).mean()
        return float(np.log(prior) - fit)

    low, high = (np.log(share / (1 - share)) for share in RANGE)
    # The likelihood may have two peaks: a coarse grid first.
    grid = np.linspace(low, high, 25)
    best = int(np.argmin([loss(at) for at in grid]))
    step = grid[1] - grid[0]
    found = minimize_scalar(loss, bounds=(grid[best] - step, grid[best] + step), method="bounded",
                            options={"xatol": 0.01}).x
    return float(1 / (1 + np.exp(-np.clip(found, low, high))))
