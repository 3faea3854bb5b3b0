"""The options that commands share, each declared once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import complete
from halflabel.errors import DataError, unknown_name

COLUMNS, FIT, PROCESSES = "Columns and cleaning", "Fit", "Several processes"


class Missing(StrEnum):
    """What to do about missing features."""

    error = "error"
    mean = "mean"


class UnknownNodes(StrEnum):
    """What to do about edges to nodes that are not in the node table."""

    error = "error"
    drop = "drop"


def parse_prior(text: str) -> str | float:
    """The prior as an option: auto, an estimator's name, or a number.

    >>> parse_prior("auto"), parse_prior("dedpul"), parse_prior("0.1")
    ('auto', 'dedpul', 0.1)
    """
    # Not at the top: --help must not wait for numpy.
    from halflabel.priors.estimators import prior_methods

    # two_view takes two scores a node.
    names = ["auto", *(name for name in prior_methods() if name != "two_view")]
    if text in names:
        return text
    try:
        return float(text)
    except ValueError:
        unknown = unknown_name("estimator", text, names)
        message = f"{text!r} is neither 'auto' nor a number between 0 and 1; {unknown}"
        raise typer.BadParameter(message, param_hint="--prior") from None


def parse_threshold(text: str) -> str | tuple[str, float]:
    """Whom to flag, as an option: a name, or a goal and its number.

    >>> parse_threshold("f1"), parse_threshold("budget:200"), parse_threshold("precision:0.8")
    ('f1', ('budget', 200), ('precision', 0.8))
    """
    from halflabel.thresholds import goal_of

    name, colon, number = text.partition(":")
    try:
        value = float(number) if colon else None
    except ValueError:
        raise DataError(f"--threshold {text}: {number!r} is not a number. Expected a goal and its number, "
                        "such as budget:200, precision:0.8 or cost:5.") from None
    threshold = text if value is None else (name, int(value) if value.is_integer() else value)
    goal_of(threshold)
    return threshold


def split_names(text: str | None) -> list[str] | None:
    """Column names separated by commas.

    >>> split_names("age, city"), split_names(None)
    (['age', 'city'], None)
    """
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def check_picture(path: Path) -> None:
    """Only formats that can be drawn, said before any work is done.

    >>> check_picture(Path("prior.svg"))
    """
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise DataError(f"{path}: expected a name that ends in .png, .svg or .pdf.")


Edges = Annotated[Path, typer.Argument(
    metavar="EDGES", help="Edge table: .csv, .tsv, .txt (each also .gz) or .parquet; or a directory that "
                          "halflabel convert wrote.", show_default=False)]
Nodes = Annotated[Path | None, typer.Option(
    help="Node table: an id, and features in every other column. Without it, the structure of the "
         "graph stands in for features.", show_default=False)]
Positives = Annotated[Path, typer.Option(
    help="Ids of the known positives: a .txt with one a line, or a table with an id column.",
    show_default=False)]
Source = Annotated[str | None, typer.Option(
    metavar="COLUMN", help="Column of the edge table that an edge starts from.", rich_help_panel=COLUMNS)]
Target = Annotated[str | None, typer.Option(
    metavar="COLUMN", help="Column of the edge table that an edge leads to.", rich_help_panel=COLUMNS)]
Weight = Annotated[str | None, typer.Option(
    metavar="COLUMN", help="Column of the edge table with weights.", rich_help_panel=COLUMNS)]
Id = Annotated[str | None, typer.Option(
    "--id", metavar="COLUMN", help="Column of the node table with ids.", rich_help_panel=COLUMNS)]
Features = Annotated[str | None, typer.Option(
    metavar="A,B", help="Use only these columns as features.", rich_help_panel=COLUMNS)]
Ignore = Annotated[str | None, typer.Option(
    metavar="A,B", help="Leave these columns out. A column that holds the answer must not be a feature.",
    rich_help_panel=COLUMNS)]
MissingValues = Annotated[Missing, typer.Option(
    "--missing", help="Missing features: an error, or filled in with the mean.", rich_help_panel=COLUMNS)]
Unknown = Annotated[UnknownNodes, typer.Option(
    "--unknown-nodes", help="Edges to nodes that are not in the node table: an error, or dropped.",
    rich_help_panel=COLUMNS)]
Undirected = Annotated[bool, typer.Option(
    "--undirected", help="Add the reverse of every edge.", rich_help_panel=COLUMNS)]
Method = Annotated[str, typer.Option(
    help="Method by name.", rich_help_panel=FIT, autocompletion=complete.method)]
Prior = Annotated[str, typer.Option(
    help="Share of positives among the unlabelled nodes, if it is known; else auto, or the name of an "
         "estimator.", metavar="auto|NAME|NUMBER",
    rich_help_panel=FIT, autocompletion=complete.prior)]
Threshold = Annotated[str | None, typer.Option(
    help="Whom to flag: as many as the prior says, the best expected F1, as many as can be looked at, as "
         "many as keep this precision, or by what a missed positive costs in false alarms. By default f1 "
         "for auto, prior for other methods.",
    metavar="prior|f1|budget:N|precision:X|cost:X", rich_help_panel=FIT)]
Backbone = Annotated[str | None, typer.Option(
    help="Network of the method; by default the method's own choice.", rich_help_panel=FIT,
    autocompletion=complete.backbone)]
Epochs = Annotated[int | None, typer.Option(
    help="Epochs of training, after any warm-up; by default the method's own number. Fewer do with "
         "--batch-size, where an epoch has many steps.", min=1, show_default=False, rich_help_panel=FIT)]
BatchSize = Annotated[int | None, typer.Option(
    help="Nodes per step of training; by default all at once. For naive and gpl, on graphs that are "
         "too large for that.", min=1, show_default=False, rich_help_panel=FIT)]
Folds = Annotated[int | None, typer.Option(
    help="Networks side by side, each without its share of the known positives; by default the method's own "
         "number. Fewer need less memory.", min=1, show_default=False, rich_help_panel=FIT)]
Seed = Annotated[int, typer.Option(help="The same seed gives the same result.", min=0, rich_help_panel=FIT)]
Distributed = Annotated[bool, typer.Option(
    "--distributed", help="Fit with the other processes that torchrun started, each a part of the graph.",
    rich_help_panel=PROCESSES)]
Resume = Annotated[bool, typer.Option(
    "--resume", help="Go on from the last checkpoint of a stopped fit, if there is one, to the same result.",
    rich_help_panel=FIT)]
CheckpointEvery = Annotated[int | None, typer.Option(
    help="Epochs between checkpoints. By default one is written every 30 seconds; of several processes, "
         "every 10 epochs.", min=1, show_default=False, rich_help_panel=FIT)]
Patience = Annotated[float, typer.Option(
    help="Seconds that a silent process is waited for.", min=1, rich_help_panel=PROCESSES)]
Picture = Annotated[Path, typer.Option("--out", help="Where the picture goes: .png, .svg or .pdf.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")]
