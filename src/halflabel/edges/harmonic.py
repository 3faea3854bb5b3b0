"""Harmonic functions on a graph: fixed at some nodes, the mean of their neighbours at all others."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from halflabel.edges.walks import degrees, normalised

MAX_STEPS = 1000


def harmonic(
    matrix: sparse.csr_array, clamped: np.ndarray, *, tolerance: float = 1e-8, max_steps: int = MAX_STEPS
) -> np.ndarray:
    """Gaussian fields (Zhu, Ghahramani, Lafferty, 2003), a column for each set of clamped nodes.

    `clamped` holds +1 and -1 where the value is known and 0 elsewhere; so does the result where no known
    value can be reached. Conjugate gradients on I - S restricted to the free nodes, S = D^-1/2 A D^-1/2:
    all columns advance by the same sparse product, each with steps of its own.

    >>> path = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]))
    >>> harmonic(path, np.array([[1.0], [0.0], [-1.0]])).ravel().tolist()
    [1.0, 0.0, -1.0]
    """
    S, root = normalised(matrix), np.sqrt(degrees(matrix))[:, None]
    free = clamped == 0
    solution = np.zeros_like(clamped, dtype=np.float64)
    residual = free * (S @ (root * clamped))
    direction, squares = residual.copy(), _squares(residual)
    enough = tolerance**2 * squares
    for _ in range(max_steps):
        if (squares <= enough).all():
            break
        image = direction - free * (S @ direction)
        step = _ratio(squares, (direction * image).sum(axis=0))
        solution += step * direction
        residual -= step * image
        before, squares = squares, _squares(residual)
        direction = residual + _ratio(squares, before) * direction
    else:
        missing = float(np.sqrt(_ratio(squares, enough / tolerance**2)).max())
        warnings.warn(f"the harmonic function still has a residual of {missing:.1g} after {max_steps} steps "
                      "of conjugate gradients; its values are approximate.", ConvergenceWarning, stacklevel=2)
    values = np.divide(solution, root, out=np.zeros_like(solution), where=root > 0)
    # Rounding must not lift a mean above what it is a mean of.
    return clamped + values.clip(-1.0, 1.0)


def neighbour_mean(matrix: sparse.csr_array, values: np.ndarray) -> np.ndarray:
    """Weighted mean over the neighbours of every node; 0 for a node without any.

    >>> path = sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]))
    >>> neighbour_mean(path, np.array([[1.0], [0.0], [0.5]])).ravel().tolist()
    [0.0, 0.75, 0.0]
    """
    total, degree = matrix @ values, degrees(matrix)[:, None]
    return np.divide(total, degree, out=np.zeros_like(total), where=degree > 0)


def _squares(columns: np.ndarray) -> np.ndarray:
    return np.einsum("nm,nm->m", columns, columns)


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """A column that is solved already has 0 / 0, and stays where it is."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
