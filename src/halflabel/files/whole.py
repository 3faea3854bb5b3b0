"""Write whole or not at all: new content appears under its name only when it is complete."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from halflabel.files.disk import cannot_write, exchange
from halflabel.files.locks import only_writer

TEMPORARY = re.compile(r"\.[a-z0-9_]{8}")  # how tempfile ends names
# In the directory in which a new one is made.
OWNER, FILLING, PREVIOUS = "made-by-halflabel", "new", "previous"


@contextmanager
def whole_directory(directory: str | os.PathLike[str]) -> Iterator[Path]:
    """Fill a hidden directory beside the wanted one; on success it takes its place, on failure it goes.

    An earlier result under that name is replaced only at the very end, and where the system can, in one
    step. What a killed process has left half-done is removed by the next one.

    >>> place = Path(tempfile.mkdtemp()) / "out"
    >>> with whole_directory(place) as filling:
    ...     _ = (filling / "a.txt").write_text("done")
    >>> (place / "a.txt").read_text()
    'done'
    """
    wanted = Path(directory)
    with writing(wanted):
        work: Path | None = None
        try:
            work = Path(tempfile.mkdtemp(prefix=f".{wanted.name}.", dir=wanted.parent))
            (work / OWNER).touch()
            filling = work / FILLING
            filling.mkdir()
            yield filling
            filling.chmod(0o755)
            _swap(filling, wanted, work / PREVIOUS)
        except Exception as error:
            if message := cannot_write(error, wanted, work):
                raise message from None
            raise
        finally:
            if work is not None:
                _remove(work)


@contextmanager
def writing(directory: str | os.PathLike[str]) -> Iterator[None]:
    """Be the only one who writes this directory, after taking away what dead writers left.

    >>> with writing(tempfile.mkdtemp() + "/run"):
    ...     pass
    """
    wanted = Path(directory)
    with ExitStack() as held:
        try:
            wanted.parent.mkdir(parents=True, exist_ok=True)
            alone = held.enter_context(only_writer(wanted))
        except OSError as error:
            raise cannot_write(error, wanted) or error from None
        if alone:
            _tidy_up(wanted)
        yield


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Fill a hidden file beside the wanted one, with the same ending; on success it takes its place.

    >>> place = Path(tempfile.mkdtemp()) / "a.txt"
    >>> with whole_file(place) as filling:
    ...     _ = filling.write_text("done")
    >>> place.read_text()
    'done'
    """
    wanted = Path(path)
    filling = wanted.with_name(f".{wanted.stem}.{os.getpid()}{wanted.suffix}")
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        yield filling
        filling.replace(wanted)
    except Exception as error:
        if message := cannot_write(error, wanted):
            raise message from None
        raise
    finally:
        with suppress(OSError):
            filling.unlink(missing_ok=True)


def _swap(filled: Path, wanted: Path, previous: Path) -> None:
    if not wanted.exists():
        filled.rename(wanted)
        return
    if exchange(filled, wanted):
        return
    wanted.rename(previous)
    try:
        filled.rename(wanted)
    except BaseException:  # Ctrl-C too: the earlier result must be back before anything is removed
        previous.rename(wanted)
        raise


def _tidy_up(wanted: Path) -> None:
    """Whoever made these held the lock, so he is dead; a result that he had moved away goes back."""
    for work in wanted.parent.glob(f".{_escaped(wanted.name)}.*"):
        if not (work / OWNER).is_file():
            if TEMPORARY.fullmatch(work.name.removeprefix(f".{wanted.name}")):
                with suppress(OSError):  # made or removed just then; anything that is not empty stays
                    work.rmdir()
            continue
        if (work / PREVIOUS).exists() and not wanted.exists():
            (work / PREVIOUS).rename(wanted)
        _remove(work)


def _remove(work: Path) -> None:
    """The mark goes last: whoever is killed here leaves something that is known to be ours."""
    for part in (FILLING, PREVIOUS):
        shutil.rmtree(work / part, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
