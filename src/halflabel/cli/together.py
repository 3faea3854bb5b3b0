"""What `fit --distributed` does in each of the processes that torchrun started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from halflabel.cli.fitting import Result, Settings
from halflabel.cli.show import say_heading, say_pairs
from halflabel.cli.words import counted
from halflabel.errors import DataError

if TYPE_CHECKING:
    from halflabel.base import PUNodeClassifier
    from halflabel.distributed import Part


@dataclass(frozen=True)
class Sharing:
    """Checkpoints of a fit, and how several processes wait for each other."""

    every: int | None = None
    resume: bool = False
    patience: float = 600.0


def fit_parts(
    directory: Path, positives: Path, settings: Settings, out: Path, sharing: Sharing, told: bool = True
) -> Result | None:
    """Fit this process's part; process 0 writes the run directory and gets the result, the others None."""
    from halflabel.distributed import read_part
    from halflabel.distributed.group import Group
    from halflabel.files import writing
    from halflabel.run.destination import check_destination
    from halflabel.run.machine import InputFile
    from halflabel.run.ranking import score_table
    from halflabel.run.together import write_run_together

    model: Any = shared_model(settings)
    part = replace(read_part(directory), patience=sharing.patience)
    part = part.with_checkpoints(checkpoint_place(out), every=sharing.every or 10, resume=sharing.resume)
    if part.rank == 0:
        check_destination(out, [directory, positives])
        if told:
            _say_what_was_read(part, positives)
    inputs = {"graph": InputFile.of(directory / "parts.json"), "positives": InputFile.of(positives)}
    start = perf_counter()
    with _stopping_with_a_message(part), writing(out) if part.rank == 0 else nullcontext():
        model.fit(part, positives)
        seconds, talking = perf_counter() - start, Group.join(model.device).seconds
        model.set_params(verbose=False)
        written = write_run_together(out, part, model, seconds=seconds, inputs=inputs)
    if part.checkpoints:
        part.checkpoints.remove(part.rank)
    if written is None:
        return None
    if told:
        say_pairs([("time", f"{seconds - talking:.1f} s computing, {talking:.1f} s talking and waiting")])
    record, nodes = written
    return Result(record, score_table(nodes, model, model.known_))


def shared_model(settings: Settings) -> PUNodeClassifier:
    """The method that was asked for, if several processes can fit it."""
    from halflabel.distributed.fitting import check_can_share

    model = settings.model()
    check_can_share(model)
    return model


def checkpoint_place(out: Path) -> Path:
    """Where checkpoints of a run are: beside it, because a run directory is written whole or not at all.

    >>> checkpoint_place(Path("results/run")).as_posix()
    'results/run.checkpoints'
    """
    place = out.resolve() if out.name in ("", ".", "..") else out
    return place.with_name(f"{place.name}.checkpoints")


def refuse_reading_options(given: dict[str, object]) -> None:
    """Tables were read when the graph was cut into parts; options for that have no use here."""
    if named := [f"--{name.replace('_', '-')}" for name, value in given.items() if value]:
        raise DataError(f"{', '.join(named)}: tables are read by halflabel partition. Give the option there.")


def refuse_sharing(edges: Path, sharing: Sharing) -> None:
    """Without --distributed, what is for several processes is refused, rather than of no effect.

    >>> refuse_sharing(Path("edges.csv"), Sharing())
    """
    if sharing.patience != Sharing().patience:
        raise DataError("--patience is for fits by several processes. Add --distributed, under torchrun, or "
                        "leave it out.")
    if (edges / "parts.json").is_file():
        raise DataError(f"{edges}: the parts of a graph, for several processes. Start them by torchrun, with "
                        "--distributed, as halflabel partition has said.")


def _say_what_was_read(part: Part, positives: Path) -> None:
    manifest = part.manifest
    say_heading("Read")
    say_pairs([
        ("graph", f"{counted(manifest.nodes, 'node')}, {counted(manifest.edges, 'directed edge')}"),
        ("parts", f"{manifest.parts:,}, one for each process, {manifest.how}"),
        ("features", manifest.scaling.describe()),
        ("positives", positives.name),
    ])


@contextmanager
def _stopping_with_a_message(part: Part) -> Iterator[None]:
    """The launcher ends the other processes when one is lost, perhaps before they have noticed it."""
    from halflabel.distributed.group import LostWorker

    def stop(number: int, frame: object) -> None:
        raise LostWorker(f"process {part.rank} of {part.manifest.parts} was told to stop: another one ended, "
                         "or somebody ended the job.")

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
