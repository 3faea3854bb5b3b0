"""What disks do: they are full, read-only or gone, and some exchange two directories in one step."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import sys
from pathlib import Path

from halflabel.errors import DataError

FULL = {errno.ENOSPC, errno.EDQUOT}
AT_CURRENT_DIRECTORY, RENAME_EXCHANGE = -100, 2  # of linux/fcntl.h and linux/fs.h
# Libraries that write by themselves report the system's error in words.
IN_WORDS = re.compile(r"os error (\d+)|\[?[Ee]rrno (\d+)|(No space left on device)")


def cannot_write(error: Exception, wanted: Path, below: Path | None = None) -> DataError | None:
    """The message for a place that cannot be written; None if the error is about something else.

    `below` is where parts of it are made.

    >>> str(cannot_write(OSError(errno.EROFS, "Read-only file system"), Path("run")))
    'run: cannot be written (Read-only file system). Choose another place.'
    """
    code = _code(error)
    if code is None or not _is_about(error, wanted, below):
        return None
    if code in FULL:
        return DataError(f"{wanted}: the disk is full ({_free(wanted)}). Nothing was changed: what was there "
                         "before is there still. Make room, or choose another place.")
    return DataError(f"{wanted}: cannot be written ({os.strerror(code)}). Choose another place.")


def exchange(one: Path, other: Path) -> bool:
    """Let two names change places, such that at no moment either is missing; False where that is impossible.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> (place / "a").mkdir(), (place / "b").write_text("b"), exchange(place / "a", place / "missing")
    (None, 1, False)
    """
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    here, names = AT_CURRENT_DIRECTORY, [os.fsencode(path) for path in (one, other)]
    return rename is not None and rename(here, names[0], here, names[1], RENAME_EXCHANGE) == 0


def _code(error: Exception) -> int | None:
    """The system's number of an error, also if a library tells it in words only."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    if not isinstance(error, OSError) and type(error).__name__ not in ("SafetensorError", "RuntimeError"):
        return None
    found = IN_WORDS.search(str(error))
    if found is None:
        # numpy: "4096 requested and 1024 written"
        return errno.ENOSPC if re.search(r"\d+ requested and \d+ written", str(error)) else None
    return errno.ENOSPC if found[3] else int(found[1] or found[2])


def _is_about(error: Exception, wanted: Path, below: Path | None) -> bool:
    """An error that names another file, such as an input that has vanished, is not about the result."""
    named = getattr(error, "filename", None)
    if named is None:
        return True
    path = Path(os.fsdecode(named)).absolute()
    places = [place.absolute() for place in (wanted, below) if place is not None]
    made_beside = path.parent == wanted.absolute().parent and path.name.startswith(f".{wanted.stem}.")
    above = path in wanted.absolute().parents  # a directory that should hold it
    return made_beside or above or any(path == place or place in path.parents for place in places)


def _free(wanted: Path) -> str:
    place = next((path for path in wanted.absolute().parents if path.exists()), Path("/"))
    return f"{shutil.disk_usage(place).free / 2**20:.1f} MB are free in {place}"
