"""Checkpoints: what a process needs to go on where a stopped fit was, in a file of its own.

Processes are never more than an epoch apart, so the newest two checkpoints of each have one in common. Files
hold tensors and plain values only: reading one runs no code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch

from halflabel.checkpoint import put_back, read_state, state_of, write_state
from halflabel.distributed.group import Group
from halflabel.errors import DataError

KEPT = 2


@dataclass(frozen=True)
class Checkpoints:
    """A directory for checkpoints, one `every` so many epochs; with `resume`, earlier ones are gone on from.

    `content` tells the graph, so that nobody goes on with another one.
    """

    directory: Path
    every: int
    resume: bool
    content: Mapping[str, str]

    def restore(self, training: Any, group: Group) -> int:
        """Load the newest checkpoint that all processes have; the number of epochs that were done."""
        epoch = _newest_common(self._epochs(group.rank), group) if self.resume else 0
        for other in self._epochs(group.rank):
            if other != epoch:  # of a fit that is not gone on with, or ahead of the other processes
                self._path(group.rank, other).unlink(missing_ok=True)
        if epoch:
            path = self._path(group.rank, epoch)
            saved = read_state(path, group.device)
            self._check_same(path, saved["fit"], self._describe(training, group))
            try:
                put_back(training, saved["state"])
            except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
                raise _damaged(path, error) from error
        if group.rank == 0 and self.resume and training.settings.verbose:
            said = f"resumed after epoch {epoch}" if epoch else "no checkpoint to resume from: starting anew"
            print(said, file=sys.stderr)
        return epoch

    def save_if_due(self, training: Any, group: Group) -> None:
        """After an epoch: write it down if it is one of those."""
        epoch = len(training.history)
        if epoch % self.every:
            return
        write_state(self._path(group.rank, epoch),
                    {"fit": self._describe(training, group), "state": state_of(training)})
        for old in self._epochs(group.rank)[:-KEPT]:
            self._path(group.rank, old).unlink(missing_ok=True)

    def remove(self, rank: int) -> None:
        """Take away what this process has written: the fit is done."""
        for epoch in self._epochs(rank):
            self._path(rank, epoch).unlink(missing_ok=True)
        with suppress(OSError):  # other processes may have some there still
            self.directory.rmdir()

    def newest(self, rank: int) -> int:
        """The last epoch that this process has written down, or 0."""
        return max(self._epochs(rank), default=0)

    def _path(self, rank: int, epoch: int) -> Path:
        return self.directory / f"process-{rank:05d}-epoch-{epoch:07d}.safetensors"

    def _epochs(self, rank: int) -> list[int]:
        found = self.directory.glob(f"process-{rank:05d}-epoch-*.safetensors")
        return sorted(int(path.stem.rpartition("-")[2]) for path in found)

    def _describe(self, training: Any, group: Group) -> dict[str, str]:
        """What must be the same for a fit to be the same fit."""
        settings = training.settings
        parameters = {name: value for name, value in settings.get_params().items()
                      if name not in ("verbose", "device")}
        return {"method": type(settings).__name__, "parameters": repr(parameters),
                "processes": f"{group.rank} of {group.size}", "graph": repr(dict(self.content)),
                "positives": sha256(np.packbits(training.problem.positive).tobytes()).hexdigest()}

    def _check_same(self, path: Path, saved: dict[str, str], wanted: dict[str, str]) -> None:
        if other := [name for name in wanted if saved.get(name) != wanted[name]]:
            raise DataError(f"{path}: the checkpoint is of another fit; {' and '.join(other)} differ. "
                            f"Start without resuming, or remove {os.fspath(self.directory)}.")


def _damaged(path: Path, error: Exception) -> DataError:
    what = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return DataError(f"{path}: a damaged checkpoint ({what}). Remove it, and resume from the one before.")


def _newest_common(own: list[int], group: Group) -> int:
    """The newest of the epochs that every process has, or 0."""
    listed = torch.zeros(KEPT + 1, dtype=torch.int64, device=group.device)
    listed[: len(own[-KEPT - 1 :])] = torch.tensor(own[-KEPT - 1 :], dtype=torch.int64)
    everybody = [set(epochs.tolist()) for epochs in group.all_gather(listed)]
    return max(set.intersection(*everybody), default=0)
