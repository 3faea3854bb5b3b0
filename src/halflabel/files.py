"""Write whole or not at all: new content appears under its name only when it is complete."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from halflabel.errors import DataError


@contextmanager
def whole_directory(directory: str | os.PathLike[str]) -> Iterator[Path]:
    """Fill a hidden directory beside the wanted one; on success it takes its place, on failure it goes.

    An earlier result under that name is replaced only at the very end.

    >>> place = Path(tempfile.mkdtemp()) / "out"
    >>> with whole_directory(place) as filling:
    ...     _ = (filling / "a.txt").write_text("done")
    >>> (place / "a.txt").read_text()
    'done'
    """
    wanted = Path(directory)
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        filling = Path(tempfile.mkdtemp(prefix=f".{wanted.name}.", dir=wanted.parent))
    except OSError as error:
        raise DataError(f"{wanted}: cannot be written ({error.strerror}). Choose another place.") from None
    try:
        yield filling
        filling.chmod(0o755)  # mkdtemp makes it private
        _swap(filling, wanted)
    finally:
        shutil.rmtree(filling, ignore_errors=True)


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
    except OSError as error:
        raise DataError(f"{wanted}: cannot be written ({error.strerror}). Choose another place.") from None
    finally:
        filling.unlink(missing_ok=True)


def _swap(filled: Path, wanted: Path) -> None:
    if not wanted.exists():
        filled.rename(wanted)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{wanted.name}.old.", dir=wanted.parent))
    wanted.rename(old / "previous")
    try:
        filled.rename(wanted)
    except BaseException:  # Ctrl-C too: the earlier result must be back before anything is removed
        (old / "previous").rename(wanted)
        raise
    finally:
        if wanted.exists():
            shutil.rmtree(old, ignore_errors=True)
