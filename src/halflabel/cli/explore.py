"""halflabel explore: look through a run in the browser, and mark what a review finds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.show import say, say_json, say_pairs
from halflabel.cli.words import counted
from halflabel.errors import DataError

NEEDED = ("fastapi", "starlette", "pydantic", "uvicorn")


def explore(
    run: Annotated[Path, typer.Argument(
        metavar="RUN", help="A directory that halflabel fit wrote.", show_default=False)],
    marks: Annotated[Path | None, typer.Option(
        help="File for the marks, a .csv; by default RUN.marks.csv beside the run.",
        show_default=False)] = None,
    port: Annotated[int, typer.Option(
        help="Port on this machine; by default any that is free.", min=0, max=65535, show_default=False)] = 0,
    browser: Annotated[bool, typer.Option(
        "--browser/--no-browser", help="Open the page in the browser, or only print its address.")] = True,
    as_json: options.AsJson = False,
) -> None:
    """Look through the ranking and the neighbourhoods in the browser; mark who is positive and who is not.

    Only this machine can reach the page, and only with the address printed here. Marks are saved as they are
    made; halflabel fit --positives RUN.marks.csv learns from them.
    """
    try:
        from halflabel.explore.journal import Journal
        from halflabel.explore.place import check_marks, marks_path
        from halflabel.explore.ranked import Ranked
        from halflabel.explore.review import Review
        from halflabel.explore.serving import listen, serve
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        raise DataError(f"the explorer needs {error.name}, which is not installed: "
                        "pip install 'halflabel[explore]'") from None
    from halflabel.run.opened import open_run

    path = marks_path(run, marks)
    with listen(port) as listening:
        opened = open_run(run)
        ranked = Ranked(opened)
        check_marks(path, ranked.ids.to_pylist())
        with Journal(path, ranked.known_ids()) as journal:
            review = Review(opened, ranked, journal)
            serve(review, listening, lambda address: _started(address, path, browser, as_json))
            if not as_json:
                _ended(path, journal.positives(), len(journal.marked()))


def _started(address: str, marks: Path, browser: bool, as_json: bool) -> None:
    if as_json:
        say_json({"page": address, "marks": marks})
    else:
        say_pairs([("page", address), ("marks", str(marks))])
        say("  Ctrl-C ends it. The address is for you alone: with it, anybody on this machine can mark "
            "nodes.", "dim")
    if browser:
        import threading
        import webbrowser

        # Some browsers return only when they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _ended(marks: Path, positives: int, marked: int) -> None:
    say()
    say(f"Ended. {counted(marked, 'node')} marked; {marks} gives the next fit "
        f"{counted(positives, 'known positive')}: halflabel fit ... --positives {marks}")
