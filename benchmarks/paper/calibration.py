"""Brier score of GPL on the unlabelled nodes, with and without the fitted slope; one split each.

    HALFLABEL_DATA=... python benchmarks/paper/calibration.py
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

import halflabel as hl
from halflabel.probabilities import prior_shift


def brier(name: str) -> tuple[float, float]:
    """Mean squared error of the probability: slope one, and the slope that was fitted."""
    graph, y = hl.load_dataset(name)
    known = hl.payments_positives(y) if name == "payments" else hl.hide_positives(y)
    truth = y == (1 if name == "payments" else np.bincount(y).argmax())
    model = hl.GPL().fit(graph, known)
    scores = model.scores_[~known]
    plain = expit(scores + prior_shift(scores, model.prior_))
    fitted = model.predict_proba()[~known, 1]
    without, with_slope = (float(np.mean((p - truth[~known]) ** 2)) for p in (plain, fitted))
    return without, with_slope


if __name__ == "__main__":
    for name in ("payments", "cora", "citeseer", "chameleon", "texas"):
        print("{:10s} without slope {:.4f}, with {:.4f}".format(name, *brier(name)))
