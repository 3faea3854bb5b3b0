"""Scores by models that did not know the node, which is what a prior and probabilities can be judged by."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from halflabel.crossfit import CrossFit
from halflabel.errors import DataError

MOST = 20_000  # nodes of either kind that are looked at: more would cost seconds and show nothing else
FEW = 5  # held-out positives below which nothing can be said


def held_out(scores: pa.Table) -> CrossFit:
    """Held-out scores of known positives and of unlabelled nodes, of many nodes a sample.

    `scores` is a `score_table`; positives that were never held out are left out.

    >>> few = pa.table({"out_of_fold": [1.0, float("nan"), 0.0], "fold": [0, 0, 1],
    ...                 "known_positive": [True, True, False]})
    >>> held_out(few)
    Traceback (most recent call last):
    halflabel.errors.DataError: Only 1 known positive was held out in training: too few to judge anything by.
    """
    if "out_of_fold" not in scores.column_names:
        raise DataError("There are no held-out scores: the model was loaded, and only a fit has them.")
    score = scores["out_of_fold"].to_numpy().astype(np.float64)
    known = scores["known_positive"].to_numpy()
    rng = np.random.default_rng(0)
    usable = np.isfinite(score)
    kept = np.concatenate([_sample(np.flatnonzero(usable & of_kind), rng) for of_kind in (known, ~known)])
    if (count := int(known[kept].sum())) < FEW:
        raise DataError(f"Only {count} known positive{' was' if count == 1 else 's were'} held out in "
                        "training: too few to judge anything by.")
    return CrossFit(score[kept], known[kept], scores["fold"].to_numpy()[kept])


def _sample(nodes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return nodes if len(nodes) <= MOST else np.sort(rng.choice(nodes, MOST, replace=False))
