"""One call for every estimator: checks the scores, estimates, adds an interval."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from halflabel.errors import DataError
from halflabel.priors.bootstrap import bootstrap_interval
from halflabel.priors.estimators import REGROUP, Estimator, find_estimator
from halflabel.priors.prior import Prior
from halflabel.priors.regroup import overlap_is_seen, regroup

LARGEST = 1e100  # squares of larger numbers overflow


def estimate_prior(
    scores_p: Any,
    scores_u: Any,
    method: str = "bbe",
    *,
    replicates: int | None = None,
    random_state: int = 0,
) -> Prior:
    """Estimate the share of positives among unlabelled nodes from scores of both, with a 90 % interval.

    Higher scores must mean more positive; "dedpul" takes them for logits. Scores of positives that the
    model was trained on bias the estimate downward: pass scores of held-out ones. "km1", "km2", "tice" and
    "pen_l1" also take embeddings, one row a node; "two_view" takes two columns, one a view. "regroup" is its
    base estimator unless classes are seen to overlap; then its interval spans those with and without
    regrouping, as the former aims below or above the prior.
    `replicates` are those of the bootstrap, by default as many as the estimator's speed allows. Scores
    that are all equal say nothing: the interval is [0, 1], and estimators in feature space refuse them.

    >>> rng = np.random.default_rng(0)
    >>> positive, negative = rng.normal(3, 1, 2000), rng.normal(0, 1, 1400)
    >>> prior = estimate_prior(positive[:1400], np.r_[positive[1400:], negative])  # 600 of 2000
    >>> round(prior.value, 1), prior.low < 0.3 < prior.high
    (0.3, True)
    """
    estimator, regrouped = find_estimator(method)
    P, U = (_checked(name, scores, method, "one" if regrouped else estimator.columns)
            for name, scores in (("scores_p", scores_p), ("scores_u", scores_u)))
    if P.shape[1:] != U.shape[1:]:
        raise DataError(f"scores_p has rows of {P.shape[1:]} and scores_u of {U.shape[1:]} numbers: the same "
                        "embedding is needed for both.")
    draws = estimator.replicates if replicates is None else replicates
    as_it_is = _with_interval(estimator, P, U, draws, random_state)
    if not regrouped or (regrouped == REGROUP and not overlap_is_seen(P, U)):
        return Prior(*as_it_is, method)
    value, low, high = _with_interval(estimator, regroup(P, U), U, draws, random_state)
    return Prior(value, min(low, as_it_is[1]), max(high, as_it_is[2]), method)


def _with_interval(
    estimator: Estimator, P: np.ndarray, U: np.ndarray, replicates: int, random_state: int
) -> tuple[float, float, float]:
    """The estimate, and an interval that holds it; [0, 1] if all scores are equal."""
    value = float(_load(estimator, estimator.point, random_state)(P, U))
    if not (P - P[0]).any() and not (U - P[0]).any():
        return value, 0.0, 1.0
    low, high = _interval(estimator, P, U, value, replicates, random_state)
    return value, min(low, value), max(high, value)


def _load(estimator: Estimator, function: str, random_state: int) -> Callable:
    """The point function or the bound, which take no seed unless the estimator is seeded."""
    loaded = estimator.load(function)
    return partial(loaded, random_state=random_state) if estimator.seeded else loaded


def _interval(
    estimator: Estimator, P: np.ndarray, U: np.ndarray, value: float, replicates: int, random_state: int
) -> tuple[float, float]:
    if estimator.interval is None:
        return bootstrap_interval(
            _load(estimator, estimator.point, random_state), P, U,
            value=value, replicates=replicates, most=estimator.most, random_state=random_state)
    if estimator.replicates == 0:
        return _load(estimator, estimator.interval, random_state)(P, U)
    return estimator.load(estimator.interval)(P, U, replicates=replicates, random_state=random_state)


def _checked(name: str, scores: Any, method: str, columns: str) -> np.ndarray:
    """Finite numbers in the shape that the estimator takes."""
    array = np.asarray(scores, dtype=float)
    dimensions = {"one": (1,), "two": (2,), "any": (1, 2)}[columns]
    wanted = {"one": "list of finite numbers", "two": "two-column table of finite numbers, one column a view",
              "any": "list of finite numbers, or of rows of them"}[columns]
    odd = np.count_nonzero(~(np.abs(array) <= LARGEST))
    if array.ndim not in dimensions or array.size == 0 or odd or (columns == "two" and array.shape[1] != 2):
        raise DataError(f"{name} must be a non-empty {wanted}, for {method!r}; got shape {array.shape} with "
                        f"{odd} values that are not finite or beyond {LARGEST:g}.")
    return array
