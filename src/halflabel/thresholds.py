"""Which nodes to flag: the best expected F1, or what a budget, a precision or a ratio of costs asks for."""

from __future__ import annotations

import numpy as np

from halflabel.errors import DataError


def flag(
    probability: np.ndarray,
    *,
    budget: int | None = None,
    precision: float | None = None,
    cost_ratio: float | None = None,
) -> np.ndarray:
    """Marks nodes by their probabilities of being positive, the most likely first.

    - `budget`: as many as can be looked at.
    - `precision`: as many as possible of which at least this share is expected to be positive.
    - `cost_ratio`: what a missed positive costs, in false alarms; flagged is what saves more than it costs.
    - none of them: the number with the largest expected F1, 2 E[hits] / (flagged + E[positives]).

    Give the probabilities of the nodes to choose from, the unlabelled: `model.predict_proba()[~known, 1]`.
    Ties go to the node that is listed first.

    >>> probability = np.array([0.9, 0.1, 0.6, 0.05])
    >>> flag(probability, budget=1).tolist()
    [True, False, False, False]
    >>> flag(probability, precision=0.7).tolist()
    [True, False, True, False]
    >>> flag(probability, cost_ratio=9).tolist()
    [True, True, True, False]
    >>> flag(probability).tolist()
    [True, False, True, False]
    """
    probability = _checked(probability)
    if sum(goal is not None for goal in (budget, precision, cost_ratio)) > 1:
        raise DataError("give one of budget, precision and cost_ratio: each of them decides alone")
    order = np.argsort(-probability, kind="stable")
    hits, count = np.cumsum(probability[order]), np.arange(1, len(order) + 1)
    if budget is not None:
        if budget < 0 or budget != int(budget):
            raise DataError(f"budget={budget}: a whole number of nodes, 0 or more, was expected")
        chosen = int(budget)
    elif precision is not None:
        if not 0 < precision <= 1:
            raise DataError(f"precision={precision}: a share above 0 and up to 1 was expected")
        # Rounding must not cost a node: the mean of equal numbers may come out a little below them.
        chosen = int((hits / count >= precision - 1e-12).sum())
    elif cost_ratio is not None:
        if not cost_ratio > 0:
            raise DataError(f"cost_ratio={cost_ratio}: a number above 0 was expected, 10 if a missed "
                            "positive is as bad as ten false alarms")
        chosen = int((probability * cost_ratio >= (1 - probability) - 1e-12).sum())
    else:
        chosen = int(np.argmax(2 * hits / (count + hits[-1]))) + 1 if len(order) and hits[-1] > 0 else 0
    flagged = np.zeros(len(order), dtype=bool)
    flagged[order[:chosen]] = True
    return flagged


def _checked(probability: np.ndarray) -> np.ndarray:
    probability = np.asarray(probability, dtype=np.float64)
    if probability.ndim != 1:
        raise DataError(f"probabilities of shape {probability.shape}: one for each node was expected, as in "
                        "model.predict_proba()[~known, 1]")
    if not ((probability >= 0) & (probability <= 1)).all():
        raise DataError("probabilities outside of 0 to 1, or not numbers: scores are no probabilities, "
                        "predict_proba has them")
    return probability
