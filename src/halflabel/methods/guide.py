"""A guide for the label propagation loss: a perceptron that sees the nodes unlike the classifier.

Driven by a graph network's own posterior, the loss distrusts the edges that the network has learned to
ignore anyway, and on a heterophilic graph confirms its mistakes. A perceptron that sees no edges at all, or
sees them as plain features, errs elsewhere: what it says of an edge is news.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from halflabel.auc import pu_auc
from halflabel.graph import Features, Graph
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.naive import Naive
from halflabel.stacking import ViewMaker

VIEWS = ("own", "links to", "links from")
MAX_WORK = 50_000_000  # edges and values of features, times members, beyond which there is no guide


class Guide(NamedTuple):
    """What a view of the nodes says; `auc` tells how well it ranks held-out positives among U."""

    view: str
    auc: float
    logits: Tensor


def best_guide(nets: Ensemble, graph: Graph, epochs: int) -> Guide | None:
    """Of perceptrons on a node's own features and on its links, the one that ranks held-out positives best.

    They train on what the members of `nets` train on, and nothing else, so nothing that is held out leaks
    into the edge weights. The caller's random state is left as it was: with and without a guide, networks
    start alike.
    """
    if not nets.judged.any() or not epochs or len(nets.P) * nets.problem.size > MAX_WORK:
        return None
    X = nets.problem.features  # no more than MAX_WORK, also if it is on disk
    maker, everybody = ViewMaker.of(graph, X, nets.team), np.arange(len(nets.positive))

    def seen(view: str) -> Features:
        return maker.view(view, graph, X, everybody, nets.team)

    with torch.random.fork_rng(devices=[]):
        return max((_guide(nets, view, seen(view), epochs) for view in VIEWS if view in maker.names),
                   key=lambda guide: guide.auc)


def _guide(nets: Ensemble, view: str, X: Features, epochs: int) -> Guide:
    settings = nets.settings
    learner = Naive(backbone="mlp", epochs=epochs, random_state=settings.random_state,
                    device=settings.device, verbose=settings.verbose)
    problem = replace(nets.problem, X=X, team=nets.team.aside())
    logits = learner.trained(problem, nets.folds, f"fitting GPL, guide by {view}").logits()
    scores = nets.out_of_fold(logits)
    return Guide(view, pu_auc(scores[nets.judged], scores[nets.unlabelled]), logits)
