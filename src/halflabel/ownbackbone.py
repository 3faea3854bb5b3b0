"""A saved model whose network the user wrote: the files hold its name and weights, the user has its code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from halflabel.base import PUNodeClassifier
from halflabel.errors import DataError
from halflabel.nets import OwnNetwork, name_of


def plain_parameters(model: PUNodeClassifier) -> dict[str, Any]:
    """Parameters as JSON has them: of a network that the user wrote, the name.

    >>> from torch import nn
    >>> from halflabel import Naive
    >>> plain_parameters(Naive(backbone=nn.Linear))["backbone"]
    {'own': 'Linear'}
    """
    parameters = model.get_params()
    if not isinstance(backbone := parameters.get("backbone", ""), str):
        parameters["backbone"] = {"own": name_of(backbone)}
    return parameters


def put_back(config: dict[str, Any], backbone: OwnNetwork | None, place: Path) -> None:
    """Put the user's network where its name stands in a config; refuse one too few, and one too many.

    >>> put_back({"parameters": {"backbone": {"own": "Mine"}}}, None, Path("model"))
    Traceback (most recent call last):
    halflabel.errors.DataError: model: was saved with a network of your own, Mine, whose code is not in the \
files. Give it: halflabel.load('model', backbone=Mine(...)).
    """
    parameters = config.get("parameters")
    stored = parameters.get("backbone") if isinstance(parameters, dict) else None  # others are refused later
    own = stored.get("own") if isinstance(stored, dict) else None
    if own is None and backbone is not None:
        raise DataError(f"{place}: has a network of ours, and backbone={name_of(backbone)} no place in it. "
                        "Leave it out.")
    if own is not None and backbone is None:
        raise DataError(f"{place}: was saved with a network of your own, {own}, whose code is not in the "
                        f"files. Give it: halflabel.load({str(place)!r}, backbone={own}(...)).")
    if own is not None and isinstance(parameters, dict):
        parameters["backbone"] = backbone
