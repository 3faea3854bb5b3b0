"""Methods by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halflabel.base import PUNodeClassifier




def method_classes() -> dict[str, type[PUNodeClassifier]]:
    """Every method's class by the name that the command line and saved models use.

    >>> method_classes()["gpl"].__name__
    'GPL'
    """
    from halflabel.methods.gpl import GPL
    from halflabel.methods.naive import Naive

    return {"gpl": GPL, "naive": Naive}
