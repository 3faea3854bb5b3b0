"""What looking at the first k nodes of the ranking should bring, for every k that a slider can stop at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

STOPS = 120  # of the slider, closer together among small budgets
LISTED = (10, 25, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Review:
    """Looking at the `count` most likely nodes: how many should be positive, and what share that is."""

    count: int
    hits: float
    precision: float
    recall: float


@dataclass(frozen=True)
class Budget:
    """Reviews from one node to all of them; `flagged` is where the run itself would stop."""

    reviews: list[Review]
    flagged: int
    left: float

    @classmethod
    def of(cls, scores: pa.Table) -> Budget:
        """From a `score_table`: sums of the probabilities, best rank first.

        >>> scores = pa.table({"probability": [0.9, 0.6, 0.0, 1.0], "flagged": [True, False, False, False],
        ...                    "known_positive": [False, False, False, True]})
        >>> budget = Budget.of(scores)
        >>> budget.left, budget.reviews[1]
        (1.5, Review(count=2, hits=1.5, precision=0.75, recall=1.0))
        """
        others = np.logical_not(scores["known_positive"].to_numpy())
        hits = np.cumsum(scores["probability"].to_numpy()[others])
        flagged, left = int(scores["flagged"].to_numpy().sum()), float(hits[-1]) if len(hits) else 0.0
        counts = {round(k) for k in np.geomspace(1, max(len(hits), 1), STOPS)} | {*LISTED, flagged}
        return cls([_review(k, hits, left) for k in sorted(counts) if 0 < k <= len(hits)], flagged, left)

    @property
    def listed(self) -> list[Review]:
        """Those worth a line in print."""
        return [review for review in self.reviews if review.count in (*LISTED, self.flagged)]

    @property
    def start(self) -> int:
        """Where the slider stands at first: at as many as are flagged."""
        return max(0, sum(review.count <= self.flagged for review in self.reviews) - 1)

    def data(self) -> dict[str, list[float]]:
        """For the page's script."""
        return {"count": [review.count for review in self.reviews],
                "hits": [round(review.hits, 3) for review in self.reviews]}


def _review(count: int, hits: np.ndarray, left: float) -> Review:
    found = float(hits[count - 1])
    return Review(count, found, found / count, found / left if left > 0 else 0.0)
