"""Out-of-fold scores of the paper's graphs, by several networks; computed once and kept.

"gcn" and "ego" (a perceptron on a node's own features) learn from P against U. "neighbours" and "links" are
perceptrons on those views. "supervised" is a GCN that learns from all true labels: what is wrong with an
estimate on its scores is the estimator's fault, not the scores'.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

import halflabel as hl
from halflabel.features.views import link_view, neighbour_view

GRAPHS = ("cora", "pubmed", "citeseer", "cornell", "chameleon", "squirrel", "actor", "wisconsin", "texas")
SOURCES = ("gcn", "ego", "neighbours", "links", "supervised")


class Scores(NamedTuple):
    """One column a source; who was known; who is positive in truth; the fold of each node."""

    columns: dict[str, np.ndarray]
    known: np.ndarray
    truth: np.ndarray
    fold: np.ndarray

    def pair(self, source: str) -> tuple[np.ndarray, np.ndarray]:
        """Scores of P and of U."""
        return self.columns[source][self.known], self.columns[source][~self.known]

    @property
    def prior(self) -> float:
        """The true share of positives among the unlabelled."""
        return float(self.truth[~self.known].mean())


def scores_of(name: str, seed: int, cache: Path) -> Scores:
    """Scores of one split, from the cache or computed into it."""
    path = cache / f"{name}-{seed}.npz"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial.npz")
        np.savez(partial, **_compute(name, seed))
        partial.replace(path)
    with np.load(path) as stored:
        arrays = dict(stored)
    known, truth, fold = arrays.pop("known"), arrays.pop("truth"), arrays.pop("fold")
    return Scores(arrays, known, truth, fold)


def _compute(name: str, seed: int) -> dict[str, np.ndarray]:
    graph, y = hl.load_dataset(name)
    truth = y == np.bincount(y).argmax()
    known = hl.hide_positives(y, random_state=seed)
    learned = {
        "gcn": hl.cross_fit(graph, known, "gcn", random_state=seed),
        "ego": hl.cross_fit(graph, known, "mlp", random_state=seed),
        "neighbours": hl.cross_fit(neighbour_view(graph), known, "mlp", random_state=seed),
        "links": hl.cross_fit(link_view(graph), known, "mlp", random_state=seed),
        "supervised": hl.cross_fit(graph, truth, "gcn", random_state=seed),
    }
    columns = {source: fitted.scores for source, fitted in learned.items()}
    return {**columns, "known": known, "truth": truth, "fold": learned["gcn"].fold}
