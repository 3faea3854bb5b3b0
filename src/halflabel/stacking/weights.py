"""How much each view counts: logistic regression of P against U on scores, with weights of zero or more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from halflabel.auc import pu_auc

PENALTY = 0.003  # on the sum of weights; docs/auto.md compares others
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

    P and U weigh the same. The penalty is the larger, the worse a view ranks P among U: with few positives,
    views of pure noise would otherwise get something. A network that ranks backwards is not to be trusted
    the other way round, hence no negative weights.

    >>> rng = np.random.default_rng(0)
    >>> known = np.arange(400) < 100
    >>> inputs = np.column_stack([rng.normal(size=400) + 2 * known, rng.normal(size=400)])
    >>> weights = learn_blend(inputs, known).weights
    >>> bool(weights[0] > 0.5), bool(weights[1] < 0.1)
    (True, True)
    """
    signal = np.array([pu_auc(view[known], view[~known]) - 0.5 for view in inputs.T]).clip(min=MIN_SIGNAL)
    penalty = PENALTY * signal.max() / signal
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
