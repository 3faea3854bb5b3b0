"""Fit a model together with the processes that own the other parts of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from halflabel.base import Problem, PUNodeClassifier, check_enough
from halflabel.distributed.adjacency import PartAdjacency
from halflabel.distributed.group import Group, LostWorker
from halflabel.distributed.halo import Halo
from halflabel.distributed.known import known_everywhere
from halflabel.distributed.part import Part
from halflabel.distributed.team import Team
from halflabel.errors import DataError
from halflabel.memory import return_large_blocks
from halflabel.methods.registry import method_classes
from halflabel.nets import name_of
from halflabel.order import NODE_VALUES, Listing

BACKBONES = ("gcn", "mlp", "hops", "appnp")


def fit_together(model: PUNodeClassifier, part: Part, positives: Any) -> PUNodeClassifier:
    """What one process would find in the whole graph, to rounding, in every process.

    What the fitted model says of nodes is about all of them, in the order of the data; `edge_weight_` is
    about the edges of `part.graph`. `known_` marks the positives that were given.
    """
    check_can_share(model)
    return_large_blocks()  # what several processes are for
    group = Group.join(model.device, part.patience)
    team = Team(group, part, model)
    positive = known_everywhere(positives, part, team)
    check_enough(positive)
    model.classes_, model.n_features_in_ = np.array([0, 1]), part.manifest.features
    model.scaling_, model.weight_unit_ = part.manifest.scaling, part.manifest.weight_unit
    X = model.scaling_.transform(part.X, part.manifest.names)
    problem = Problem(PartAdjacency.of(part, Halo.meet(group, part)), X, positive, ~positive, team)
    try:
        model._solve(problem, part.graph)
    except LostWorker as error:
        raise LostWorker(f"{error} {_how_to_resume(part)}") from None
    listing = Listing(nodes=team.gather_array(part.listed))
    for name in NODE_VALUES:
        setattr(model, name, listing.restore_nodes(getattr(model, name)))
    model.known_ = listing.restore_nodes(positive)
    return model


def _how_to_resume(part: Part) -> str:
    if part.checkpoints is None:
        return "No checkpoints were written: start again."
    newest = part.checkpoints.newest(part.rank)
    if newest is None:
        return "No checkpoint was written yet: start again."
    return f"Start the same command with --resume to go on from the checkpoint of {newest}."


def check_can_share(model: PUNodeClassifier) -> None:
    """Say early, in one sentence, what several processes cannot fit together.

    >>> from halflabel.methods.ted import TED
    >>> check_can_share(TED())
    Traceback (most recent call last):
    halflabel.errors.DataError: TED needs the whole graph in one process; several fit Auto, GPL, Naive.
    """
    if not model.in_parts:
        able = ", ".join(sorted(cls.__name__ for cls in method_classes().values() if cls.in_parts))
        raise DataError(f"{type(model).__name__} needs the whole graph in one process; several fit {able}.")
    parameters = model.get_params()
    if parameters.get("batch_size") is not None:
        raise DataError("batch_size samples neighbours from the whole graph. Leave it out: each of several "
                        "processes holds a part of the features only.")
    backbone = parameters.get("backbone")
    if backbone is not None and backbone not in BACKBONES:
        raise DataError(f"backbone={name_of(backbone)!r} needs the whole graph in one process; several fit "
                        f"{', '.join(BACKBONES)}.")
