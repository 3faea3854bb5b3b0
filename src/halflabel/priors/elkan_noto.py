"""The ratio of mean probabilities (Elkan and Noto, KDD 2008; ratio form after Garg et al., NeurIPS 2021)."""

from __future__ import annotations

import numpy as np
from scipy.special import log_expit, logsumexp

from halflabel.priors.bootstrap import interval_around, resampled_means
from halflabel.priors.roc import roc_interval

REPLICATES = 500


def elkan_noto(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """pi = mean_U p / mean_P p with p = sigmoid(score), cut at 1.

    Scores are logits of a classifier of positives against unlabelled. mean_P p estimates the label frequency
    c = P(labelled | positive), and p = c on every positive if the classes are separable; unlabelled
    negatives then have p = 0. Where classes overlap they have not, and the estimate is too high.

    >>> round(elkan_noto(np.array([9.0, 9.0]), np.array([9.0, -40.0, -40.0, -40.0])), 6)
    0.25
    """
    # In logarithms, because probabilities of very negative logits are zero and their ratio is not.
    log_u = logsumexp(log_expit(scores_u)) - np.log(len(scores_u))
    log_p = logsumexp(log_expit(scores_p)) - np.log(len(scores_p))
    return float(np.exp(min(log_u - log_p, 0.0)))


def elkan_noto_interval(
    scores_p: np.ndarray, scores_u: np.ndarray, *, replicates: int = REPLICATES, random_state: int = 0
) -> tuple[float, float]:
    """Bootstrap of both means; the lower end is at most that of `roc_interval` on the same scores.

    Negatives have positive probability, which raises the ratio by more than its spread if classes overlap,
    while the tail ratio that the ROC interval reads off needs only a threshold above almost all negatives.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(20, 1, 300), rng.normal(-20, 1, 700)]
    >>> low, high = elkan_noto_interval(rng.normal(20, 1, 300), U)
    >>> low < 0.3 < high
    True
    """
    rng = np.random.default_rng(random_state)
    log_p, log_u = log_expit(scores_p), log_expit(scores_u)
    shift = max(log_p.max(), log_u.max())
    means_p = resampled_means(np.exp(log_p - shift)[:, None], replicates, rng)[:, 0]
    means_u = resampled_means(np.exp(log_u - shift)[:, None], replicates, rng)[:, 0]
    # A ratio beyond 1, or over a mean that vanishes, says no more than "all of them".
    ratios = np.where(means_u < means_p, means_u, means_p) / np.where(means_p > 0, means_p, 1.0)
    low, high = interval_around(elkan_noto(scores_p, scores_u), np.where(means_p > 0, ratios, 1.0))
    return min(low, roc_interval(scores_p, scores_u)[0]), high
