"""The command `halflabel`: its subcommands, and how any of them ends."""

from __future__ import annotations

import errno
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
    fit,
    partition,
    prior,
    report,
    score,
)
from halflabel.cli.show import say_error
from halflabel.cli.words import in_option_words
from halflabel.errors import DataError

BAD_DATA, INTERRUPTED = 3, 130


class Commands(TyperGroup):
    """Every command ends here: bad data is a message and exit code 3, a bug a traceback and exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what is not our fault into a message."""
        try:
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
    cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
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
app.command("report")(report.report)
app.command("bench")(bench.bench)
app.add_typer(data.app, name="data")


def main() -> None:
    """Entry point of the script."""
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
