"""The command `halflabel`: its subcommands, and how any of them ends."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from halflabel import __version__
from halflabel.cli import (
    bench,
    check,
    compare,
    convert,
    data,
    demo,
    explain,
    explore,
    fit,
    partition,
    prior,
    report,
    score,
)
from halflabel.cli.show import say_error
from halflabel.cli.streams import outlive_readers
from halflabel.cli.words import in_option_words
from halflabel.errors import DataError

BAD_DATA, INTERRUPTED = 3, 130


class Commands(TyperGroup):
    """Every command ends here: bad data is a message and exit code 3, a bug a traceback and exit code 1."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command."""
        with _guessing_options():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what is not our fault into a message."""
        try:
            with _guessing_options():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            say_error("interrupted; nothing half-written was left behind.")
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            if (message := _explain(error)) is None:
                raise
            say_error(f"error: {message}")
            raise typer.Exit(BAD_DATA) from None


app = typer.Typer(
    cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("check")(check.check)
app.command("fit")(fit.fit)
app.command("score")(score.score)
app.command("convert")(convert.convert)
app.command("partition")(partition.partition)
app.command("prior")(prior.prior)
app.command("compare")(compare.compare)
app.command("explain")(explain.explain)
app.command("explore")(explore.explore)
app.command("report")(report.report)
app.command("bench")(bench.bench)
app.add_typer(data.app, name="data")


def main() -> None:
    """Entry point of the script."""
    outlive_readers()
    app(prog_name="halflabel")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"halflabel {__version__}")
        raise typer.Exit


@app.callback()
def _halflabel(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Find the remaining positives in a graph of which only some are known.

    Start with: halflabel demo
    """


@contextmanager
def _guessing_options() -> Iterator[None]:
    """Say of a mistyped option which one was probably meant, as is said of mistyped names."""
    try:
        yield
    except Exception as error:
        # Known by name: the class is in click, or in typer's own copy of it.
        if type(error).__name__ == "NoSuchOption" and (close := getattr(error, "possibilities", None)):
            best = difflib.get_close_matches(error.option_name, close, n=1) or sorted(close)[:1]  # pyright: ignore
            error.message = f"{error.message}. Did you mean {best[0]}?"  # pyright: ignore
            error.possibilities = None  # pyright: ignore
        raise


def _explain(error: Exception) -> str | None:
    """The message for an error in data, options or files; None for a bug."""
    if isinstance(error, DataError):
        return in_option_words(str(error))
    if isinstance(error, OSError) and error.errno not in (None, errno.EPIPE):
        return f"{error.filename or 'a file'}: {error.strerror}."
    # Known by name: importing scikit-learn here would make --help wait for it.
    if type(error).__name__ == "InvalidParameterError":
        return " ".join(str(error).split())
    return None
