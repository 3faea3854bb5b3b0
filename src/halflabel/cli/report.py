"""halflabel report: the report of a run, written again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.show import say, say_json


def report(
    run: Annotated[Path, typer.Argument(help="A directory that halflabel fit wrote.", show_default=False)],
    out: Annotated[Path | None, typer.Option(
        help="File for the report; an earlier one is replaced.", show_default="RUN/report.html")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the report of a run again, from its directory.

    Example: halflabel report run/
    """
    from halflabel.files import whole_file
    from halflabel.report.again import report_again

    page = report_again(run)
    place = run / "report.html" if out is None else out
    with whole_file(place) as filling:
        filling.write_text(page, encoding="utf-8")
    if as_json:
        say_json({"report": place, "bytes": len(page.encode())})
        return
    say(f"{place}: {len(page.encode()) / 1e6:.2f} MB, one file; open it in a browser.")
