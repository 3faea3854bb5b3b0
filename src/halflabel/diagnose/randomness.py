"""Whether positives seem to have been labelled at random.

Where nearly everybody is positive, being known is all that can differ: if positives were labelled at random,
the known and the unlabelled among the highest scorers have the same features and degrees. A feature in which
they differ by more than chance allows is what the labelling may have gone by.

The test is one-sided in what it can say. A network learns P against U, so it learns the labelling's taste
along with the class, and ranks high whom the labelling likes: a bias may be hidden by that.
docs/assumptions.md has how often a bias is found, and how often one is found that is not there.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from halflabel.graph import Graph

SURE = 0.8  # probability from which unlabelled nodes are taken for positives
ENOUGH = 15  # nodes on either side
COMMON = 0.1  # share of the compared nodes that must have a feature: rare ones are never normal
LEVEL = 0.001  # chance of a false alarm, over all features together


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
    labelled, others = np.flatnonzero(sure & known), np.flatnonzero(sure & ~known)
    if min(len(labelled), len(others)) < ENOUGH:
        return None
    here, there = (_described(graph, graph.nodes[chosen]) for chosen in (labelled, others))
    both = np.vstack([here, there])
    usual = (both != 0).mean(axis=0) > COMMON
    if not usual.any():
        return None
    error = both.std(axis=0) * np.sqrt(1 / len(here) + 1 / len(there))
    difference = here.mean(axis=0) - there.mean(axis=0)
    z = np.where(usual & (error > 0), difference / np.maximum(error, 1e-12), 0.0)
    most = int(np.abs(z).argmax())
    if 2 * norm.sf(abs(z[most])) * usual.sum() > LEVEL:
        return None
    name = [*graph.names(), "degree"][most]
    way = "higher" if z[most] > 0 else "lower"
    return (f"Known positives differ from unlabelled nodes that score as high, above all in {name!r}: it is "
            f"{way} among the {len(here)} known ones by {abs(z[most]):.1f} standard errors. Positives were "
            "probably not labelled at random, so those that are left may look different and be more than "
            "estimated. Label some that were found in another way.")


def _described(graph: Graph, nodes: np.ndarray) -> np.ndarray:
    """Features of some nodes, and on a logarithmic scale how many edges they have."""
    X = graph.X[nodes]
    X = X if isinstance(X, np.ndarray) else X.toarray()
    sent, received = np.diff(graph.indptr), np.bincount(graph.indices, minlength=graph.n_nodes)
    return np.column_stack([X, np.log1p((sent + received)[nodes])])
