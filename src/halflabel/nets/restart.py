"""Initialise a module anew, from torch's random state."""

from __future__ import annotations

from collections.abc import Iterator

from torch import nn

from halflabel.errors import DataError, quote_some

RESETS = ("reset_parameters", "_reset_parameters")  # the second in torch's own attention


def start_afresh(module: nn.Module) -> None:
    """Forget what a module has learned, in place; refuse one with weights that nobody can initialise.

    >>> import torch
    >>> layer = nn.Linear(2, 1)
    >>> before = layer.weight.clone()
    >>> start_afresh(layer)
    >>> bool((layer.weight == before).any())
    False
    """
    if stuck := list(_without_reset(module, "")):
        name = type(module).__name__
        raise DataError(
            f"backbone={name}: nothing initialises {quote_some(stuck)} anew, so its copies would not be "
            f"independent. Give {name} a reset_parameters(), or pass a function that makes the module.")
    # From the inside out: what a layer decides about its parts counts last.
    for part in reversed(list(module.modules())):
        for name in RESETS:
            if callable(reset := getattr(part, name, None)):
                reset()


def _without_reset(module: nn.Module, path: str) -> Iterator[str]:
    """Names of parameters that belong to no module with a reset."""
    if any(callable(getattr(module, name, None)) for name in RESETS):
        return
    for name, _ in module.named_parameters(recurse=False):
        yield path + name
    for name, child in module.named_children():
        yield from _without_reset(child, f"{path}{name}.")
