"""Parsed arrays kept on disk under the fingerprint of the files they came from."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

Arrays = dict[str, np.ndarray]


def data_directory(data_dir: str | os.PathLike[str] | None = None) -> Path:
    """Where datasets live: the argument, else $HALFLABEL_DATA, else the user's cache.

    >>> data_directory("/data").as_posix()
    '/data'
    """
    chosen = data_dir or os.environ.get("HALFLABEL_DATA")
    return Path(chosen).expanduser() if chosen else user_cache()


def user_cache() -> Path:
    """The user's cache directory for halflabel, which need not exist yet.

    >>> user_cache().name
    'halflabel'
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "halflabel"


def cached_arrays(name: str, files: Sequence[Path], directory: Path, parse: Callable[[], Arrays]) -> Arrays:
    """The arrays that `parse` makes of the files; parsed again only when a file's content has changed.

    Kept as plain arrays (never pickles) in the data directory, or in the user's cache where that one is
    read-only, or nowhere if neither can be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     file = Path(place) / "raw.txt"
    ...     _ = file.write_text("1 2 3")
    ...     first = cached_arrays("demo", [file], Path(place), lambda: {"a": np.arange(3)})
    ...     again = cached_arrays("demo", [file], Path(place), lambda: {})
    >>> again["a"].tolist()
    [0, 1, 2]
    """
    file_name = f"{name}-{fingerprint(files)}.npz"
    places = [place / "parsed" / file_name for place in (directory, user_cache())]
    for path in places:
        if (arrays := _read(path)) is not None:
            return arrays
    arrays = parse()
    for path in places:
        if _write(path, arrays):
            break
    return arrays


def fingerprint(files: Sequence[Path]) -> str:
    """A short hash of the content of these files.

    >>> fingerprint([])
    '786a02f742015903'
    """
    digest = hashlib.blake2b()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _read(path: Path) -> Arrays | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return dict(stored)
    except (OSError, ValueError, zipfile.BadZipFile):
        return None


def _write(path: Path, arrays: Arrays) -> bool:
    """Write whole or not at all; False where the place cannot be written."""
    partial = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            np.savez(stream, **arrays)  # pyright: ignore[reportArgumentType]
        os.replace(partial, path)
    except OSError:
        return False
    return True
