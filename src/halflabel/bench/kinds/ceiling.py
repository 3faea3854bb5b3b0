"""The supervised ceiling: what the same network reaches when nothing is hidden from it but its own fold.

Labelled are the known positives and, with their true labels, four fifths of the unlabelled nodes; each node
is scored by the network that did not see its label. Both classes weigh the same, as they do for every method
here: with nodes weighing alike, networks on Squirrel or Actor answer "nobody" and are no ceiling at all. Who
knows the labels knows the share of positives, so F1 is that of the top true share.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from halflabel.base import Problem
from halflabel.bench.job import Job
from halflabel.bench.kinds.split import Split
from halflabel.losses import balanced_loss, mean_over
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.naive import Naive
from halflabel.thresholds import least_flagged


def run(job: Job, split: Split) -> dict[str, float]:
    """F1 at zero and at the top true share, and ranking, of cross-fitted scores of the unlabelled nodes."""
    settings = Naive(backbone=job.settings["backbone"], random_state=job.seed)
    problem = settings.pose(split.graph, split.known)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(job.seed)
        scores = _supervised_scores(settings, replace(problem, positive=split.truth, unlabelled=~split.truth),
                                    split.known)
    truth, hidden = split.truth[~split.known], scores[~split.known]
    top = hidden >= least_flagged(hidden, "prior", split.true_prior)
    return {"f1_own": float(f1_score(truth, hidden > 0)), "f1_top": float(f1_score(truth, top)),
            "average_precision": float(average_precision_score(truth, hidden)),
            "auc": float(roc_auc_score(truth, hidden)), "true_prior": split.true_prior}


def _supervised_scores(settings: Naive, problem: Problem, known: np.ndarray) -> np.ndarray:
    nets = Ensemble(settings, problem)
    positive, negative = mean_over(nets.P | torch.as_tensor(known)), mean_over(nets.U)
    for record in nets.training(settings.epochs, "fitting with all labels"):
        record["loss"] = nets.descend(lambda f: balanced_loss(f, positive, negative))
    return nets.folds.out_of_fold(nets.logits().numpy(force=True))
