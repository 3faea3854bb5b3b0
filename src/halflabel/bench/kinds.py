"""What a job does, by its kind. Labels of unlabelled nodes are used in the last step only, to score."""

from __future__ import annotations

import time
import warnings
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.metrics import f1_score

from halflabel.base import PUNodeClassifier
from halflabel.bench.job import Job
from halflabel.bench.provenance import peak_memory, provenance, reset_peak_memory
from halflabel.datasets import load_dataset
from halflabel.errors import CollapseWarning, DataError
from halflabel.graph import Graph
from halflabel.labels import hide_positives
from halflabel.methods import method_classes
from halflabel.metrics import score_unlabelled


class NoDataError(Exception):
    """The graph's files are not there."""


def run_job(job: Job) -> dict[str, Any]:
    """Metrics, what it took, and what it was run with."""
    runners = {"fit": _fit}
    graph, y = _graph(job.dataset)
    reset_peak_memory()
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CollapseWarning)
        metrics = runners[job.kind](job, graph, y)
    return {
        "metrics": metrics,
        "warnings": sorted({str(warning.message) for warning in caught}),
        "fit_seconds": round(time.perf_counter() - start, 3),
        "peak_mb": peak_memory(),
        **provenance(),
    }


@lru_cache(maxsize=2)
def _graph(name: str) -> tuple[Graph, np.ndarray]:
    try:
        return load_dataset(name)
    except DataError as error:
        raise NoDataError(str(error)) from None


def _fit(job: Job, graph: Graph, y: np.ndarray) -> dict[str, float]:
    settings = job.settings
    known = hide_positives(y, ratio=settings["ratio"], random_state=job.seed)
    truth = y == np.bincount(y).argmax()
    model = _model(job, float(truth[~known].mean())).fit(graph, known)
    card = score_unlabelled(model, truth, known)
    low, high = model.prior_interval_
    own = f1_score(truth[~known], model.scores_[~known] > 0)
    return {"f1_own": float(own), "f1_top": card.f1, **card._asdict(), "prior_error": card.prior_error,
            "prior_low": low, "prior_high": high}


def _model(job: Job, true_prior: float) -> PUNodeClassifier:
    """The method as the settings say; those marked with a star are told the true prior."""
    settings = job.settings
    model = method_classes()[settings["method"]](**settings["parameters"], random_state=job.seed)
    return model.set_params(prior=true_prior) if settings["true_prior"] else model
