"""All that training changes: taken from an object in training, and put back into another one like it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def state_of(training: Any) -> dict[str, Any]:
    """What the attributes in `CHANGES` hold, and where the random numbers are."""
    state = {name: _held(getattr(training, name, None)) for name in training.CHANGES}
    return {"changes": state, "random": _random_numbers(training.device)}


def put_back(training: Any, state: dict[str, Any]) -> None:
    """Make an object in training what the other one was."""
    for name, saved in state["changes"].items():
        now: Any = getattr(training, name, None)
        if hasattr(now, "load_state_dict"):
            now.load_state_dict(saved)
        elif isinstance(now, Tensor) and now.requires_grad:
            now.data.copy_(saved)  # the optimiser holds on to this very tensor
        else:
            setattr(training, name, saved)
    torch.set_rng_state(state["random"]["cpu"].cpu())
    if "cuda" in state["random"]:
        torch.cuda.set_rng_state(state["random"]["cuda"].cpu(), training.device)
    training.taken_up()


def _held(value: Any) -> Any:
    return value.state_dict() if hasattr(value, "state_dict") else value


def _random_numbers(device: torch.device) -> dict[str, Tensor]:
    states = {"cpu": torch.get_rng_state()}
    return states | {"cuda": torch.cuda.get_rng_state(device)} if device.type == "cuda" else states
