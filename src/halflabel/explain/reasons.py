"""One sentence a node: what is unusual about it, on the side of high scores, and which positives are near.

Cheap enough for a list: nothing is scored again. `why` says how much each thing counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from halflabel.explain.surroundings import EXACT, Surroundings
from halflabel.explain.usual import Usual
from halflabel.explain.words import amount, shortened
from halflabel.graph import dense
from halflabel.methods.transductive import Transductive

NAMED = 3  # features a sentence
RARE = 0.2  # of the unlabelled nodes, at most, are as far out: more is not worth a word
ASSOCIATED = 0.05  # correlation with the score, at least


def reasons(model: Any, positions: Sequence[int] | np.ndarray) -> list[str]:
    """A sentence for each of some nodes of the fitted graph, given by position.

    A feature is named if the node's value is far from the median of the unlabelled nodes, on the side on
    which scores are higher; "usual" is that median. A method that does not look at features names none.

    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=5, warmup=20).fit(graph, payments_positives(y))
    >>> top = model.scores_.argsort()[::-1][:1]
    >>> "usual" in reasons(model, top)[0] and "known positive" in reasons(model, top)[0]
    True
    """
    around = Surroundings.of(model)
    speaking = [""] * len(positions)
    if not isinstance(model, Transductive):
        speaking = _unusual(model, around, positions)
    near = [_near(around, int(position)) for position in positions]
    return ["; ".join(filter(None, parts)) for parts in zip(speaking, near, strict=True)]


def leaning(model: Any, positions: Sequence[int] | np.ndarray) -> np.ndarray:
    """How far each feature of some nodes is from usual, counted towards high scores; (nodes, features).

    In standard deviations, times the feature's correlation with the score.
    """
    around, usual = Surroundings.of(model), Usual.of(model)
    rows = around.graph.X[np.asarray(positions)]
    rows = np.asarray(dense(rows))
    away = (rows - usual.median) / np.where(usual.spread > 1e-9, usual.spread, np.inf)
    return away * usual.association


def _unusual(model: Any, around: Surroundings, positions: Sequence[int] | np.ndarray) -> list[str]:
    usual, names = Usual.of(model), around.graph.names()
    return [_said(usual, names, around.graph.X[[int(position)]], row)
            for position, row in zip(positions, leaning(model, positions), strict=True)]


def _said(usual: Usual, names: tuple[str, ...], values: Any, leans: np.ndarray) -> str:
    values = dense(values).ravel()
    most = np.argsort(-leans, kind="stable")[: 2 * NAMED]
    named = [i for i in most if leans[i] > 0 and abs(usual.association[i]) >= ASSOCIATED
             and usual.as_far_out(i, values[i]) <= RARE][:NAMED]
    if not named:
        return "no feature stands out"
    return ", ".join(f"{shortened(names[i])} {amount(float(values[i]))} "
                     f"(usual {amount(float(usual.median[i]))})" for i in named)


def _near(around: Surroundings, position: int) -> str:
    met, steps, closeness = around.walk(position, EXACT)
    found = around.known[met] & (met != position)
    if not found.any():
        return f"no known positive within {EXACT} steps"
    nearest = steps[found].min()
    at = np.flatnonzero(found & (steps == nearest))
    first = shortened(around.graph.ids[int(met[at][closeness[at].argmax()])])
    where = "next to" if nearest == 1 else f"{nearest} steps from"
    return f"{where} known positive {first}" if len(at) == 1 else (
        f"{where} {len(at):,} known positives, nearest {first}")
