"""The supervised ceiling: what the same network reaches when nothing is hidden from it but its own fold.

Labelled are the known positives and, with their true labels, four fifths of the unlabelled nodes; each node
is scored by the network that did not see its label.
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


def run(job: Job, split: Split) -> dict[str, float]:
    """F1 at one half, and ranking, of cross-fitted scores of the unlabelled nodes."""
    settings = Naive(backbone=job.settings["backbone"], random_state=job.seed)
    problem = settings.pose(split.graph, split.known)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(job.seed)
        scores = _supervised_scores(settings, replace(problem, positive=split.truth, unlabelled=~split.truth),
                                    split.known)
    truth, hidden = split.truth[~split.known], scores[~split.known]
    f1 = float(f1_score(truth, hidden > 0))
    return {"f1_own": f1, "f1_top": f1, "average_precision": float(average_precision_score(truth, hidden)),
            "auc": float(roc_auc_score(truth, hidden)), "true_prior": split.true_prior}


def _supervised_scores(settings: Naive, problem: Problem, known: np.ndarray) -> np.ndarray:
    nets = Ensemble(settings, problem)
    positive, negative = nets.P | torch.as_tensor(known), nets.U
    together = mean_over(positive | negative)
    for record in nets.training(settings.epochs, "fitting with all labels"):
        record["loss"] = nets.descend(lambda f: balanced_loss(f, together * positive, together * negative))
    return nets.folds.out_of_fold(nets.logits().numpy(force=True))
