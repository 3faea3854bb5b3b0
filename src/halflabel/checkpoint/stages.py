"""Checkpoints of a fit in one process.

A fit is a sequence of stages, the calls of one training loop. Each has a file with its newest state. A fit
that is resumed starts at the beginning: what is quick is computed again, and every stage begins with the
state in its file, which may be its end. A stage without a file is trained again. As all of it is
deterministic, the result has the same bits, whatever was written and when.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from halflabel.checkpoint.state import put_back, state_of
from halflabel.checkpoint.storage import damaged, read_state, write_state
from halflabel.errors import DataError

SECONDS = 30.0  # between checkpoints, where no number of epochs is given
AT_THE_END = 3.0  # the same for the end of a stage, after which it need not be trained again at all
SHARE = 20  # checkpoints take at most one in so many seconds

Fit = Callable[[], Mapping[str, str]]  # what tells a fit from others, asked for only if a file is at hand
_active: ContextVar[Checkpoints | None] = ContextVar("checkpoints", default=None)


class Stage(NamedTuple):
    """A call of the training loop: its number, and how many of its epochs an earlier attempt has done."""

    number: int = 0
    done: int = 0


class Checkpoints:
    """Files in a directory, one a stage: `every` so many epochs, or by default every thirty seconds.

    With `resume`, those of an earlier attempt are gone on from; without, they go when the first new one is
    written.
    """

    def __init__(self, directory: str | os.PathLike[str], every: int | None = None, resume: bool = True):
        if every is not None and every < 1:
            raise DataError(f"every={every}: expected a number of epochs, at least 1.")
        self.directory, self.every, self.resume = Path(directory), every, resume
        self._stages, self._written, self._told = 0, False, False
        self._last, self._cost = monotonic(), 0.0

    def begin(self, training: Any, fit: Fit) -> Stage:
        """The next stage, with the training put where an earlier attempt has left it."""
        number, self._stages = self._stages, self._stages + 1
        self._tell(training.settings.verbose)
        path = self._path(number)
        if not self.resume or not path.is_file():
            return Stage(number)
        saved = read_state(path, training.device)
        try:
            self._check_same(saved["fit"], fit())
            put_back(training, saved["state"])
            return Stage(number, int(saved["done"]))
        except (KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise damaged(path, error) from error

    def epoch_done(self, training: Any, stage: Stage, fit: Fit, done: int, epochs: int) -> None:
        """Write the state down if it is time to."""
        if not self._is_due(done, epochs):
            return
        start = monotonic()
        if not self.resume and not self._written:
            self.remove()
        try:
            write_state(self._path(stage.number),
                        {"fit": dict(fit()), "done": done, "state": state_of(training)})
            self._written = True
        except DataError as error:  # the fit may well succeed without
            print(f"no checkpoint: {error}", file=sys.stderr)
        self._last = monotonic()
        self._cost = self._last - start

    def remove(self) -> None:
        """Take all of them away."""
        half_written = self.directory.glob(".stage-*.safetensors")  # of a process that was killed meanwhile
        for path in (*self._files(), *half_written):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # somebody else may have put something there
            self.directory.rmdir()

    def newest(self) -> datetime | None:
        """When the last one was written, if there is any."""
        times = [path.stat().st_mtime for path in self._files()]
        return datetime.fromtimestamp(max(times)) if times else None

    def _is_due(self, done: int, epochs: int) -> bool:
        if self.every is not None:
            return done % self.every == 0 or done == epochs
        wanted = SECONDS if done < epochs else AT_THE_END
        return monotonic() - self._last >= max(wanted, SHARE * self._cost)

    def _tell(self, verbose: bool) -> None:
        if self.resume and verbose and not self._told:
            newest = self.newest()
            print("no checkpoint to resume from: starting at the beginning" if newest is None else
                  f"resuming from the checkpoint of {newest:%H:%M:%S}", file=sys.stderr)
        self._told = True

    def _path(self, stage: int) -> Path:
        return self.directory / f"stage-{stage:05d}.safetensors"

    def _files(self) -> list[Path]:
        return sorted(self.directory.glob("stage-*.safetensors"))

    def _check_same(self, saved: Mapping[str, str], wanted: Mapping[str, str]) -> None:
        if other := [name for name in wanted if saved.get(name) != wanted[name]]:
            differences = ", ".join(_difference(name, saved.get(name, "?"), wanted[name]) for name in other)
            raise DataError(f"{self.directory}: the checkpoint is of another fit: {differences}. Start "
                            "without --resume to begin anew, or repeat the fit as it was.")


def _difference(name: str, was: str, now: str) -> str:
    return f"{name} {was}, now {now}" if max(len(was), len(now)) < 30 else f"other {name}"


def active_checkpoints() -> Checkpoints | None:
    """Those of the innermost `checkpointed` that this code runs in."""
    return _active.get()


@contextmanager
def checkpointed(
    directory: str | os.PathLike[str], *, every: int | None = None, resume: bool = True
) -> Iterator[Checkpoints]:
    """Let the fits in the body write down how far they are, in this directory; it goes when all is done.

    Killed at any moment and started again, the body has the same result to the bit, provided that it does
    the same. `every` is a number of epochs; by default a checkpoint is written every thirty seconds.

    >>> import tempfile
    >>> import halflabel as hl
    >>> graph, y = hl.load_dataset("payments")
    >>> with checkpointed(tempfile.mkdtemp() + "/kept"):
    ...     model = hl.Naive(epochs=5).fit(graph, hl.payments_positives(y))
    """
    checkpoints = Checkpoints(directory, every, resume)
    token = _active.set(checkpoints)
    try:
        yield checkpoints
    finally:
        _active.reset(token)
    checkpoints.remove()
