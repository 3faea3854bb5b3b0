"""The prior that a method was told to use: a number, its own estimate, or an estimator's by name."""

from __future__ import annotations

import numpy as np

from halflabel.errors import DataError
from halflabel.priors import Prior, estimate_prior


def chosen_prior(
    prior: float | str, out_of_fold: np.ndarray, positive: np.ndarray, unlabelled: np.ndarray,
    random_state: int = 0,
) -> Prior:
    """As given, or estimated from scores of nodes by models that did not know their labels.

    `out_of_fold` has a score for every node, nan where none is honest; `positive` and `unlabelled` are masks.

    >>> scores, positive = np.array([3.0, np.nan, 2.0, 0.0, -1.0]), np.array([1, 1, 0, 0, 0]) == 1
    >>> chosen_prior(0.25, scores, positive, ~positive).value
    0.25
    >>> chosen_prior("auto", scores, positive, ~positive).method
    'bbe'
    """
    if not isinstance(prior, str):
        return Prior(float(prior), float(prior), float(prior), "given")
    known = out_of_fold[positive]
    honest = known[~np.isnan(known)]
    if not len(honest):
        raise DataError(nobody_held_out(prior))
    method = "bbe" if prior == "auto" else prior
    return estimate_prior(honest, out_of_fold[unlabelled], method, random_state=random_state)


def nobody_held_out(prior: str) -> str:
    """The message for a prior that is to be estimated where no positive is kept aside for it."""
    return (f"prior={prior!r} with folds=0: no positive is held out to estimate the prior from. "
            "Give the prior as a number, or let folds be 1 or more.")
