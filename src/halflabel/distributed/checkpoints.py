"""Checkpoints: what a process needs to go on where a stopped fit was, in a file of its own.

A fit is one training or several in a row, its stages; one that is resumed starts at the beginning, and every
stage begins where its newest checkpoint is, which may be its end. Processes are never more than an epoch
apart, so the newest two of each have one in common. Files hold tensors and plain values only: reading one
runs no code.
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

    def restore(self, training: Any, model: Any, stage: int, group: Group) -> int:
        """Load the newest checkpoint of a stage that all processes have; how many of its epochs are done."""
        if not stage:
            self._begin(model.verbose, group.rank)
        own = self._epochs(group.rank, stage)
        epoch = _newest_common(own, group)
        for other in own:
            if other != epoch:  # ahead of the other processes, or of no use any more
                self._path(group.rank, stage, other).unlink(missing_ok=True)
        if epoch:
            path = self._path(group.rank, stage, epoch)
            saved = read_state(path, group.device)
            self._check_same(path, saved["fit"], self._describe(training, model, group))
            try:
                put_back(training, saved["state"])
            except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
                raise _damaged(path, error) from error
        return epoch

    def _begin(self, verbose: bool, rank: int) -> None:
        if not self.resume:  # those that are there are of a fit that is not gone on with
            self.remove(rank)
        elif verbose and rank == 0:
            newest = self.newest(rank)
            print(f"resuming after {newest}" if newest else "no checkpoint to resume from: starting anew",
                  file=sys.stderr)

    def save_if_due(
        self, training: Any, model: Any, stage: int, group: Group, epoch: int, epochs: int
    ) -> None:
        """After an epoch of a stage: write it down if it is one of those, or the last."""
        if epoch % self.every and epoch != epochs:
            return
        write_state(self._path(group.rank, stage, epoch),
                    {"fit": self._describe(training, model, group), "state": state_of(training)})
        for old in self._epochs(group.rank, stage)[:-KEPT]:
            self._path(group.rank, stage, old).unlink(missing_ok=True)

    def remove(self, rank: int) -> None:
        """Take away what this process has written: the fit is done."""
        for path in self._files(rank):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # other processes may have some there still
            self.directory.rmdir()

    def newest(self, rank: int) -> str | None:
        """The last epoch that this process has written down, in words."""
        files = self._files(rank)
        if not files:
            return None
        _, _, _, stage, _, epoch = files[-1].stem.split("-")
        return f"epoch {int(epoch)}" + (f" of training {int(stage) + 1}" if int(stage) else "")

    def _path(self, rank: int, stage: int, epoch: int) -> Path:
        return self.directory / f"process-{rank:05d}-stage-{stage:03d}-epoch-{epoch:07d}.safetensors"

    def _epochs(self, rank: int, stage: int) -> list[int]:
        return [int(path.stem[-7:]) for path in self._files(rank) if f"-stage-{stage:03d}-" in path.name]

    def _files(self, rank: int) -> list[Path]:
        return sorted(self.directory.glob(f"process-{rank:05d}-stage-*-epoch-*.safetensors"))

    def _describe(self, training: Any, model: Any, group: Group) -> dict[str, str]:
        """What must be the same for a fit to be the same fit."""
        parameters = {name: value for name, value in model.get_params().items()
                      if name not in ("verbose", "device")}
        return {"method": type(model).__name__, "parameters": repr(parameters),
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
