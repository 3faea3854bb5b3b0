"""A fit that is stopped says how to go on with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from halflabel.cli.show import say_error
from halflabel.errors import DataError

if TYPE_CHECKING:
    from halflabel.checkpoint import Checkpoints


def hidden_checkpoints(place: Path) -> Path:
    """Where the checkpoints of a run are: beside it, because it is written whole or not at all.

    >>> hidden_checkpoints(Path("results/run")).as_posix()
    'results/.run.checkpoint'
    """
    return place.with_name(f".{place.name}.checkpoint")


@dataclass(frozen=True)
class GoingOn:
    """Epochs between checkpoints, or None for half a minute; whether to go on from an earlier one."""

    every: int | None = None
    resume: bool = False

    @contextmanager
    def later(self, place: Path) -> Iterator[None]:
        """Fit with checkpoints, which go when the run is written; otherwise say that they stay."""
        from halflabel.checkpoint import checkpointed

        kept = hidden_checkpoints(place)
        with checkpointed(kept, every=self.every, resume=self.resume) as checkpoints:
            if not self.resume and (newest := checkpoints.newest()):
                say_error(f"starting at the beginning, though there is a checkpoint of {newest:%H:%M:%S}; "
                          "--resume would go on from it.")
            try:
                yield
            except (KeyboardInterrupt, DataError, OSError) as error:
                _say_how_to_go_on(checkpoints, error)
                raise


def _say_how_to_go_on(checkpoints: Checkpoints, error: BaseException) -> None:
    newest = checkpoints.newest()
    if newest is not None and "checkpoint" not in str(error):  # which says itself what to do
        say_error(f"the same command with --resume goes on from the checkpoint of {newest:%H:%M:%S}, in "
                  f"{checkpoints.directory}.")
