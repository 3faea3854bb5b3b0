"""AlphaMax (Jain, White, Trosset and Radivojac, 2016): where the likelihood of the mixture starts to fall.

Up to the true share of positives a mixture explains the data as well as any; beyond it, not. The likelihood
curve over supposed shares therefore has a knee at the prior.
"""

from __future__ import annotations

import numpy as np

from halflabel.priors.bootstrap import interval_around
from halflabel.priors.knee import find_knee

STEP = 0.005  # published: .01; the knee is found up to three steps too early, whatever the step
ALPHAS = np.arange(1, 199) * STEP
RESOLUTION = 3 * STEP
MAX_BINS = 200
MIN_IN_BIN = 10  # unlabelled points in a bin; where only P had points, the likelihood would be zero
HALVINGS = 24  # of the range of the multiplier
REPLICATES = 40


def alphamax(scores_p: np.ndarray, scores_u: np.ndarray) -> float:
    """The knee of LL(alpha) = max over 0 <= beta_b <= 1 with sum_b w_b beta_b = alpha of

        mean_U log(alpha f_P(x) + sum_b (1 - beta_b) w_b k_b(x)) + mean_P log(sum_b beta_b w_b k_b(x) / alpha)

    with f_P the histogram of P, w_b the share of U in bin b and k_b the uniform density there.

    The answer is 1 if all scores are equal.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(6, 1, 300), rng.normal(0, 1, 700)]
    >>> abs(alphamax(rng.normal(6, 1, 500), U) - 0.3) < 0.05
    True
    """
    if np.ptp(np.r_[scores_p, scores_u]) == 0:
        return 1.0
    counts_p, counts_u = _histograms(scores_p, scores_u)
    return float(_estimates(counts_p[None], counts_u[None])[0])


def alphamax_interval(
    scores_p: np.ndarray, scores_u: np.ndarray, *, replicates: int = REPLICATES, random_state: int = 0
) -> tuple[float, float]:
    """Bootstrap of both histograms, wider at either end by what the knee finder cannot resolve.

    >>> rng = np.random.default_rng(0)
    >>> U = np.r_[rng.normal(6, 1, 300), rng.normal(0, 1, 700)]
    >>> low, high = alphamax_interval(rng.normal(6, 1, 500), U)
    >>> 0.2 < low < high < 0.4
    True
    """
    rng = np.random.default_rng(random_state)
    counts_p, counts_u = _histograms(scores_p, scores_u)
    n_p, n_u = counts_p.sum(), counts_u.sum()
    resampled_p = rng.multinomial(n_p, counts_p / n_p, size=replicates)
    resampled_u = rng.multinomial(n_u, counts_u / n_u, size=replicates)
    value = alphamax(scores_p, scores_u)
    low, high = interval_around(value, _estimates(resampled_p, resampled_u))
    return max(low - RESOLUTION, 0.0), min(high + RESOLUTION, 1.0)


def _histograms(scores_p: np.ndarray, scores_u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts in bins of the width that suits P, over the range of both, joined where U has few points."""
    low, high = min(scores_p.min(), scores_u.min()), max(scores_p.max(), scores_u.max())
    unit_p, unit_u = ((scores - low) / (high - low) for scores in (scores_p, scores_u))
    # Scott's rule, the one for densities that are smooth; a P without spread gets the narrowest bins.
    width = 3.49 * unit_p.std() * len(unit_p) ** (-1 / 3)
    bins = int(np.clip(1 / max(width, 1 / MAX_BINS), 2, MAX_BINS))
    counts_p, counts_u = (np.histogram(unit, bins, (0.0, 1.0))[0] for unit in (unit_p, unit_u))
    starts = _merged(counts_u)
    return np.add.reduceat(counts_p, starts), np.add.reduceat(counts_u, starts)


def _merged(counts: np.ndarray) -> np.ndarray:
    """Where bins start when neighbours are joined until each holds MIN_IN_BIN points."""
    starts, held = [0], 0
    for index, count in enumerate(counts.tolist()):
        if held >= MIN_IN_BIN and counts[index:].sum() >= MIN_IN_BIN:
            starts.append(index)
            held = 0
        held += count
    return np.array(starts)


def _estimates(counts_p: np.ndarray, counts_u: np.ndarray) -> np.ndarray:
    """One estimate for each row of the two histograms."""
    p = counts_p / counts_p.sum(axis=1, keepdims=True)
    # One more unlabelled point, spread over the bins, keeps the likelihood finite where only P has points.
    bins = counts_u.shape[1]
    w = (counts_u + 1 / bins) / (counts_u.sum(axis=1, keepdims=True) + 1)
    return np.array([ALPHAS[_fall(row_p, row_w)] for row_p, row_w in zip(p, w, strict=True)])


def _fall(p: np.ndarray, w: np.ndarray) -> int:
    """Index of the alpha from which on the likelihood falls, the curve first made to fall throughout."""
    falling = np.maximum.accumulate(_log_likelihoods(p, w)[::-1])[::-1]
    return find_knee(-falling)


def _log_likelihoods(p: np.ndarray, w: np.ndarray) -> np.ndarray:
    """LL at every alpha, at once and exactly.

    With t_b = w_b beta_b, the mass of positives in bin b, the problem is to maximise the concave
    sum_b w_b log(A_b - t_b) + p_b log t_b, A_b = alpha p_b + w_b, with sum_b t_b = alpha and t_b <= w_b.
    Its multiplier m decides every bin alone (p/t - w/(A - t) = m, a quadratic), and the sum falls with m.
    """
    alpha = ALPHAS[:, None]
    A = alpha * p + w
    low, high = -1 / (1 - alpha), 1 / alpha  # where the sum is surely too large, and too small
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        too_much = _positives_by_bin(middle, p, w, A).sum(axis=1, keepdims=True) > alpha
        low, high = np.where(too_much, middle, low), np.where(too_much, high, middle)
    t = _positives_by_bin((low + high) / 2, p, w, A)
    logs = np.log(np.where(p > 0, t, 1.0))  # 0 log 0 = 0
    return (w * np.log(A - t) + p * (logs - np.log(alpha))).sum(axis=1)


def _positives_by_bin(m: np.ndarray, p: np.ndarray, w: np.ndarray, A: np.ndarray) -> np.ndarray:
    """The root of m t^2 - (m A + p + w) t + p A between 0 and A, cut at w; two forms, neither cancels."""
    b = m * A + p + w
    root = np.sqrt(np.maximum(b * b - 4 * m * p * A, 0.0))
    down = b <= 0
    t = np.where(down, b - root, 2 * p * A) / np.where(down, np.where(down, 2 * m, 1.0), b + root)
    return np.clip(t, 0.0, w)
