"""Networks from saved weights: no larger than the weights, whatever the parameters say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

M = TypeVar("M", bound=nn.Module)


def restored(settings: Any, build: Callable[[Any], M], weights: Mapping[str, Tensor]) -> M:
    """The network that `build` makes of the settings, with these weights; ValueError if they do not fit.

    It is first built on torch's "meta" device, where a network has shapes and no memory.
    """
    sketch = copy(settings)
    sketch.device = "meta"
    with torch.device("meta"):
        wanted = {name: value.shape for name, value in build(sketch).state_dict().items()}
    if wanted != {name: value.shape for name, value in weights.items()}:
        raise ValueError("the weights are not those of a network with these parameters")
    network = build(settings)
    network.load_state_dict(weights)
    return network
