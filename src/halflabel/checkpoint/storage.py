"""A state in one file: tensors as safetensors, the rest as JSON in its header. Reading one runs no code."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from halflabel.errors import DataError
from halflabel.files import whole_file
from halflabel.priors import Prior

HEADER = "halflabel checkpoint"
Shelf = dict[Any, tuple[str, Tensor]]  # by where they are in memory: the name of a tensor, and itself


def write_state(path: Path, state: Any) -> None:
    """Write nested dictionaries, lists and tuples of tensors, arrays and plain values, whole or not at all.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "state"
    >>> write_state(path, {1: torch.ones(2), "auc": (float("-inf"), None)})
    >>> read_state(path)
    {1: tensor([1., 1.]), 'auc': (-inf, None)}
    """
    shelf: Shelf = {}
    header = json.dumps(_packed(state, shelf))
    with whole_file(path) as filling:
        # Not by save_file, which has a temporary file of its own that a kill would leave behind.
        filling.write_bytes(save(dict(shelf.values()), metadata={HEADER: header}))
        _reach_the_disk(filling)
    _reach_the_disk(path.parent)


def read_state(path: Path, device: str | torch.device = "cpu") -> Any:
    """What `write_state` wrote, with its tensors on this device."""
    try:
        with safe_open(path, framework="pt", device=str(device)) as file:
            header = json.loads((file.metadata() or {})[HEADER])
            return _unpacked(header, _in_memory(file))
    except (SafetensorError, KeyError, ValueError, TypeError, RecursionError) as error:
        raise damaged(path, error) from None


def _in_memory(file: Any) -> dict[str, Tensor]:
    """Copies: what is mapped would end the process if somebody cut the file short."""
    return {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118


def damaged(path: Path, error: Exception) -> DataError:
    """The message for a file that is no checkpoint, or one that somebody has changed.

    >>> str(damaged(Path("kept"), KeyError("state")))
    "kept: a damaged checkpoint (KeyError: 'state'). Remove it, or start without resuming."
    """
    what = (str(error).splitlines() or [""])[0][:200]
    return DataError(f"{path}: a damaged checkpoint ({type(error).__name__}: {what}). Remove it, or start "
                     "without resuming.")


def _packed(value: Any, shelf: Shelf) -> Any:
    """As JSON, in which everything that JSON lacks is a pair of its kind and its content."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, Tensor):
        return ["tensor", _shelved(value, shelf)]
    if isinstance(value, np.ndarray):
        return ["array", _shelved(torch.from_numpy(value), shelf)]
    if isinstance(value, np.generic):
        return [value.dtype.str, value.item()]
    if isinstance(value, dict):
        return ["dict", [[_packed(key, shelf), _packed(part, shelf)] for key, part in value.items()]]
    kind = next((name for name, cls in SEQUENCES.items() if type(value) is cls), None)
    if kind is None:
        raise TypeError(f"a {type(value).__name__} has no place in a checkpoint")
    return [kind, [_packed(part, shelf) for part in value]]


def _unpacked(packed: Any, tensors: dict[str, Tensor]) -> Any:
    if not isinstance(packed, list):
        return packed
    kind, content = packed
    if kind == "dict":
        return {_unpacked(key, tensors): _unpacked(part, tensors) for key, part in content}
    if kind in SEQUENCES:
        parts = [_unpacked(part, tensors) for part in content]
        return Prior(*parts) if kind == "prior" else SEQUENCES[kind](parts)
    if kind == "tensor":
        return tensors[content]
    return tensors[content].numpy(force=True) if kind == "array" else np.dtype(kind).type(content)


SEQUENCES: dict[str, type] = {"list": list, "tuple": tuple, "prior": Prior}


def _shelved(tensor: Tensor, shelf: Shelf) -> str:
    """The name under which a tensor is written; one that is there already is not written twice."""
    tensor = tensor.detach()
    place = tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride()
    if place not in shelf:
        # The format has no room for views: what shares memory with others gets its own.
        whole = tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()
        own = tensor if whole and tensor.is_contiguous() else tensor.clone().contiguous()
        shelf[place] = str(len(shelf)), own
    return shelf[place][0]


def _reach_the_disk(path: Path) -> None:
    """Renaming is safe against a crash of the machine only once the content is there."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
