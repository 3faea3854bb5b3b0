"""A long array that is written piece by piece to a temporary file, and read back in any part."""

from __future__ import annotations

import tempfile
import weakref
from typing import IO, Any

import numpy as np

from halflabel.errors import DataError


class Spool:
    """Numbers on disk; the file has no name, and goes with the object or the process.

    >>> spool = Spool(np.int64)
    >>> spool.append(np.array([3, 4, 5]))
    >>> spool.read(1, 3).tolist()
    [4, 5]
    """

    def __init__(self, dtype: type[np.generic]):
        self._dtype = np.dtype(dtype)
        self._file: IO[bytes] | None = None  # small graphs need none

    def append(self, values: np.ndarray) -> None:
        """Write at the end."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="halflabel-", buffering=0)  # noqa: SIM115
                weakref.finalize(self, self._file.close)
            self._file.seek(0, 2)
            pending = _bytes_of(np.ascontiguousarray(values, dtype=self._dtype))
            while pending:
                pending = pending[self._file.write(pending):]
        except OSError as error:
            raise DataError(f"{tempfile.gettempdir()}: no room for a temporary file of the edges "
                            f"({error.strerror}). Set TMPDIR to a directory with more space.") from error

    def read(self, start: int, stop: int) -> np.ndarray:
        """The values from start to below stop."""
        values = np.empty(stop - start, dtype=self._dtype)
        if self._file is not None and len(values):
            self._file.seek(start * self._dtype.itemsize)
            view = _bytes_of(values)
            while view:
                view = view[self._file.readinto(view):]  # type: ignore[attr-defined]
        return values


def _bytes_of(values: Any) -> memoryview:
    return memoryview(values).cast("B")
