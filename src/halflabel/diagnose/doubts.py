"""Reasons not to trust the answer of a fitted model, found from P and U alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from halflabel.crossfit import CrossFit
from halflabel.diagnose.given import FEW_POSITIVES
from halflabel.diagnose.randomness import labels_not_random
from halflabel.diagnose.trust import diagnose_prior
from halflabel.errors import DataError
from halflabel.probabilities import FLAT

if TYPE_CHECKING:
    from halflabel.base import PUNodeClassifier

WIDE = 4.0  # how many times its lower end the upper end of an interval may be
ENOUGH_A_FOLD = 3  # known positives


class Doubt(NamedTuple):
    """One reason: its kind, for programs, and a message that says what was found and what to do."""

    kind: str
    message: str


def doubts(model: PUNodeClassifier) -> list[Doubt]:
    """Why the answer of a fitted model should not be trusted, if anything speaks against it.

    Kinds: "few positives", "wide interval", "irreducibility", "collapse", "labels not random".

    >>> from halflabel import Naive
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> known = np.flatnonzero(payments_positives(y))[:8]
    >>> model = Naive(epochs=5).fit(graph, np.isin(np.arange(2000), known))
    >>> [doubt.kind for doubt in doubts(model)][0]
    'few positives'
    """
    graph, known = model._graph, model._known
    if graph is None or known is None:
        raise DataError("doubts are about a model and the graph that it was fitted on: fit it, or open its "
                        "run with halflabel.open_run.")
    probability = model.predict_proba()[graph.nodes, 1][~known]
    found = [_few(int(known.sum())), _wide(model), _flat(probability)]
    if found[-1] is None:  # scores that say nothing would raise every other doubt as well
        found += [_overlap(model, known), _picked(model, known)]
    return [doubt for doubt in found if doubt is not None]


def _few(positives: int) -> Doubt | None:
    if positives >= FEW_POSITIVES:
        return None
    return Doubt("few positives", f"Only {positives} positives are known: the ranking is rough and the prior "
                                  f"hardly more than a guess. Label more, {FEW_POSITIVES} at least.")


def _wide(model: PUNodeClassifier) -> Doubt | None:
    low, high = model.prior_interval_
    if high <= WIDE * low:
        return None
    return Doubt("wide interval", f"The prior may lie anywhere from {low:.2g} to {high:.2g}. Do not rely on "
                                  "the number that is flagged: review from the top, as many as you can.")


def _flat(probability: np.ndarray) -> Doubt | None:
    if not len(probability) or np.ptp(probability) >= FLAT:
        return None
    return Doubt("collapse", "All unlabelled nodes get nearly the same probability "
                             f"({probability.min():.3f} to {probability.max():.3f}): nothing was learned. "
                             "Try other features, or another method.")


def _overlap(model: PUNodeClassifier, known: np.ndarray) -> Doubt | None:
    fold, scores = getattr(model, "fold_", None), model.out_of_fold_
    if fold is None or not isinstance(getattr(model, "prior", "auto"), str):
        return None  # nobody was held out, or there is no estimate to doubt
    graph = model._graph
    assert graph is not None
    fitted = CrossFit(scores[graph.nodes], known, fold[graph.nodes])
    positives = np.bincount(fitted.fold.clip(min=0)[known])
    if np.isnan(fitted.scores).any() or len(positives) < 2 or positives.min() < ENOUGH_A_FOLD:
        return None  # too few to say; so few are a doubt of their own
    diagnosis = diagnose_prior(fitted)
    if not diagnosis.upper_bound:
        return None
    return Doubt("irreducibility", " ".join(["The prior may be too high.", *diagnosis.words()[1:]]))


def _picked(model: PUNodeClassifier, known: np.ndarray) -> Doubt | None:
    graph, scores = model._graph, model.out_of_fold_
    assert graph is not None
    found = labels_not_random(graph, known, model._probabilities(scores[graph.nodes]))
    return None if found is None else Doubt("labels not random", found)
