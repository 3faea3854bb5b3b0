"""The common prior: one for all methods, since precision and F1 by different priors could not be compared."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from halflabel.crossfit import cross_fit
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.priors import Prior, estimate_prior
from halflabel.priors.estimators import find_estimator
from halflabel.viewprior import prior_from_views

FOLDS = 5
VIEWS, FALL_BACK = "two_view", "bbe"


def common_prior(graph: Graph, known: np.ndarray, method: str = "auto", random_state: int = 0) -> Prior:
    """The share of positives among the unlabelled nodes, by none of the methods that are compared.

    "auto" is `prior_from_views`, and where views carry no signal, "bbe" on cross-fitted scores.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> common_prior(graph, payments_positives(y), "bbe").method
    'bbe'
    """
    check_prior_name(method)
    folds = min(FOLDS, int(known.sum()))
    if method in ("auto", VIEWS):
        try:
            return prior_from_views(graph, known, folds=folds, random_state=random_state)
        except DataError:
            if method != "auto":
                raise
            method = FALL_BACK
    fitted = cross_fit(graph, known, folds=folds, random_state=random_state)
    return estimate_prior(fitted.scores_p, fitted.scores_u, method, random_state=random_state)


def check_prior_name(method: str) -> None:
    """Name what is there if this is not an estimator's name.

    >>> check_prior_name("auto")
    """
    if method != "auto":
        find_estimator(method)


def as_share(prior: Any) -> float | None:
    """The prior if it is a number, None if it is to be estimated.

    >>> as_share(0.1), as_share("auto")
    (0.1, None)
    """
    if isinstance(prior, str):
        return None
    if not isinstance(prior, Real) or not 0 < float(prior) < 1:
        raise DataError(f"prior={prior!r}: expected a share between 0 and 1, 'auto', or an estimator's name.")
    return float(prior)
