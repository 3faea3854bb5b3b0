"""Whom to flag: as many as the prior says, the best expected F1, or what a budget, a precision or costs ask.

| threshold | flagged |
| --- | --- |
| "prior" | as many as are expected to be positive |
| "f1" | the number with the largest expected F1, 2 E[hits] / (flagged + E[positives]) |
| ("budget", 200) | as many as can be looked at |
| ("precision", 0.8) | as many as possible of which at least this share is expected to be positive |
| ("cost", 5) | whoever saves more than a false alarm costs, if a missed positive is as bad as five of them |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from halflabel.errors import DataError, unknown_name

Threshold = str | Sequence[Any]

NAMES = ("prior", "f1")
GOALS = {
    "budget": "a whole number of nodes, 0 or more",
    "precision": "a share above 0 and up to 1",
    "cost": "a number above 0, 10 if a missed positive is as bad as ten false alarms",
}
ROUNDING = 1e-12  # must not cost a node: the mean of equal numbers may come out a little below them


@dataclass(frozen=True)
class Expected:
    """What flagging some nodes should bring, if their probabilities are right.

    `precision` is the expected share of positives among the flagged, `recall` that of the flagged among all
    positives that are left; both are 0 where nobody is flagged.
    """

    flagged: int
    hits: float
    precision: float
    recall: float

    @classmethod
    def of(cls, probability: np.ndarray, flagged: np.ndarray) -> Expected:
        """From the probabilities of the unlabelled nodes and who of them is flagged.

        >>> Expected.of(np.array([0.9, 0.7, 0.4]), np.array([True, True, False]))
        Expected(flagged=2, hits=1.6, precision=0.8, recall=0.8)
        """
        probability = checked(probability)
        count, hits, all_of_them = int(flagged.sum()), float(probability[flagged].sum()), probability.sum()
        return cls(count, hits, hits / max(count, 1), float(hits / all_of_them) if all_of_them > 0 else 0.0)

    def to_dict(self) -> dict[str, float]:
        """As plain numbers."""
        return asdict(self)


def flag(probability: np.ndarray, threshold: Threshold = "f1") -> np.ndarray:
    """Marks nodes by their probabilities of being positive, the most likely first.

    Give the probabilities of the nodes to choose from, the unlabelled: `model.predict_proba()[~known, 1]`.
    Ties go to the node that is listed first.

    >>> probability = np.array([0.9, 0.1, 0.6, 0.05])
    >>> flag(probability, ("budget", 1)).tolist()
    [True, False, False, False]
    >>> flag(probability, ("precision", 0.7)).tolist()
    [True, False, True, False]
    >>> flag(probability, ("cost", 9)).tolist()
    [True, True, True, False]
    >>> flag(probability, "prior").tolist() == flag(probability).tolist() == [True, False, True, False]
    True
    """
    probability = checked(probability)
    order = np.argsort(-probability, kind="stable")
    flagged = np.zeros(len(order), dtype=bool)
    share = probability.sum() / max(len(order), 1)
    flagged[order[: _how_many(probability[order], threshold, share)]] = True
    return flagged


def least_flagged(probability: np.ndarray, threshold: Threshold, prior: float) -> float:
    """The probability from which nodes are flagged; above all of them where nobody is.

    A probability cannot part nodes that have the same one: they are all flagged, unless that would exceed a
    budget or miss a precision.

    >>> least_flagged(np.array([0.9, 0.5, 0.5, 0.1]), "prior", prior=0.5)
    0.5
    >>> least_flagged(np.array([0.9, 0.5, 0.5, 0.1]), ("budget", 2), prior=0.5)
    0.9
    """
    ranked = np.sort(probability)[::-1]
    count = min(_how_many(ranked, threshold, prior), len(ranked))
    if goal_of(threshold)[0] in ("budget", "precision"):
        while 0 < count < len(ranked) and ranked[count - 1] == ranked[count]:
            count -= 1
    return float(ranked[count - 1] if count else np.nextafter(ranked[0], np.inf))


def goal_of(threshold: Any) -> tuple[str, float | None]:
    """The name of a goal and its number, or what is wrong with it.

    >>> goal_of("f1"), goal_of(("budget", 200))
    (('f1', None), ('budget', 200))
    >>> goal_of(("budget", -1))
    Traceback (most recent call last):
    halflabel.errors.DataError: threshold=('budget', -1): a whole number of nodes, 0 or more, was expected
    """
    if isinstance(threshold, str):
        if threshold in GOALS:
            raise DataError(f"threshold={threshold!r}: comes with a number, ({threshold!r}, NUMBER): "
                            f"{GOALS[threshold]}")
        if threshold not in NAMES:
            raise DataError(unknown_name("threshold", threshold, [*NAMES, *GOALS]))
        return threshold, None
    if not isinstance(threshold, Sequence) or len(threshold) != 2 or not isinstance(threshold[0], str):
        raise DataError(f"threshold={threshold!r}: expected 'prior', 'f1', or a goal and its number, "
                        "such as ('budget', 200), ('precision', 0.8) or ('cost', 5)")
    name, number = threshold
    if name not in GOALS:
        raise DataError(unknown_name("threshold", name, GOALS))
    if not _is_sensible(name, number):
        raise DataError(f"threshold={tuple(threshold)!r}: {GOALS[name]}, was expected")
    return name, number


def checked(probability: np.ndarray) -> np.ndarray:
    """As an array, if these are probabilities.

    >>> checked([0.5])
    array([0.5])
    """
    probability = np.asarray(probability, dtype=np.float64)
    if probability.ndim != 1:
        raise DataError(f"probabilities of shape {probability.shape}: one for each node was expected, as in "
                        "model.predict_proba()[~known, 1]")
    if not ((probability >= 0) & (probability <= 1)).all():
        raise DataError("probabilities outside of 0 to 1, or not numbers: scores are no probabilities, "
                        "predict_proba has them")
    return probability


def _how_many(ranked: np.ndarray, threshold: Threshold, prior: float) -> int:
    """Of probabilities, the largest first, those to flag."""
    name, number = goal_of(threshold)
    hits, count = np.cumsum(ranked), np.arange(1, len(ranked) + 1)
    if name == "prior":
        return round(prior * len(ranked))
    if name == "f1":
        return int(np.argmax(2 * hits / (count + hits[-1]))) + 1 if len(ranked) and hits[-1] > 0 else 0
    assert number is not None
    if name == "budget":
        return int(number)
    if name == "precision":
        return int((hits / count >= number - ROUNDING).sum())
    return int((ranked * number >= (1 - ranked) - ROUNDING).sum())


def _is_sensible(name: str, number: Any) -> bool:
    if isinstance(number, bool) or not isinstance(number, (int, float, np.number)):
        return False
    if name == "budget":
        return bool(0 <= number < np.inf and number == int(number))
    return bool(0 < number <= 1 if name == "precision" else 0 < number < np.inf)
