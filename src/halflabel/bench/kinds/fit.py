"""Fit a method and score it on the unlabelled nodes."""

from __future__ import annotations

from sklearn.metrics import f1_score

from halflabel.base import PUNodeClassifier
from halflabel.bench.job import Job
from halflabel.bench.kinds.split import Split
from halflabel.bench.plan import find_method
from halflabel.errors import without_doubts
from halflabel.metrics import calibration_error, score_unlabelled


def run(job: Job, split: Split) -> dict[str, float]:
    """F1 of scores above zero and of those that are flagged, ranking, prior."""
    model = fitted(job, split)
    hidden = ~split.known
    card = score_unlabelled(model, split.truth, split.known)
    low, high = model.prior_interval_
    calibration = {}
    if hasattr(model, "predict_proba"):  # a method of one's own may have scores alone
        probability = model.predict_proba()[hidden, 1]
        calibration = {"calibration_error": calibration_error(probability, split.truth[hidden])}
    return {
        "f1_own": float(f1_score(split.truth[hidden], model.scores_[hidden] > 0)),
        "f1_top": card.f1,
        "average_precision": card.average_precision,
        "auc": card.auc,
        "prior": card.prior,
        "prior_low": low,
        "prior_high": high,
        "prior_error": card.prior_error,
        "true_prior": card.true_prior,
        **calibration,
    }


def fitted(job: Job, split: Split) -> PUNodeClassifier:
    """The method as the settings say; those that the paper marks with a star are told the true prior."""
    settings = job.settings
    model = find_method(settings["method"])(**settings["parameters"], random_state=job.seed)
    if settings["true_prior"]:
        model.set_params(prior=split.true_prior)
    with without_doubts():
        return model.fit(split.graph, split.known)
