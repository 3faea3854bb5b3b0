"""Prior: the share of positives among the unlabelled nodes, with an interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from halflabel.errors import DataError, unknown_name
from halflabel.priors.bbe import best_bin, best_bin_interval


class Prior(NamedTuple):
    """Share of positives among the *unlabelled* nodes, with a 90 % interval.

    >>> Prior(0.2, 0.15, 0.26, "bbe").value
    0.2
    """

    value: float
    low: float
    high: float
    method: str


def estimate_prior(
    scores_p: np.ndarray, scores_u: np.ndarray, method: str = "bbe", *, random_state: int = 0
) -> Prior:
    """Estimate the share of positives among unlabelled nodes from scores of both.

    Higher scores must mean more positive. Scores of positives that the model was trained on bias the
    estimate downward: pass scores of held-out ones.

    >>> rng = np.random.default_rng(0)
    >>> positive, negative = rng.normal(3, 1, 2000), rng.normal(0, 1, 1400)
    >>> prior = estimate_prior(positive[:1400], np.r_[positive[1400:], negative])  # 600 of 2000
    >>> round(prior.value, 1), prior.low < 0.3 < prior.high
    (0.3, True)
    """
    if method != "bbe":
        raise DataError(unknown_name("prior estimator", method, ["bbe"]))
    scores_p, scores_u = _as_scores("scores_p", scores_p), _as_scores("scores_u", scores_u)
    value = best_bin(scores_p, scores_u)
    low, high = best_bin_interval(scores_p, scores_u, random_state=random_state)
    return Prior(value, min(low, value), max(high, value), method)


def _as_scores(name: str, scores: np.ndarray) -> np.ndarray:
    array = np.asarray(scores, dtype=float)
    if array.ndim != 1 or len(array) == 0 or not np.isfinite(array).all():
        raise DataError(f"{name} must be a non-empty list of finite numbers; got shape {array.shape} with "
                        f"{np.count_nonzero(~np.isfinite(array))} values that are not finite.")
    return array
