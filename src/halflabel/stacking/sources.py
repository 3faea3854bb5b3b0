"""Sources: what a node is, what is around it, and whom it links to; each tells of its class in its own way.

Estimates of the prior on one score depend on who of the positives is known: by chance these rank above or
below the hidden ones, and a score cannot tell that from fewer or more positives. With 50 known, that is most
of the error. How far sources agree within U depends less on it, but on their being independent within a
class, which they never quite are: negatives on which they err together count as positives, and outweigh
these where they are rare. So sources are asked where few positives are known and not too few are left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from halflabel.auc import pu_auc
from halflabel.priors import Prior
from halflabel.priors.products import share_of_products
from halflabel.priors.ranks import normal_scores
from halflabel.stacking.prior import log_odds

# Views that see both a node and its neighbours (hops, traits nearby, trees) belong to none.
SOURCES = (("traits", "own", "alike"), ("convolution", "pagerank"),
           ("links to", "links from", "company", "peers"))
# Errors as they were found (docs/decisions.md).
CHANCE = 8.0  # squared, of log odds by one score, times the known positives
TOGETHER = 0.06  # of odds by sources, because of negatives on which they err together
FAR = 2.0  # standard deviations, from which on sources are believed to err by more than is known


def source_scores(
    names: Sequence[str], scores: np.ndarray, positive: np.ndarray, unlabelled: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of P and of U, a row for each source: its views' normal scores, by how well each ranks P.

    `scores` has a row for each view, by networks that did not know the node. Sources that rank P no better
    than chance are left out.

    >>> positive = np.arange(4) < 2
    >>> scores = np.array([[3.0, 2.0, 1.0, 0.0], [3.0, 2.0, 1.0, 0.0], [0.0, 1.0, 2.0, 3.0]])
    >>> P, U = source_scores(["own", "alike", "links to"], scores, positive, ~positive)
    >>> P.shape, U.shape
    ((1, 2), (1, 2))
    """
    found = []
    for source in SOURCES:
        views = [normal_scores(score[positive], score[unlabelled])
                 for name, score in zip(names, scores, strict=True) if name in source]
        says = [max(pu_auc(*view) - 0.5, 0.0) for view in views]
        if any(says):
            found.append([sum(say * view[side] for say, view in zip(says, views, strict=True))
                          for side in range(2)])
    P, U = (np.array([source[side] for source in found]).reshape(len(found), nodes.sum())
            for side, nodes in enumerate((positive, unlabelled)))
    return P, U


def agreed_prior(prior: Prior, sources_p: np.ndarray, sources_u: np.ndarray) -> Prior:
    """The prior by one score, drawn towards that by sources if these are the more credible.

    Each counts by the inverse of its squared error, in log odds. That of sources grows with how far they
    depend on each other, which shows among the known positives, and as positives become rare.

    >>> rng = np.random.default_rng(0)
    >>> U = np.c_[rng.normal(2, 1, (3, 30)), rng.normal(0, 1, (3, 70))]
    >>> prior = agreed_prior(Prior(0.4, 0.35, 0.5, "stacked"), rng.normal(2, 1, (3, 30)), U)
    >>> 0.3 < prior.value < 0.36, prior.low < 0.35
    (True, True)
    """
    if len(sources_p) < 2:
        return prior
    nodes = sources_u.shape[1]
    one = log_odds(prior.value, nodes)
    by_one = CHANCE / sources_p.shape[1]
    by_sources = dependence(sources_p) ** 4 + (TOGETHER / np.exp(one)) ** 2
    if by_sources > by_one:
        return prior
    apart = log_odds(share_of_products(sources_p, sources_u), nodes) - one
    weight = by_one / max(by_one + by_sources, (apart / FAR) ** 2)
    value = float(expit(one + weight * apart))
    return Prior(value, min(prior.low, value), max(prior.high, value), prior.method)


def dependence(sources_p: np.ndarray) -> float:
    """The mean correlation of any two sources over the known positives; at least 0.

    >>> round(dependence(np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]])), 2)
    0.98
    >>> dependence(np.array([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]]))  # to the second, all of them are alike
    0.0
    """
    spread = sources_p.std(axis=1)
    centred = (sources_p - sources_p.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1)[:, None]
    correlation = centred @ centred.T / sources_p.shape[1]
    return float(max(correlation[np.triu_indices(len(sources_p), k=1)].mean(), 0.0))
