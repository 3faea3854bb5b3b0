"""Every kind of job on a small graph: twice the same, and what it measures is what it declares."""

import numpy as np
import pytest

from halflabel.bench.execute import attempt
from halflabel.bench.job import Job
from halflabel.bench.kinds.declared import KINDS
from halflabel.bench.kinds.split import draw_split
from halflabel.bench.plan import Plan, Row

ROWS = {
    "fit": Row("x", "nnpu", {"epochs": 3, "folds": 2}, true_prior=True),
    "prior": Row("x", kind="prior", options={"estimator": "bbe", "backbone": "mlp"}),
    "ceiling": Row("x", kind="ceiling", options={"backbone": "mlp"}),
    "distribution": Row("x", "naive", {"epochs": 3, "folds": 2}, kind="distribution"),
    "edges": Row("x", "gpl", {"warmup": 2, "epochs": 3, "folds": 2}, kind="edges",
                 options={"epochs": [1, 3]}),
}


def job_of(row, dataset="tiny:friends"):
    return Plan("mine", "", "f1_top", (dataset,), (row,), 1).jobs()[0]


@pytest.mark.parametrize("kind", KINDS)
def test_two_runs_of_a_job_are_identical(tiny, kind):
    job = job_of(ROWS[kind])
    one, two = attempt(job), attempt(job)
    assert one["status"] == "done", one.get("traceback")
    assert one["metrics"] == two["metrics"]
    assert set(KINDS[kind].metrics) <= set(one["metrics"])
    assert {"versions", "commit", "machine", "peak_mb", "fit_seconds", "seconds", "seed"} <= set(one)


def test_a_method_of_ones_own(tiny):
    result = attempt(job_of(Row("x", "tiny:Mine", {"column": 1})))
    assert result["status"] == "done", result.get("traceback")
    assert result["metrics"]["prior"] == 0.2
    assert result["metrics"]["auc"] > 0.6


def test_a_star_is_told_the_true_prior(tiny):
    metrics = attempt(job_of(ROWS["fit"]))["metrics"]
    assert metrics["prior_error"] == 0
    assert metrics["true_prior"] == 0.2  # ten of twenty positives are known, of sixty nodes


def test_a_supervised_prior_learns_from_hidden_labels_and_estimates_without(tiny):
    """Its scores come from other labels; the estimator is given the same nodes as known and as unlabelled."""
    options = ROWS["prior"].options
    rows = [Row("x", kind="prior", options={**options, **more}) for more in ({}, {"supervised": True})]
    metrics = [attempt(job_of(row))["metrics"] for row in rows]
    assert metrics[0]["prior"] != metrics[1]["prior"]
    assert metrics[0]["true_prior"] == metrics[1]["true_prior"] == 0.2


def test_a_graph_whose_file_is_missing_is_no_data(tiny):
    job = job_of(Row("x", "tiny:Mine"), "tiny:gone")
    for _ in range(2):  # the second time from memory
        result = attempt(job)
        assert (result["status"], result["reason"]) == ("no data", "friends.csv: put it beside the plan")


def test_positives_are_the_true_ones_of_a_mask_and_the_frauds(tiny):
    assert draw_split(Job("fit", "tiny:friends", 0, {"ratio": 0.5})).truth.sum() == 20
    payments = draw_split(Job("fit", "payments", 0, {"ratio": 0.5}))
    assert payments.truth.mean() < 0.2
    assert np.all(payments.truth[payments.known])
