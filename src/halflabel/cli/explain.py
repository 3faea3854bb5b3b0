"""halflabel explain: why a node of a run has the score it has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.show import say, say_json, say_points
from halflabel.cli.words import printable

POINT = "  - "  # before a sentence of the explanation
RunDirectory = Annotated[Path, typer.Argument(
    metavar="RUN", help="A directory that halflabel fit wrote.", show_default=False)]
Node = Annotated[str, typer.Argument(
    metavar="NODE", help="Id of a node, as in the data.", show_default=False)]
Drawing = Annotated[Path | None, typer.Option(
    "--out", help="Also draw it: a .png, .svg or .pdf.", show_default=False)]


def explain(run: RunDirectory, node: Node, as_json: options.AsJson = False, out: Drawing = None) -> None:
    """Say why a node has its score: positives near it, edges that carried it, features for and against.

    The node is scored again without each of them; nothing is trained, and nothing in the run changes.

    Example: halflabel explain run/ ACC-0427 --out why.png
    """
    if out is not None:
        options.check_picture(out)

    from halflabel.files import whole_file
    from halflabel.run.opened import open_run

    explanation = open_run(run).model.why(node)
    if out is not None:
        with whole_file(out) as filling:
            explanation.draw(filling)
    if as_json:
        say_json(explanation.to_dict())
        return
    for line in explanation.text().splitlines():
        if line.startswith(POINT):
            say_points([printable(line.removeprefix(POINT))])
        else:
            say(printable(line))
    if out is not None:
        say()
        say(f"Picture: {out}")
