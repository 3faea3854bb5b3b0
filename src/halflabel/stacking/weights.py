"""How much each view counts: half goes to those that rank P best, half by a logistic regression."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from halflabel.auc import prominence, pu_auc

PENALTY = 0.003  # on the sum of weights, so that views of noise get nothing
LEADERS = 0.5  # share of the best views in the score
TIE = 0.05  # of prominence: a view that is so much behind the best has a third of its say
MIN_SIGNAL = 0.01  # of the AUC above one half, below which views are all the same noise


def learn_weights(inputs: np.ndarray, known: np.ndarray) -> np.ndarray:
    """From standardised scores of nodes by networks that did not know them, (nodes, views), and who is in P.

    The logistic regression minds all nodes, where only the top of the list matters; the view in which P is
    most prominent has the better top, so the score is the mean of the two, each with unit variance. Views
    that are nearly as good as the best share with it.

    >>> rng = np.random.default_rng(0)
    >>> known = np.arange(400) < 100
    >>> inputs = np.column_stack([rng.normal(size=400) + 2 * known, rng.normal(size=400)])
    >>> weights = learn_weights(inputs, known)
    >>> bool(weights[0] > 0.5), bool(weights[1] < 0.1)
    (True, True)
    """
    auc = np.array([pu_auc(view[known], view[~known]) for view in inputs.T])
    signal = (auc - 0.5).clip(min=MIN_SIGNAL)
    prominent = np.array([prominence(view[known], view[~known]) for view in inputs.T])
    leading = _of_unit_variance(np.exp((prominent - prominent.max()) / TIE), inputs)
    mixed = _of_unit_variance(logistic_weights(inputs, known, PENALTY * signal.max() / signal), inputs)
    if not mixed.any():  # nothing but the best view carries signal
        return leading
    return LEADERS * leading + (1 - LEADERS) * mixed


def logistic_weights(inputs: np.ndarray, known: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """Logistic regression in which P and U weigh the same, and every view has a penalty of its own.

    With few positives, views of pure noise would otherwise get something. A network that ranks backwards is
    not to be trusted the other way round, hence no negative weights.
    """
    share = np.where(known, 0.5 / known.sum(), 0.5 / (~known).sum())

    def loss_and_gradient(point: np.ndarray) -> tuple[float, np.ndarray]:
        score = inputs @ point[:-1] + point[-1]
        loss = share @ (np.logaddexp(0, score) - known * score) + penalty @ point[:-1]
        residual = share * (expit(score) - known)
        return loss, np.append(inputs.T @ residual + penalty, residual.sum())

    views = inputs.shape[1]
    fitted = minimize(
        loss_and_gradient, np.append(np.full(views, 0.1), 0.0), jac=True, method="L-BFGS-B",
        bounds=[(0, None)] * views + [(None, None)]).x
    return fitted[:-1]  # the intercept ranks nobody


def _of_unit_variance(weights: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Zero, if the score does not vary."""
    spread = (inputs @ weights).std()
    return weights / spread if spread > 1e-9 else np.zeros_like(weights)
