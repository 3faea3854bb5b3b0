"""The store: one JSON line per finished job, appended and on the disk before the next begins."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from halflabel.errors import DataError


class Store:
    """Results by key in a file that only grows. A line that a crash cut short is removed on opening.

    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()) / "results.jsonl")
    >>> with store.writing():
    ...     store.append({"key": "a", "status": "done"})
    ...     store.append({"key": "b", "status": "failed"})
    >>> sorted(Store(store.path).finished())
    ['a']
    """

    def __init__(self, path: Path):
        self.path = path
        self.results: dict[str, dict[str, Any]] = {}
        if path.exists():
            self._read()

    def finished(self) -> dict[str, dict[str, Any]]:
        """Results of the jobs that need not run again; what failed, or had no data, is tried again."""
        return {key: result for key, result in self.results.items() if result["status"] == "done"}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer at a time; the lock goes with the process that holds it, however it ends."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as self._stream:
            try:
                fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DataError(f"{self.path}: another run is writing to it. Wait for it, or choose another "
                                "directory.") from None
            # Only now: before the lock was held, what looks like half a line may have been written just then.
            self._repair()
            self._read()
            yield

    def append(self, result: dict[str, Any]) -> None:
        """Add a result; when this returns it has reached the disk."""
        self._stream.write(json.dumps(result).encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self.results[result["key"]] = result

    def _read(self) -> None:
        whole_lines = self.path.read_bytes().split(b"\n")[:-1]
        for number, line in enumerate(whole_lines, start=1):
            try:
                result = json.loads(line)
                self.results[result["key"]] = {"status": result["status"], **result}
            except (ValueError, KeyError, TypeError, RecursionError):
                raise DataError(f"{self.path} line {number:,}: not a result of a job. Remove that line; the "
                                "job will run again.") from None

    def _repair(self) -> None:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self.path, whole)
