"""Estimate the prior on cross-fitted scores: the same scores for every estimator."""

from __future__ import annotations

from dataclasses import replace

from halflabel.bench.job import Job
from halflabel.bench.kinds.split import Split
from halflabel.crossfit import CrossFit, cross_fit
from halflabel.priors import Prior, estimate_prior
from halflabel.viewprior import prior_from_views

_LATEST: dict[str, CrossFit] = {}


def run(job: Job, split: Split) -> dict[str, float]:
    """The estimate, its interval and its error."""
    prior = _estimate(job, split)
    return {"prior": prior.value, "prior_low": prior.low, "prior_high": prior.high,
            "prior_error": abs(prior.value - split.true_prior), "true_prior": split.true_prior}


def _estimate(job: Job, split: Split) -> Prior:
    if job.settings["estimator"] == "two_view":
        return prior_from_views(split.graph, split.known, random_state=job.seed)
    scores = _cross_fitted(job, split)
    return estimate_prior(scores.scores_p, scores.scores_u, job.settings["estimator"], random_state=job.seed)


def _cross_fitted(job: Job, split: Split) -> CrossFit:
    """Jobs that differ in the estimator only come one after another: the latest scores are kept."""
    settings = {name: value for name, value in job.settings.items() if name != "estimator"}
    key = replace(job, settings=settings).key
    if key not in _LATEST:
        _LATEST.clear()
        # The ceiling: scores as good as labels make them; the estimator still sees known and unlabelled only.
        learned_from = split.truth if settings.get("supervised") else split.known
        scores = cross_fit(split.graph, learned_from, settings["backbone"], random_state=job.seed)
        _LATEST[key] = replace(scores, known=split.known)
    return _LATEST[key]
