"""Whether the probabilities can be right, without any negative to test them on.

If g is the probability of being positive, positives are spread over the nodes with density g p_U / prior.
Known positives that were held out are a sample of them: their share in any group of probabilities should be
the share of the unlabelled nodes' summed probability that lies there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halflabel.crossfit import CrossFit

Z = 1.645  # standard errors in a 90 % interval
PER_GROUP = 10  # positives that a group should have
GROUPS = (3, 8)


@dataclass(frozen=True)
class Calibration:
    """Groups of probabilities between neighbouring `edges`: shares of positives, and the error of `found`."""

    edges: np.ndarray
    expected: np.ndarray
    found: np.ndarray
    error: np.ndarray
    positives: int

    @classmethod
    def of(cls, fitted: CrossFit, prior: float) -> Calibration:
        """Groups in which equally many positives are expected.

        >>> rng = np.random.default_rng(0)
        >>> scores = rng.normal(0, 2, 20_000)
        >>> positive = rng.random(20_000) < 1 / (1 + np.exp(-scores))
        >>> known = positive & (rng.random(20_000) < 0.3)
        >>> groups = Calibration.of(CrossFit(scores, known, np.zeros(20_000)), positive[~known].mean())
        >>> len(groups.found), groups.agreeing >= 6
        (8, True)
        """
        probability = fitted.probabilities(prior)
        P, U = probability[fitted.known], np.sort(probability[~fitted.known])
        count = int(np.clip(len(P) // PER_GROUP, *GROUPS))
        weight = np.cumsum(U) / U.sum()
        cuts = U[np.searchsorted(weight, np.arange(1, count) / count)]
        edges = np.concatenate([[0.0], np.unique(cuts), [1.0]])
        expected = _shares(U, edges, U)
        found = _shares(P, edges, np.ones(len(P)))
        error = Z * np.sqrt(expected * (1 - expected) / len(P))
        return cls(edges, expected, found, error, len(P))

    @property
    def agreeing(self) -> int:
        """Groups whose share is as expected, within its error."""
        return int((np.abs(self.found - self.expected) <= self.error).sum())

    def words(self) -> str:
        """The verdict in one sentence."""
        groups = len(self.expected)
        if self.agreeing >= np.floor(0.9 * groups):
            return (f"In {self.agreeing} of {groups} groups the held-out positives are as many as the "
                    "probabilities promise, within the error of so few: nothing speaks against them.")
        low = self.found[: groups // 2].sum() - self.expected[: groups // 2].sum()
        tendency = ("a low probability: high ones are too sure of themselves." if low > 0 else
                    "a high probability: the ranking is better than its probabilities say, or the prior is "
                    "lower.")
        return (f"Only {self.agreeing} of {groups} groups are as expected. More positives than promised have "
                f"{tendency}")


def _shares(values: np.ndarray, edges: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return np.histogram(values, edges, weights=weight)[0] / weight.sum()
