"""The prior from several views of the nodes: no region has to be free of negatives.

`two_view` takes the scores of two views that are nearly independent given the class. A graph offers three: a
node's own features, its neighbours', and its links. Which pair serves best differs between graphs, and a view
may carry no signal at all; the middle of the pairs that do is better than any one of them
(benchmarks/priors/two_view_study.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from halflabel.convert import as_graph
from halflabel.crossfit import cross_fit
from halflabel.errors import DataError
from halflabel.features.views import link_view, neighbour_view
from halflabel.labels import as_positive_mask
from halflabel.priors import Prior, estimate_prior

PAIRS = (("ego", "neighbours"), ("ego", "links"), ("neighbours", "links"))
LAST_RESORT = ("ego", "gcn")  # not independent, but of some use where neighbours and links say nothing
MAX_LINKED_NODES = 50_000  # links have a column for every node: the first layer would outgrow the rest


def prior_from_views(graph: Any, positives: Any, *, folds: int = 5, random_state: int = 0) -> Prior:
    """Cross-fit the views, estimate the prior from each pair, and return the middle one.

    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> prior = prior_from_views(graph, payments_positives(y))
    >>> 0 <= prior.low <= prior.value <= prior.high < 0.5
    True
    """
    graph = as_graph(graph)
    known = as_positive_mask(positives, graph)
    views = {"ego": graph, "neighbours": neighbour_view(graph)}
    if graph.n_nodes <= MAX_LINKED_NODES:
        views["links"] = link_view(graph)
    columns = {name: cross_fit(view, known, "mlp", folds=folds, random_state=random_state).scores
               for name, view in views.items()}
    columns["gcn"] = cross_fit(graph, known, "gcn", folds=folds, random_state=random_state).scores
    return combine_views(columns, known, random_state=random_state)


def combine_views(columns: Mapping[str, np.ndarray], known: np.ndarray, *, random_state: int = 0) -> Prior:
    """The middle of the estimates by all pairs in which both views carry signal, with its interval.

    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(4000) < 1600
    >>> columns = {name: rng.normal(size=4000) + positive for name in ("ego", "neighbours", "links", "gcn")}
    >>> abs(combine_views(columns, np.arange(4000) < 1000).value - 0.2) < 0.1
    True
    """
    estimates = []
    for pair in PAIRS:
        if all(view in columns for view in pair):
            try:
                estimates.append(_estimate(columns, pair, known, random_state))
            except DataError:  # no signal: another pair may have some
                continue
    estimates = estimates or [_estimate(columns, LAST_RESORT, known, random_state)]
    ordered = sorted(estimates)
    middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    value, low, high = np.mean([prior[:3] for prior in middle], axis=0).tolist()
    return Prior(value, low, high, "two_view")


def _estimate(
    columns: Mapping[str, np.ndarray], pair: tuple[str, str], known: np.ndarray, random_state: int
) -> Prior:
    scores = np.column_stack([columns[view] for view in pair])
    return estimate_prior(scores[known], scores[~known], "two_view", random_state=random_state)
