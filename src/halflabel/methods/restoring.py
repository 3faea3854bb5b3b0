"""Networks from saved weights: no larger than the weights, whatever the parameters say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from halflabel.errors import DataError
from halflabel.nets import OtherNetwork, name_of

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


def restored_own(settings: Any, build: Callable[[Any], M], weights: Mapping[str, Tensor]) -> M:
    """The same for a network that the user gave: OtherNetwork if the weights do not fit it."""
    try:
        network = build(settings)
        network.load_state_dict(weights)
    except (DataError, RuntimeError) as error:
        raise OtherNetwork(f"backbone={name_of(settings.backbone)}: not the network that was saved. "
                           f"{' '.join(str(error).split())[:300]}") from None
    return network
