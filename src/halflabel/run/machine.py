"""What a result depends on besides its parameters: versions, memory, and the very bytes of the input."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from halflabel import __version__

PACKAGES = {"torch": "torch", "numpy": "numpy", "sklearn": "scikit-learn"}


@dataclass(frozen=True)
class InputFile:
    """A file as it was when it was read.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "known.txt"
    >>> _ = path.write_text("ann")
    >>> InputFile.of(path).sha256[:8]
    '49915e0d'
    """

    path: str
    sha256: str

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> InputFile:
        """Hash a file; do so when reading it, for it may change during a long fit."""
        with Path(path).open("rb") as stream:
            return cls(os.fspath(path), hashlib.file_digest(stream, "sha256").hexdigest())


def versions() -> dict[str, str]:
    """Versions of what computes.

    >>> sorted(versions())
    ['halflabel', 'numpy', 'python', 'sklearn', 'torch']
    """
    packages = {name: version(package) for name, package in PACKAGES.items()}
    return {"halflabel": __version__, **packages, "python": platform.python_version()}


def peak_memory_bytes() -> int | None:
    """The most memory this process has held at once, or None where the system does not tell.

    >>> peak_memory_bytes() is None or peak_memory_bytes() > 1_000_000
    True
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
