"""Methods by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halflabel.base import PUNodeClassifier

# The module of a method is its name.
METHODS = {
    "auto": "Auto",
    "gpl": "GPL",
    "naive": "Naive",
    "ted": "TED",
    "cvir": "CVIR",
    "nnpu": "NNPU",
    "upu": "UPU",
    "distpu": "DistPU",
    "pugnn": "PUGNN",
    "lsdan": "LSDAN",
    "grab": "GRAB",
    "blp": "BLP",
    "bld": "BLD",
    "labelprop": "LabelProp",
    "pulp": "PULP",
}


def method_classes() -> dict[str, type[PUNodeClassifier]]:
    """Every method's class by the name that the command line and saved models use.

    >>> method_classes()["gpl"].__name__
    'GPL'
    """
    return {name: getattr(import_module(f"halflabel.methods.{name}"), cls) for name, cls in METHODS.items()}
