"""Figure 2: how far apart the predicted probabilities of positives and negatives among U are."""

from __future__ import annotations

import numpy as np

from halflabel.bench.job import Job
from halflabel.bench.kinds.fit import fitted
from halflabel.bench.kinds.split import Split

BINS = 40


def run(job: Job, split: Split) -> dict[str, object]:
    """Histograms of sigmoid(score), as shares of each class; and how much of them overlaps."""
    model = fitted(job, split)
    z = 1 / (1 + np.exp(-model.scores_.astype(np.float64)))
    shares = {}
    for name, mask in (("positive", split.truth & ~split.known), ("negative", ~split.truth)):
        counts, _ = np.histogram(z[mask], bins=BINS, range=(0.0, 1.0))
        shares[name] = (counts / counts.sum()).round(6).tolist()
    overlap = float(np.minimum(shares["positive"], shares["negative"]).sum())
    return {**shares, "overlap": overlap, "true_prior": split.true_prior}
