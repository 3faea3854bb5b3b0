"""Whether positives seem to have been labelled at random.

Where nearly everybody is positive, being known is all that can differ: if positives were labelled at random,
the known and the unlabelled among the highest scorers have the same features and degrees. A feature in which
they differ by more than chance allows is what the labelling may have gone by.

The test is one-sided in what it can say. A network learns P against U, so it learns the labelling's taste
along with the class, and ranks high whom the labelling likes: a bias may be hidden by that.
docs/assumptions.md has how often a bias is found, and how often one is found that is not there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.stats import norm

from halflabel.features.diskrows import BLOCK_VALUES
from halflabel.graph import Graph

SURE = 0.8  # probability from which unlabelled nodes are taken for positives
ENOUGH, MANY = 15, 10_000  # nodes on either side: the fewest that tell, the most that are looked at
COMMON = 0.1  # share of the compared nodes that must have a feature: rare ones are never normal
LEVEL = 0.001  # chance of a false alarm, over all features together
LEAST = 0.1  # of a standard deviation: less than that, the negatives among the sure ones can make


def labels_not_random(graph: Graph, known: np.ndarray, probability: np.ndarray) -> str | None:
    """What the labelling seems to have gone by, in words; None if nothing shows, or too few nodes could.

    `probability` is out of fold; a node that was learned from would look surer than its like.

    >>> rng = np.random.default_rng(0)
    >>> graph = Graph.from_edges([0], [1], rng.normal(size=(400, 2)), feature_names=("age", "size"))
    >>> labels_not_random(graph, rng.random(400) < 0.5, np.ones(400)) is None
    True
    >>> labels_not_random(graph, graph.X[:, 0] > 0, np.ones(400)).split(":")[0]
    "Known positives differ from unlabelled nodes that score as high, above all in 'age'"
    """
    sure = probability >= SURE
    labelled, others = (_some(np.flatnonzero(sure & side)) for side in (known, ~known))
    if min(len(labelled), len(others)) < ENOUGH:
        return None
    here, there, both = (
        _Moments.of(graph, graph.nodes[chosen])
        for chosen in (labelled, others, np.concatenate([labelled, others])))
    usual = both.present > COMMON
    error = both.spread * np.sqrt(1 / len(labelled) + 1 / len(others))
    z = np.where(usual & (error > 0), (here.mean - there.mean) / np.maximum(error, 1e-12), 0.0)
    z[np.abs(here.mean - there.mean) < LEAST * both.spread] = 0.0
    most = int(np.abs(z).argmax())
    if 2 * norm.sf(abs(z[most])) * usual.sum() > LEVEL or not z[most]:
        return None
    name = [*graph.names(), "degree"][most]
    way = "higher" if z[most] > 0 else "lower"
    return (f"Known positives differ from unlabelled nodes that score as high, above all in {name!r}: it is "
            f"{way} among the {len(labelled)} known ones by {abs(z[most]):.1f} standard errors. Positives "
            "were probably not labelled at random, so those that are left may look different and be more "
            "than estimated. Label some that were found in another way.")


class _Moments(NamedTuple):
    """Of the features of some nodes, and of their degree on a logarithmic scale: mean, spread, share above or
    below zero. Sparse features stay sparse: there may be a hundred thousand of them."""

    mean: np.ndarray
    spread: np.ndarray
    present: np.ndarray

    @classmethod
    def of(cls, graph: Graph, nodes: np.ndarray) -> _Moments:
        degree = np.diff(graph.indptr)[nodes] + np.bincount(graph.indices, minlength=graph.n_nodes)[nodes]
        features = _dense_moments if isinstance(graph.X, np.ndarray) else _sparse_moments
        parts = [features(graph.X, nodes), _dense_moments(np.log1p(degree)[:, None], np.arange(len(nodes)))]
        return cls(*(np.concatenate(both) for both in zip(*parts, strict=True)))


def _dense_moments(X: np.ndarray, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A few rows at a time: X may be larger than memory. Counted from the first row, sums stay exact."""
    first = X[nodes[0]].astype(np.float64)
    total, square, present = np.zeros((3, X.shape[1]))
    step = max(1, BLOCK_VALUES // max(1, X.shape[1]))
    for start in range(0, len(nodes), step):
        rows = np.asarray(X[nodes[start : start + step]])
        moved = rows - first
        total += moved.sum(axis=0)
        square += (moved**2).sum(axis=0)
        present += (rows != 0).sum(axis=0)
    return first + total / len(nodes), _spread(total / len(nodes), square / len(nodes)), present / len(nodes)


def _sparse_moments(X: sparse.csr_array, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = X[nodes].astype(np.float64)
    parts = rows, rows.power(2), rows != 0
    mean, square, present = (np.asarray(part.mean(axis=0)).ravel() for part in parts)
    return mean, _spread(mean, square), present


def _spread(mean: np.ndarray, square: np.ndarray) -> np.ndarray:
    return np.sqrt(np.maximum(square - mean**2, 0))


def _some(nodes: np.ndarray) -> np.ndarray:
    """All of them, or many, evenly spaced."""
    return nodes if len(nodes) <= MANY else nodes[np.linspace(0, len(nodes) - 1, MANY).astype(np.int64)]
