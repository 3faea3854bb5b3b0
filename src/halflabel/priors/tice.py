"""TIcE: tree induction for label-frequency estimation (Bekker and Davis, AAAI 2018, "Estimating the class
prior in positive and unlabeled data through decision tree induction").

The label frequency c = P(labelled | positive) is at least the share of labelled points in *any* region, and
equals it in a region of positives only. A tree finds such regions in one fold, the others estimate c there:

    c_low = L/T - sqrt(c0 (1 - c0) (1 - delta) / (delta T)),   delta = max(.025, 1/(1 + .004 T_estimation))

with T points of which L are labelled. One change to what is published: c_low chooses the region, but L/T
there is the estimate, as in BBE. Returned itself, c_low is low whatever the data say. At a prior of .8 with
1,000 + 4,000 points c = 1,000/4,200 = .238, and even the region of all positives in four folds, T = 3,360
points with delta = 1/17 and c0 = .204 from the first round, has c_low = .238 - sqrt(.204 * .796 * 16 / 3,360)
= .210, which stands for a prior of .94. The price: of many regions the best by chance is taken, which makes
L/T a little too high.

What is published is the upper end of the interval, which takes the margin off L/T and adds it, in the same
regions. A path cuts a feature once, into quarters of its range: spread-out features help, single outliers
hurt.
"""

from __future__ import annotations

import heapq
from itertools import count
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from halflabel.priors.bootstrap import LEVEL
from halflabel.priors.conversion import prior_from_label_frequency
from halflabel.priors.samples import as_samples, unit_columns

FOLDS = 5
ROUNDS = 2
PIECES = 4
MIN_POINTS = 10
MAX_SPLITS = 500
SMOOTHING = 5  # k in the criterion max L/(T + k)
QUANTILE = NormalDist().inv_cdf((1 + LEVEL) / 2)


def tice(P: np.ndarray, U: np.ndarray, *, random_state: int = 0) -> float:
    """Share of positives in U: s(1 - c) / ((1 - s) c) with s = n_p/(n_p + n_u), cut at one.

    c is the mean over folds of L/T in the region with the largest c_low, not that c_low, which is what is
    published. Too few points for any bound leave c near s, the answer near 1: all of U may be positive.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 2800), rng.normal(5, 1, 3200)
    >>> abs(tice(positive[:2000], np.r_[negative, positive[2000:]]) - 0.3) < 0.02
    True
    """
    return _priors(P, U, random_state).share


def tice_interval(P: np.ndarray, U: np.ndarray, *, random_state: int = 0) -> tuple[float, float]:
    """The shares of positives in U that L/T plus and minus the margin stand for, in the chosen regions.

    The upper end is the published estimate, unless points are so few that delta leaves a margin below 1.645
    standard deviations, which the interval never goes below. Only the lower end assumes regions without
    negatives.

    >>> rng = np.random.default_rng(0)
    >>> negative, positive = rng.normal(0, 1, 2800), rng.normal(5, 1, 3200)
    >>> low, high = tice_interval(positive[:2000], np.r_[negative, positive[2000:]])
    >>> low < 0.3 < high
    True
    """
    priors = _priors(P, U, random_state)
    return priors.most, priors.least


class _Bounds(NamedTuple):
    """Of the label frequency, or the priors they stand for: c_low, L/T, and the ends of the interval."""

    low: float
    share: float
    least: float
    most: float


def _priors(P: np.ndarray, U: np.ndarray, random_state: int) -> _Bounds:
    P, U = unit_columns(*as_samples(P, U))
    n_p, n_u = len(P), len(U)
    bounds = _label_frequency(P, U, np.random.default_rng(random_state))
    # Copies of the authors' script return one minus the prior, the share of negatives.
    shares = np.clip(bounds, n_p / (n_p + n_u), 1.0)
    return _Bounds(*(min(prior_from_label_frequency(float(c), n_p, n_u), 1.0) for c in shares))


def _label_frequency(P: np.ndarray, U: np.ndarray, rng: np.random.Generator) -> _Bounds:
    pieces = np.minimum(np.r_[P, U] * PIECES, PIECES - 1).astype(np.int32)
    labelled = np.arange(len(pieces)) < len(P)
    # One code for feature, piece and label, so that a single bincount tells all counts of a region.
    codes = 2 * (PIECES * np.arange(pieces.shape[1], dtype=np.int32) + pieces) + labelled[:, None]
    fold = rng.permutation(len(codes)) % FOLDS
    c = _Bounds(0.5, 0.5, 0.5, 0.5)
    for _ in range(ROUNDS):
        # c0, the current c in the margin, stays c_low as published: so does the upper end of the interval.
        bounds = np.array([_best_bounds(codes, fold == k, c.low) for k in np.unique(fold)])
        c = _Bounds(*bounds.mean(axis=0).tolist())
    return c


class _Region(NamedTuple):
    """A cell of the tree: rows that grow the tree, rows that estimate c, features unused on its path."""

    tree: np.ndarray
    estimation: np.ndarray
    unused: np.ndarray


def _best_bounds(codes: np.ndarray, in_tree: np.ndarray, c0: float) -> _Bounds:
    """The largest c_low on the estimation rows, over regions of a tree grown best first on the others.

    With it the interval in that region. All rows, the first candidate, hold negatives: any larger c may be.
    """
    tree, estimation = np.flatnonzero(in_tree), np.flatnonzero(~in_tree)
    if len(estimation) == 0:
        return _Bounds(0.0, 0.0, 0.0, 1.0)
    delta = max(0.025, 1 / (1 + 0.004 * len(estimation)))
    spread = c0 * (1 - c0) * (1 - delta) / delta
    interval_spread = max(spread, c0 * (1 - c0) * QUANTILE**2)

    def bounds(total: float, n_labelled: float) -> _Bounds:
        share, margin = n_labelled / total, float(np.sqrt(interval_spread / total))
        return _Bounds(share - float(np.sqrt(spread / total)), share, share - margin, share + margin)

    in_all = float(np.mean(codes[estimation, 0] % 2))
    best = _Bounds(in_all, in_all, in_all, 1.0)
    needed = 1.0  # labelled points without which a region cannot raise the bound
    order = count()  # breaks ties of the queue
    queue = [(0.0, 0.0, next(order), _Region(tree, estimation, np.ones(codes.shape[1], dtype=bool)))]
    for _ in range(MAX_SPLITS):
        if not queue:
            break
        children = _split(codes, heapq.heappop(queue)[-1], needed)
        for child in children:
            total, n_labelled = _sizes(codes, child.estimation)
            if total >= MIN_POINTS:
                best = max(best, bounds(total, n_labelled))
        needed = spread / (1 - best.low) ** 2 if best.low < 1 else np.inf
        for child in children:
            total, n_labelled = _sizes(codes, child.tree)
            worth = _sizes(codes, child.estimation)[1] > needed
            if worth and total > MIN_POINTS and 0 < n_labelled < total:
                heapq.heappush(queue, (-bounds(total, n_labelled).low, -n_labelled, next(order), child))
    return best


def _split(codes: np.ndarray, region: _Region, needed: float) -> list[_Region]:
    """Cut along the unused feature with the largest max over pieces of L/(T + k) on the tree rows."""
    held_out = _counts(codes, region.estimation)
    totals = held_out.sum(axis=2)
    unused = region.unused & (held_out[:, :, 1].max(axis=1) >= needed)
    divides = unused & (np.count_nonzero(totals, axis=1) > 1)
    counts = _counts(codes, region.tree)
    score = np.where(divides, (counts[:, :, 1] / (counts.sum(axis=2) + SMOOTHING)).max(axis=1), 0.0)
    feature = int(np.argmax(score))
    if score[feature] == 0:
        return []
    unused[feature] = False
    tree, estimation = (_piece(codes, rows, feature) for rows in (region.tree, region.estimation))
    return [
        _Region(region.tree[tree == k], region.estimation[estimation == k], unused) for k in range(PIECES)
    ]


def _counts(codes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Number of rows by (feature, piece, labelled)."""
    width = codes.shape[1]
    return np.bincount(codes[rows].ravel(), minlength=2 * PIECES * width).reshape(width, PIECES, 2)


def _sizes(codes: np.ndarray, rows: np.ndarray) -> tuple[int, int]:
    """T and L of a region."""
    return len(rows), int(np.count_nonzero(codes[rows, 0] % 2))


def _piece(codes: np.ndarray, rows: np.ndarray, feature: int) -> np.ndarray:
    return codes[rows, feature] // 2 - PIECES * feature
