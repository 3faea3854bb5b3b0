"""Marks on disk: each is appended and safe on the disk before anybody is told that it is saved."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from halflabel.errors import DataError
from halflabel.files import only_writer, whole_file
from halflabel.marks import (
    HEADER,
    MARKS,
    NONE,
    POSITIVE,
    Mark,
    as_lines,
    complete_length,
    last_marks,
    read_marks,
)

KNOWN, REVIEW = "known", "review"


class NotSaved(DataError):
    """A mark could not be written; the message says why.

    >>> raise NotSaved("the disk is full")
    Traceback (most recent call last):
    halflabel.explore.journal.NotSaved: the disk is full
    """


class Journal:
    """A file of marks, open for appending by this process alone.

    It begins with the known positives, so that the file is a full set of positives for the next fit. Rows are
    only added; whoever is marked again has two rows, of which the last counts.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "run.marks.csv"
    >>> with Journal(path, known=["ann"]) as journal:
    ...     _ = journal.add("bob", "positive")
    >>> with Journal(path, known=["ann"]) as journal:
    ...     journal.marked()["bob"].mark
    'positive'
    """

    def __init__(self, path: str | os.PathLike[str], known: Iterable[str]):
        self.path = Path(path)
        self._known = dict.fromkeys(known)
        self._lock = threading.Lock()
        self._held = contextlib.ExitStack()
        try:
            self._held.enter_context(only_writer(self.path))
            self._begin()
            self._file = os.open(self.path, os.O_RDWR | os.O_APPEND)
            self._held.callback(os.close, self._file)
            self._size = self._cut_torn_row()
            self._last = last_marks(read_marks(self.path))
            self._append([Mark(id, POSITIVE, KNOWN, _now()) for id in self._known if id not in self._last])
        except BaseException:
            self._held.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def add(self, id: str, mark: str) -> Mark:
        """Mark a node, or take its mark back with "none"; returns when the row is on the disk."""
        if mark not in MARKS:
            raise DataError(f"mark {mark!r}: expected {', '.join(MARKS)}.")
        # Without a mark, a known positive is what it was before the review.
        row = Mark(id, mark, REVIEW, _now())
        if mark == NONE and id in self._known:
            row = row._replace(mark=POSITIVE, source=KNOWN)
        with self._lock:
            self._append([row])
        return row

    def marked(self) -> dict[str, Mark]:
        """The marks that count, by id, without those that only say what the run knew already."""
        with self._lock:
            rows = list(self._last.values())
        return {row.id: row for row in rows
                if row.mark != NONE and not (row.source == KNOWN and row.id in self._known)}

    def positives(self) -> int:
        """How many positives the next fit would get from the file."""
        with self._lock:
            return sum(row.mark == POSITIVE for row in self._last.values())

    def _append(self, rows: list[Mark]) -> None:
        if not rows:
            return
        self._check_untouched()
        data = as_lines(rows).encode()
        try:
            if os.write(self._file, data) != len(data):
                raise OSError("the disk took only a part of the row")
            os.fsync(self._file)
        except OSError as error:
            with contextlib.suppress(OSError):  # if it fails too, the size tells, and nothing more is added
                os.ftruncate(self._file, self._size)
            raise NotSaved(f"{self.path}: {error.strerror or error}.") from error
        self._size += len(data)
        self._last.update(last_marks(rows))

    def _check_untouched(self) -> None:
        """An editor puts a new file under the name: rows would go where nobody finds them."""
        try:
            now, ours = self.path.stat(), os.fstat(self._file)
        except OSError as error:
            raise NotSaved(f"{self.path}: {error.strerror}. Start the explorer again.") from error
        if (now.st_dev, now.st_ino, now.st_size) != (ours.st_dev, ours.st_ino, self._size):
            raise NotSaved(f"{self.path}: something else has changed the file. Start the explorer again.")

    def _begin(self) -> None:
        if not self.path.exists():
            with whole_file(self.path) as filling:
                filling.write_text(HEADER, encoding="utf-8")
            _sync_directory(self.path.parent)

    def _cut_torn_row(self) -> int:
        data = self.path.read_bytes()
        length = complete_length(data)
        if length < len(data):
            os.ftruncate(self._file, length)
            os.fsync(self._file)
        return length


def _sync_directory(directory: Path) -> None:
    """A new file survives a crash once the directory that names it is on the disk too."""
    with contextlib.suppress(OSError):  # not every system can
        file = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
