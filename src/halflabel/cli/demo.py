"""halflabel demo: the main job on simulated payments, where the truth is known afterwards."""

from __future__ import annotations

import csv
import filecmp
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.facts import fit_facts
from halflabel.cli.fitting import Result, Settings, fit_files, say_answer, say_files, say_top
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say, say_heading, say_json, say_pairs
from halflabel.errors import DataError


def demo(
    out: Annotated[Path, typer.Option(help="Directory for the example's files and results.")] = Path("demo"),
    as_json: options.AsJson = False,
) -> None:
    """Find frauds in simulated payments, and say how many were found.

    Takes less than a minute. Writes the input to OUT/input and the results to OUT/run.
    """
    place, run = out / "input", out / "run"
    _write_input(place)
    truth = _frauds(place / "truth.csv")
    if not as_json:
        say("Simulated payments between accounts, a few of them fraudulent; some of the frauds are known.")
        say(f"The files are in {place}. The fit does not see truth.csv, which says who else is a fraud.")
    inputs = Inputs(place / "edges.csv", place / "nodes.csv", place / "known.txt")
    result = fit_files(inputs, Settings(), run, told=not as_json)
    hidden = _hidden(result, truth)
    if as_json:
        say_json({**fit_facts(result, run), "truth": asdict(hidden)})
        return
    say_answer(result)
    say_top(result, truth)
    _say_truth(result, hidden)
    say_files(run)
    say_heading("On your own files")
    say("  halflabel check edges.csv --nodes nodes.csv --positives known.txt")
    say("  halflabel fit edges.csv --nodes nodes.csv --positives known.txt --out run/")


def _write_input(place: Path) -> None:
    """Write the example, unless other files are in the way: somebody may keep his own edges.csv there."""
    from halflabel.datasets import write_payments
    from halflabel.files import whole_directory

    if not place.exists():
        with whole_directory(place) as filling:
            write_payments(filling)
        return
    import tempfile

    with tempfile.TemporaryDirectory() as fresh:
        names = [path.name for path in write_payments(fresh).iterdir()]
        same, _, _ = filecmp.cmpfiles(fresh, place, names, shallow=False)
    if len(same) < len(names):
        raise DataError(f"{place}: exists and is not the demo's input. Nothing was changed; choose another "
                        "place with --out, or remove it.")


def _frauds(path: Path) -> frozenset[object]:
    with path.open(newline="", encoding="utf-8") as stream:
        return frozenset(row["id"] for row in csv.DictReader(stream) if row["fraud"] == "1")


@dataclass(frozen=True)
class Hidden:
    """Frauds that the fit was not told of: how many, how many are flagged, their share of the unlabelled."""

    frauds: int
    found: int
    prior: float


def _hidden(result: Result, truth: frozenset[object]) -> Hidden:
    rows = [row for row in result.scores.to_pylist() if row["id"] in truth and not row["known_positive"]]
    return Hidden(len(rows), sum(row["flagged"] for row in rows),
                  len(rows) / result.record.counts["unlabelled"])


def _say_truth(result: Result, hidden: Hidden) -> None:
    """How good the answer is: how many of the hidden frauds are flagged, and how far off the prior is."""
    from halflabel.run.answer import percent, percent_range

    record = result.record
    found, flagged, share = hidden.found, record.counts["flagged"], hidden.prior
    missed = "" if record.prior_low <= share <= record.prior_high else ", outside the interval"
    say_heading("Compared with the truth, which only a simulation knows")
    say_pairs([
        ("hidden frauds", f"{found} of {hidden.frauds} are among the {flagged} flagged accounts"),
        ("precision", f"{percent(found / max(flagged, 1))} of the flagged are frauds; "
                      f"picking at random gives {percent(share)}"),
        ("prior", f"{percent(record.prior)} estimated, 90 % interval "
                  f"{percent_range(record.prior_low, record.prior_high)}; {percent(share)} in truth{missed}"),
    ])
