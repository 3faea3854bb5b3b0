"""How much each view counts: half goes to the best one, half by logistic regression of P against U."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from halflabel.auc import pu_auc

PENALTY = 0.003  # on the sum of weights, so that views of noise get nothing
BEST = 0.5  # share of the best view in the score
MIN_SIGNAL = 0.01  # of the AUC above one half, below which views are all the same noise


@dataclass(frozen=True)
class Blend:
    """One number per view.

    >>> Blend(np.array([1.0, 0.5]), -1.0)(np.array([[2.0, 4.0]])).tolist()
    [3.0]
    """

    weights: np.ndarray
    intercept: float

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        """Scores from inputs of shape (nodes, views)."""
        return inputs @ self.weights + self.intercept


def learn_blend(inputs: np.ndarray, known: np.ndarray) -> Blend:
    """From standardised scores of nodes by networks that did not know them, (nodes, views), and who is in P.

    The logistic regression minds all nodes, where only the top of the list matters; the view that ranks P
    highest among U often has the better top, so the score is the mean of the two, each with unit variance.

    >>> rng = np.random.default_rng(0)
    >>> known = np.arange(400) < 100
    >>> inputs = np.column_stack([rng.normal(size=400) + 2 * known, rng.normal(size=400)])
    >>> weights = learn_blend(inputs, known).weights
    >>> bool(weights[0] > 0.5), bool(weights[1] < 0.1)
    (True, True)
    """
    auc = np.array([pu_auc(view[known], view[~known]) for view in inputs.T])
    signal = (auc - 0.5).clip(min=MIN_SIGNAL)
    mixed = logistic_blend(inputs, known, PENALTY * signal.max() / signal)
    best = np.arange(len(auc)) == auc.argmax()
    spread = float(mixed(inputs).std())
    if spread < 1e-9:  # nothing but the best view carries signal
        return Blend(best.astype(float), 0.0)
    return Blend(BEST * best + (1 - BEST) * mixed.weights / spread, (1 - BEST) * mixed.intercept / spread)


def logistic_blend(inputs: np.ndarray, known: np.ndarray, penalty: np.ndarray) -> Blend:
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
    return Blend(fitted[:-1], float(fitted[-1]))
