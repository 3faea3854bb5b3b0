"""Figure 3: learned weights of edges between the classes and within them, as training goes on."""

from __future__ import annotations

import numpy as np
import torch

from halflabel.bench.job import Job
from halflabel.bench.kinds.split import Split
from halflabel.methods.gpl import GPL, Run

BINS = 40


def run(job: Job, split: Split) -> dict[str, object]:
    """Histograms of the weights at the epochs asked for, by the kind of edge."""
    settings = GPL(**job.settings["parameters"], random_state=job.seed)
    problem = settings.pose(split.graph, split.known)
    first, second = (ends.numpy() for ends in problem.adjacency.ends)
    mixed = split.truth[first] != split.truth[second]
    snapshots = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(job.seed)
        state = Run(settings, problem, split.graph)
        for record in settings.epochs_of(state):
            after = int(record["epoch"]) - settings.warmup + 1
            if after in job.settings["epochs"]:
                snapshots[str(after)] = _by_kind(state.masks().mean(axis=0), mixed)
    return {"snapshots": snapshots, "true_prior": split.true_prior}


def _by_kind(weight: np.ndarray, mixed: np.ndarray) -> dict[str, object]:
    kinds = {"between": weight[mixed], "within": weight[~mixed]}
    counts = {name: np.histogram(values, bins=BINS, range=(0.0, 1.0))[0] for name, values in kinds.items()}
    return {name: {"mean": float(values.mean()), "shares": (counts[name] / len(values)).round(6).tolist()}
            for name, values in kinds.items()}
