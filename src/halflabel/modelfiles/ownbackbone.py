"""A saved model whose network the user wrote: the files hold its name and weights, the user has its code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from halflabel.base import PUNodeClassifier
from halflabel.errors import DataError
from halflabel.nets import OwnNetwork, name_of

OWN = "own:"  # before the name of a class that is not ours


def plain_parameters(model: PUNodeClassifier) -> dict[str, Any]:
    """Parameters as JSON has them: of a network that the user wrote, the name.

    >>> from torch import nn
    >>> from halflabel import Naive
    >>> plain_parameters(Naive(backbone=nn.Linear))["backbone"]
    'own:Linear'
    """
    parameters = model.get_params()
    if not isinstance(backbone := parameters.get("backbone", ""), str):
        parameters["backbone"] = OWN + name_of(backbone)
    return parameters


def put_back(parameters: dict[str, Any], backbone: OwnNetwork | None, place: Path) -> None:
    """Put the user's network where its name stands; refuse one too few, and one too many.

    >>> put_back({"backbone": "own:Mine"}, None, Path("model"))
    Traceback (most recent call last):
    halflabel.errors.DataError: model: was saved with a network of your own, Mine. Its code is not in the \
files: give it, as in halflabel.load('model', backbone=Mine(...)).
    """
    own = str(parameters.get("backbone")).startswith(OWN)
    if backbone is not None and not own:
        raise DataError(f"{place}: has a network of ours, and backbone={name_of(backbone)} no place in it. "
                        "Leave it out.")
    if own and backbone is None:
        name = str(parameters["backbone"]).removeprefix(OWN)[:40]
        raise DataError(f"{place}: was saved with a network of your own, {name}. Its code is not in the "
                        f"files: give it, as in halflabel.load({str(place)!r}, backbone={name}(...)).")
    if own:
        parameters["backbone"] = backbone
