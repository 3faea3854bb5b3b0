"""What tells one fit from another: nobody goes on with the checkpoint of another one."""

from __future__ import annotations

from inspect import isfunction
from typing import Any

import numpy as np
import torch

from halflabel import __version__
from halflabel.fingerprint import digest, fingerprint
from halflabel.graph import Graph


def describe_fit(model: Any, graph: Graph, positive: np.ndarray, unlabelled: np.ndarray) -> dict[str, str]:
    """Method, parameters, data and versions, each as a short text that can be compared and shown."""
    parameters = {name: _text(value) for name, value in model.get_params().items() if name != "verbose"}
    return {
        "method": type(model).__name__,
        **parameters,
        **{name: value.hex() for name, value in fingerprint(graph).items()},
        "known positives": digest(np.packbits(positive).tobytes()),
        "nodes in focus": digest(np.packbits(positive | unlabelled).tobytes()),
        "halflabel": __version__,
        "torch": str(torch.__version__),
    }


def _text(value: Any) -> str:
    """A function, which may stand for a backbone, by its name: where it is in memory differs every time."""
    return value.__qualname__ if isfunction(value) else repr(value)
