"""The prior from scores by several views that are independent given the class.

Of an unlabelled node with scores z_1 .. z_V by V views (its features, what is around it, its links), say

    p_U(z) = pi f_1(z_1) ... f_V(z_V) + (1 - pi) g_1(z_1) ... g_V(z_V),

with f_v the density of view v over the known positives. The densities g_v of negatives and pi follow by
expectation-maximisation (Benaglia, Chauveau and Hunter, JCGS 2009, here with one of the classes known): they
are told by how far views agree within U. No region has to be free of negatives, and it matters less who of
the positives happens to be known. But negatives on which views err together look like a class of their own:
the more of these there are, the more the estimate is too high.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from halflabel.priors.ranks import normal_scores

GRID = np.linspace(-4.5, 4.5, 181)  # of normal scores, on which densities are kept
FLOOR = 1e-3  # added to every density: nobody is impossible
STEPS, TOLERANCE = 200, 1e-4


def share_of_products(views_p: np.ndarray, views_u: np.ndarray) -> float:
    """pi of the mixture above; a row for each view.

    >>> rng = np.random.default_rng(0)
    >>> U = np.c_[rng.normal(1.5, 1, (3, 900)), rng.normal(0, 1, (3, 2100))]  # a share of .3
    >>> abs(share_of_products(rng.normal(1.5, 1, (3, 1000)), U) - 0.3) < 0.03
    True
    """
    normal = [normal_scores(*view) for view in zip(views_p, views_u, strict=True)]
    P, U = (np.stack([_cell(view[side]) for view in normal]) for side in range(2))
    # Kernels of one width everywhere: a smoothed mixture is then the mixture of what was smoothed.
    kernel = _kernel((P.shape[1] + U.shape[1]) ** -0.2)
    log_f = sum(_log_density(kernel, p, u) for p, u in zip(P, U, strict=True))
    positive = expit(sum(u for _, u in normal))  # where it begins hardly ever matters
    for _ in range(STEPS):
        log_g = sum(_log_density_of_others(kernel, u, 1 - positive) for u in U)
        before, odds = positive, logit(np.clip(positive.mean(), 1e-6, 1 - 1e-6))
        positive = expit(log_f - log_g + odds)
        if np.abs(positive - before).max() < TOLERANCE:
            break
    return float(positive.mean())


def _cell(normal: np.ndarray) -> np.ndarray:
    """Where on the grid each score lies."""
    step = GRID[1] - GRID[0]
    return np.clip(np.rint((normal - GRID[0]) / step).astype(np.int64), 0, len(GRID) - 1)


def _kernel(width: float) -> np.ndarray:
    """What a point of the grid adds to the density at every other one."""
    return np.exp(-(((GRID[:, None] - GRID) / width) ** 2) / 2) / (width * np.sqrt(2 * np.pi))


def _log_density(kernel: np.ndarray, sample: np.ndarray, cells: np.ndarray) -> np.ndarray:
    density = kernel @ np.bincount(sample, minlength=len(GRID)) / len(sample)
    return np.log(density + FLOOR)[cells]


def _log_density_of_others(kernel: np.ndarray, cells: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """At every node by all the others: its own posterior must not confirm itself."""
    others = (kernel @ np.bincount(cells, weight, len(GRID)))[cells] - kernel[0, 0] * weight
    return np.log(np.maximum(others, 0) / np.maximum(weight.sum() - weight, 1e-9) + FLOOR)
