"""compare: methods on the user's own graph, judged by known positives that were hidden from them."""

from __future__ import annotations

from numbers import Real
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from halflabel.auc import placements
from halflabel.base import MIN_POSITIVES
from halflabel.comparison.contestants import contestants
from halflabel.comparison.fold import FoldScores, judge
from halflabel.comparison.prior import as_share, common_prior
from halflabel.comparison.result import Comparison, Row
from halflabel.convert import as_graph
from halflabel.errors import DataError, without_doubts
from halflabel.graph import Graph
from halflabel.labels import as_positive_mask
from halflabel.priors import Prior
from halflabel.progress import track

DEFAULT = ("auto", "gpl", "naive", "naive:mlp")  # the last sees no edges: does the graph help at all?


def compare(
    graph: Any,
    positives: Any,
    methods: Any = DEFAULT,
    *,
    folds: int = 5,
    prior: float | str = "auto",
    random_state: int = 0,
    verbose: bool = False,
) -> Comparison:
    """Rank methods without any negative, and say which differences are within noise.

    The known positives are parted into `folds`. Each fold in turn is hidden: its positives become unlabelled,
    every method is fitted afresh, and is judged by how it ranks and flags them among the nodes that were
    never labelled. All methods see the same folds, and know fewer positives than they will in use.

    `methods` is a list of names (`halflabel.methods()`; "naive:mlp" chooses the backbone) or of configured
    estimators, or a mapping from labels to either. Precision and F1 follow from one common `prior`: the share
    of positives among the unlabelled nodes, the name of an estimator, or "auto" for `prior_from_views`. A
    number is told to methods that are given by name too; others keep the prior they were configured with.

    >>> from halflabel.datasets import payments, payments_positives
    >>> from halflabel.methods.naive import Naive
    >>> graph, y = payments()
    >>> nets = {name: Naive(backbone=name, epochs=30, folds=2) for name in ("gcn", "mlp")}
    >>> found = compare(graph, payments_positives(y), nets, folds=3, prior=0.05)
    >>> found.best, len(found.rows[0].folds), 0.5 < found.rows[0].mean("auc").value < 1
    ('gcn', 3, True)
    """
    graph = as_graph(graph)
    known = as_positive_mask(positives, graph)
    given = as_share(prior)
    chosen = contestants(methods, prior=given, random_state=random_state)
    hidden = hide_in_turn(known, folds, random_state)
    common = (common_prior(graph, known, str(prior), random_state) if given is None
              else Prior(given, given, given, "given"))
    trials = {label: _Trial(method) for label, method in chosen.items()}
    steps = [(label, fold) for label in chosen for fold in hidden]
    for step in track(len(steps), "comparing", shown=verbose):
        label, fold = steps[step]
        trials[label].judge(graph, known, fold, common.value)
    rows = [Row(label, tuple(trial.folds), tuple(trial.placements), trial.seconds, trial.failure)
            for label, trial in trials.items()]
    return Comparison.ranked(rows, common, known=int(known.sum()), unlabelled=int((~known).sum()))


def hide_in_turn(known: np.ndarray, folds: int, random_state: int) -> np.ndarray:
    """A mask of hidden positives for each fold; every known positive is hidden once.

    >>> hide_in_turn(np.arange(12) < 8, 2, random_state=0).sum(axis=1).tolist()
    [4, 4]
    """
    count = int(known.sum())
    most = next((k for k in range(count, 1, -1) if count - -(-count // k) >= MIN_POSITIVES), 0)
    least = next((k for k in range(2, count + 1) if count - -(-count // k) >= MIN_POSITIVES), 0)
    if not least:
        raise DataError(f"{count} known positives: a comparison hides some of them, and a fit needs "
                        f"{MIN_POSITIVES} of those that are left. Label more.")
    if not least <= folds <= most:
        raise DataError(f"folds={folds}: expected {least} to {most}, with {count:,} known positives.")
    hidden = np.zeros((folds, len(known)), dtype=bool)
    shuffled = np.random.default_rng(random_state).permutation(np.flatnonzero(known))
    hidden[np.arange(count) % folds, shuffled] = True
    return hidden


class _Trial:
    """A method on its way through the folds; after a failure the remaining ones are not tried."""

    def __init__(self, method: BaseEstimator):
        self.method = method
        self.folds: list[FoldScores] = []
        self.placements: list[float] = []
        self.seconds = 0.0
        self.failure = ""

    def judge(self, graph: Graph, known: np.ndarray, hidden: np.ndarray, prior: float) -> None:
        if self.failure:
            return
        start = perf_counter()
        try:
            with without_doubts():
                model = _told(clone(self.method), known, hidden).fit(graph, known & ~hidden)
            scores = np.asarray(model.decision_function(graph))
            flagged = np.asarray(model.predict(graph)) == 1
            if not np.isfinite(scores).all():
                raise DataError(f"{np.count_nonzero(~np.isfinite(scores)):,} scores are not finite.")
            self.folds.append(judge(scores, flagged, hidden, ~known, prior))
            self.placements += placements(scores[hidden], scores[~known]).tolist()
        except DataError as error:
            self.failure = str(error)
        self.seconds += perf_counter() - start


def _told(method: Any, known: np.ndarray, hidden: np.ndarray) -> Any:
    """A method that was told the prior, told that of the fold: hidden positives are unlabelled there."""
    share = method.get_params().get("prior")
    if not isinstance(share, Real):
        return method
    unlabelled, extra = np.count_nonzero(~known), np.count_nonzero(hidden)
    return method.set_params(prior=(float(share) * unlabelled + extra) / (unlabelled + extra))
