"""The prior from blended scores: the mean of three estimates that err in different directions.

`bbe` needs a region of high scores without negatives, and where there is none it is too high, many times if
positives are rare. `dedpul` smooths the ratio of densities, and is less so; how wide to smooth few positives
nobody knows, so it does so in three ways. The sigmoid estimate supposes that the probability of being
positive is a sigmoid of the score, whose bend tells the prior even if the top is not pure; it is mostly too
low. All means are of log odds, so that .02 is as far from .01 as from .04, and neither of the others pulls
`dedpul` by more than LEASH.

The last two depend on the scale of the scores, which in a blend means nothing. So they are given ranks,
spread like a normal distribution: whatever has the same ranking has the same prior.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit, log_expit, logit

from halflabel.auc import SEPARATED, WEAK, implied_auc, pu_auc
from halflabel.priors import Prior, best_bin
from halflabel.priors.bootstrap import bootstrap_interval
from halflabel.priors.dedpul import dedpul
from halflabel.priors.estimators import ESTIMATORS
from halflabel.priors.ranks import normal_scores
from halflabel.probabilities import calibration_slope, prior_shift

RANGE = (0.002, 0.98)
SLOPES = (-4.0, 6.0)  # range of log(slope): of classes that do not overlap it is steep
SMOOTHINGS = (0.0, 0.5, 0.8)  # of `dedpul`; the first is as published
LEASH = np.log(2)  # of log odds, by which others may differ from `dedpul` before they are not believed


def stacked_prior(scores_p: np.ndarray, scores_u: np.ndarray, *, random_state: int = 0) -> Prior:
    """The mean of the three, on normal scores; the interval holds all that is believed, and that of `dedpul`.

    Their disagreement is what there is to know about the overlap of the classes: a bootstrap does not see it.
    Where scores say little, the interval starts at zero.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(2, 1, 300), rng.normal(-1, 1, 900)]
    >>> prior = stacked_prior(rng.normal(2, 1, 300), U)
    >>> abs(prior.value - 0.25) < 0.03, prior.low < 0.25 < prior.high
    (True, True)
    """
    scores_p, scores_u = normal_scores(scores_p, scores_u)
    bbe, sigmoid = best_bin(scores_p, scores_u), sigmoid_prior(scores_p, scores_u)
    of_ratio = smoothed_dedpul(scores_p, scores_u)
    usual = ESTIMATORS["dedpul"]
    low, high = bootstrap_interval(
        smoothed_dedpul, scores_p, scores_u, value=of_ratio, replicates=usual.replicates, most=usual.most,
        random_state=random_state)
    middle = log_odds(of_ratio, len(scores_u))
    # Where scores do not bend, all shares below some value are as likely, and the peak may lie next to zero.
    leashed = [np.clip(log_odds(share, len(scores_u)), middle - LEASH, middle + LEASH)
               for share in (bbe, sigmoid)]
    value = float(expit(np.mean([middle, *leashed])))
    low, high = min(value, low, float(expit(leashed[1]))), max(value, high, bbe)
    return Prior(value, 0.0 if _says_little(scores_p, scores_u, value) else low, high, "stacked")


def smoothed_dedpul(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """The mean over SMOOTHINGS of `dedpul`: with few positives, each of them alone depends on where they lie.

    >>> rng = np.random.default_rng(1)
    >>> P, U = rng.normal(4, 1, 6), np.r_[rng.normal(4, 1, 6), rng.normal(0, 1, 180)]  # a share of .032
    >>> round(dedpul(P, U), 3), round(smoothed_dedpul(P, U), 3)
    (0.005, 0.025)
    """
    shares = (dedpul(scores_p, scores_u, smoothing=smoothing) for smoothing in SMOOTHINGS)
    return float(expit(np.mean([log_odds(share, len(scores_u)) for share in shares])))


def log_odds(share: float, count: int) -> float:
    """Of a share of so many nodes; finite, as if it were at least half a node away from none and from all.

    >>> round(log_odds(0.5, 100), 2), round(log_odds(0.0, 100), 2)
    (0.0, -5.29)
    """
    return float(logit(np.clip(share, 0.5 / count, 1 - 0.5 / count)))


def _says_little(scores_p: np.ndarray, scores_u: np.ndarray, prior: float) -> bool:
    """Whether P ranks hardly above U, and not because nearly all of U is positive and ranks above the rest.

    Estimates are upper bounds then, and nothing bounds the share from below.
    """
    auc = pu_auc(scores_p, scores_u)
    return auc < WEAK and implied_auc(auc, prior) < SEPARATED


def sigmoid_prior(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """The share at which known positives are most likely: max over pi and slope of mean_P log(g(s) / pi).

    Known positives have the density g(s) p_U(s) / pi, where g is the sigmoid that averages to pi over U.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(1, 1, 900), rng.normal(-1, 1, 2100)]
    >>> abs(sigmoid_prior(rng.normal(1, 1, 1000), U) - 0.3) < 0.05
    True
    """
    def loss(at: float) -> float:
        prior = 1 / (1 + np.exp(-at))
        slope = calibration_slope(scores_p, scores_u, prior, SLOPES)
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
