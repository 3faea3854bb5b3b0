"""A run as the report sees it, with text that must never become markup."""

import numpy as np
import pyarrow as pa
import pytest

from halflabel.run.record import RunRecord

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def record():
    return RunRecord(
        prior=0.1, prior_low=0.05, prior_high=0.2, threshold=0.6,
        expected={"flagged": 10, "hits": 8.0, "precision": 0.8, "recall": 0.8}, method="gpl",
        parameters={"prior": "auto"}, seed=0,
        counts={"nodes": 120, "edges": 300, "isolated": 2, "features": 3, "known_positives": 20,
                "unlabelled": 100, "flagged": 10},
        doubts=[], notes=[f"left out column {SCRIPT!r}"], scaling="columns standardised: 3 features",
        seconds=1.0,
        peak_memory_bytes=None, data={"edges": {"path": SCRIPT, "sha256": "0" * 64}},
        versions={"halflabel": "0.1.0"})


@pytest.fixture
def scores():
    known = np.arange(120) >= 100
    rank = np.arange(1, 121)
    score = np.where(known, np.linspace(1, 3, 120), np.linspace(3, -3, 120))
    return pa.table({
        "id": [SCRIPT, "a & b", *(f"n{i}" for i in range(118))],
        "score": score,
        "probability": np.linspace(1, 0, 120),
        "rank": pa.array(rank, mask=known),
        "known_positive": known,
        "flagged": rank <= 10,
        "out_of_fold": score,
        "fold": pa.array(np.arange(120) % 5, pa.int16()),
    })
