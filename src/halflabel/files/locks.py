"""One writer at a time: a lock beside the place that is written, which the system gives up with its owner."""

from __future__ import annotations

import errno
import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import get_ident

from halflabel.errors import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

_mine: set[tuple[Path, int]] = set()  # what this process holds, by thread


@contextmanager
def only_writer(place: str | os.PathLike[str]) -> Iterator[bool]:
    """Be the only one who writes a file or directory of this name, or say at once who else does.

    The kernel releases the lock when its owner ends, however it ends: a lock cannot be left behind, and the
    file that is left after a crash locks nobody out. A thread that holds it may ask again. False where the
    system has no such locks, and two writers are up to the user.

    >>> import tempfile
    >>> with only_writer(tempfile.mkdtemp() + "/run") as alone:
    ...     alone
    True
    """
    wanted = Path(place).absolute()
    key = wanted.parent.resolve() / wanted.name, get_ident()
    if fcntl is None or key in _mine:
        yield fcntl is not None
        return
    path = key[0].with_name(f".{wanted.name}.lock")
    handle = _locked(path, os.fspath(place))
    if handle is None:
        yield False
        return
    _mine.add(key)
    try:
        _sign(handle)
        yield True
    finally:
        _mine.discard(key)
        with suppress(OSError):  # while it is held: nobody else can have the file open and believe it is his
            path.unlink()
        os.close(handle)


def _locked(path: Path, shown: str) -> int | None:
    """The open lock file; None where there are no locks."""
    assert fcntl is not None
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = _owner(handle)
            os.close(handle)
            if error.errno in (errno.EAGAIN, errno.EACCES):
                raise DataError(f"{shown}: is being written by {owner}. Wait until it is done, end it, or "
                                "choose another place.") from None
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)  # the earlier owner has just removed it: what was locked has no name any more


def _sign(handle: int) -> None:
    owner = {"process": os.getpid(), "host": platform.node(), "since": datetime.now().isoformat()}
    with suppress(OSError):  # on a full disk the lock holds all the same, only without a name
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(owner).encode(), 0)


def _owner(handle: int) -> str:
    try:
        owner = json.loads(os.pread(handle, 1000, 0))
        since = datetime.fromisoformat(owner["since"])
        day = "" if since.date() == datetime.now().date() else f" on {since:%Y-%m-%d}"
        host = "" if owner["host"] == platform.node() else f" on {owner['host']}"
        return f"process {owner['process']}{host} since {since:%H:%M}{day}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
