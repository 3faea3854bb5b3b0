"""From files to a run directory: what `fit` does, and `demo` too."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from halflabel.cli.facts import SHOWN
from halflabel.cli.inputs import Inputs, Loaded
from halflabel.cli.later import GoingOn
from halflabel.cli.options import parse_prior, parse_threshold
from halflabel.cli.show import say_heading, say_pairs, say_points, say_prose, say_table
from halflabel.errors import DataError, unknown_name, without_doubts

if TYPE_CHECKING:
    import pyarrow as pa

    from halflabel.base import PUNodeClassifier
    from halflabel.run.record import RunRecord

FILES = (
    ("report.html", "open this first"),
    ("scores.csv", "every node: score, probability, rank; also as scores.parquet"),
    ("edges.parquet", "how far each edge was trusted"),
    ("run.json", "the numbers above, and what is needed to repeat the run"),
    ("history.csv", "the training, epoch by epoch"),
    ("model/", "the fitted model, for halflabel.load"),
    ("graph/", "the graph that was fitted, for halflabel.open_run"),
)
WORTH_SAYING = 2**30  # bytes
LACKS = {"backbone": "leaves no network to choose", "batch_size": "needs all nodes at once",
         "epochs": "does not train in epochs", "folds": "draws no folds"}  # said of a method without one


@dataclass(frozen=True)
class Settings:
    """How to fit."""

    method: str = "auto"
    prior: str = "auto"
    threshold: str | None = None
    seed: int = 0
    backbone: str | None = None
    batch_size: int | None = None
    epochs: int | None = None
    folds: int | None = None

    def model(self) -> PUNodeClassifier:
        """The method, not fitted yet; a mistyped name says so before any file is read."""
        from halflabel.methods import method_classes
        from halflabel.nets import BACKBONES

        known = method_classes()
        if self.method not in known:
            raise DataError(unknown_name("method", self.method, known))
        if self.backbone is not None and self.backbone not in BACKBONES:
            raise DataError(unknown_name("backbone", self.backbone, BACKBONES))
        parameters: dict[str, Any] = {
            "prior": parse_prior(self.prior), "random_state": self.seed, "verbose": True}
        if self.threshold is not None:
            parameters["threshold"] = parse_threshold(self.threshold)
        for name, lack in LACKS.items():
            given = getattr(self, name)
            if given is None:
                continue
            able = [other for other, cls in known.items() if name in cls().get_params()]
            if self.method not in able:
                choice = f"{', '.join(able[:-1])} or {able[-1]}"
                raise DataError(f"--{name.replace('_', '-')} {given}: {self.method} {lack}. "
                                f"Leave the option out, or choose --method {choice}.")
            parameters[name] = given
        model = known[self.method](**parameters)
        try:
            model._validate_params()
        except ValueError as error:
            raise DataError(f"{error} Choose another number, or leave the option out.") from None
        return model


@dataclass(frozen=True)
class Result:
    """The record that was written, and every node as in scores.csv."""

    record: RunRecord
    scores: pa.Table


def fit_files(
    inputs: Inputs, settings: Settings, out: Path, going_on: GoingOn | None = None, *, told: bool = True
) -> Result:
    """Read, say what was read if that is to be told, fit with progress on the standard error, write the run
    directory. With `going_on`, the fit has checkpoints.
    """
    from halflabel.files import writing
    from halflabel.run.destination import check_destination

    place = check_destination(out, inputs.paths.values())  # before hours of work, not after
    model = settings.model()
    with writing(place):
        loaded = inputs.read()

        from halflabel.features.scaling import Scaling

        if told:
            scaling = Scaling.fit(loaded.graph.X, loaded.graph.names()).describe()
            inputs.say_what_was_read(loaded, scaling, _memory(model, loaded))
        with going_on.later(place) if going_on else nullcontext():
            return _fit(model, loaded, place)


def _memory(model: PUNodeClassifier, loaded: Loaded) -> str | None:
    """What the fit will need, where that is worth a word; whether there is room is checked by the fit."""
    from halflabel.memory import available, estimated_peak
    from halflabel.memory.limits import in_words

    needed, room = estimated_peak(model, loaded.graph), available()
    if needed < WORTH_SAYING:
        return None
    return f"about {in_words(needed)} for the fit" + (f", {in_words(room.free)} are free" if room else "")


def _fit(model: PUNodeClassifier, loaded: Loaded, place: Path) -> Result:
    from halflabel.run.ranking import score_table
    from halflabel.run.store import write_run

    start = perf_counter()
    with without_doubts():  # the record has them
        model.fit(loaded.graph, loaded.known)
    seconds = perf_counter() - start
    model.set_params(verbose=False)  # a matter of this terminal, not of the saved model
    record = write_run(place, loaded.graph, model, loaded.known, seconds=seconds, inputs=loaded.files,
                       verbose=True)
    return Result(record, score_table(loaded.graph, model, loaded.known))


def say_answer(result: Result) -> None:
    """The answer in one sentence."""
    from halflabel.run.answer import answer

    record = result.record
    say_heading(f"Answer, by {record.method} in {record.seconds:.0f} s")
    say_prose(answer(record))
    if record.doubts:
        say_heading("Doubts")
        say_points(record.doubts, "yellow")


def say_top(result: Result, truth: frozenset[object] | None = None) -> None:
    """The ten most likely positives; where the truth is known, which of them are."""
    from halflabel.run.answer import probability

    rows = [row for row in result.scores.slice(0, SHOWN).to_pylist() if row["rank"] is not None]
    columns = ["rank", "id", "probability", "flagged"]
    cells = [[row["rank"], row["id"], probability(row["probability"]), "yes" if row["flagged"] else "no"]
             for row in rows]
    if truth is not None:
        columns.append("in truth")
        cells = [[*line, "fraud" if row["id"] in truth else "honest"]
                 for line, row in zip(cells, rows, strict=True)]
    say_heading("Most likely positives")
    say_table(columns, cells, right=("rank", "probability"))


def say_files(out: Path) -> None:
    """Where everything is."""
    say_heading(f"Files in {out}")
    say_pairs([(name, what) for name, what in FILES if (out / name).exists()])
