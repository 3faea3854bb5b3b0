"""Standard streams that outlive their reader: `halflabel fit ... | head` still fits."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO


class Unbroken:
    """A stream that goes on into nothing once nobody reads it.

    A fit that has run for hours is not to be lost because somebody has seen enough of what it prints, and a
    pipe that closes early is not a bug of ours: neither a traceback nor an exit code may come of it.
    """

    def __init__(self, stream: TextIO):
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or pretend to."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._go_nowhere()
            return len(text)

    def flush(self) -> None:
        """Flush, or pretend to."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._go_nowhere()

    def _go_nowhere(self) -> None:
        # The stream still holds what it could not write: from now on it can.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def outlive_readers() -> None:
    """Of this process, for good: only for the start of a program."""
    sys.stdout, sys.stderr = Unbroken(sys.stdout), Unbroken(sys.stderr)
