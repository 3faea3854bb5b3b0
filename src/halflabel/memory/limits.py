"""How much memory this process may still take: of the machine, its control group and its own limits."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from halflabel.errors import DataError

VARIABLE = "HALFLABEL_MEMORY"  # how much memory there is for us, if the user knows better
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
NO_LIMIT = 2**60  # limits as large as this mean none


class Room(NamedTuple):
    """Bytes that are free, and what bounds them; the smaller compares as less."""

    free: int
    bound: str


def available(root: Path = Path("/")) -> Room | None:
    """The least that any limit leaves; None where nothing is known, as on systems without /proc.

    >>> room = available()
    >>> room is None or room.free > 0
    True
    """
    if given := os.environ.get(VARIABLE):
        return Room(max(0, parsed(given) - (_status(root, "VmRSS") or 0)), VARIABLE)
    return min([*_machine(root), *_control_groups(root), *_process(root)], default=None)


def parsed(text: str) -> int:
    """Bytes from a number with a unit.

    >>> parsed("1.5G")
    1610612736
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", text, flags=re.IGNORECASE)
    if found is None:
        raise DataError(f"{VARIABLE}={text!r}: expected an amount of memory, such as 16G or 800M.")
    return round(float(found[1]) * UNITS[found[2].upper()])


def in_words(size: float) -> str:
    """Bytes as people say them.

    >>> in_words(3 * 2**30), in_words(5_000_000)
    ('3.0 GB', '5 MB')
    """
    return f"{size / 2**30:.1f} GB" if size >= 2**30 else f"{size / 2**20:.0f} MB"


def _machine(root: Path) -> Iterator[Room]:
    found = re.search(r"MemAvailable:\s+(\d+) kB", _text(root / "proc/meminfo"))
    if found:
        yield Room(int(found[1]) * 1024, "this machine")


def _control_groups(root: Path) -> Iterator[Room]:
    """Of the group of this process and of all above it, version 2 and version 1."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, name = line.split(":", 2)
        if controllers == "":
            top, limit, usage = root / "sys/fs/cgroup", "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            top = root / "sys/fs/cgroup/memory"
            limit, usage = "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        # Inside a container the group's own path may not be visible: its limit is then at the top.
        place = top / name.lstrip("/")
        for group in [place, *place.parents][: len(place.parts) - len(top.parts) + 1]:
            yield from _group(group, limit, usage)


def _group(group: Path, limit: str, usage: str) -> Iterator[Room]:
    most, used = (_text(group / name).strip() for name in (limit, usage))
    if not most.isdigit() or not used.isdigit() or int(most) >= NO_LIMIT:
        return
    # Cached files are given up when memory is short.
    cached = re.search(r"^(?:total_)?inactive_file (\d+)", _text(group / "memory.stat"), flags=re.MULTILINE)
    yield Room(max(0, int(most) - int(used) + (int(cached[1]) if cached else 0)), "its control group")


def _process(root: Path) -> Iterator[Room]:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    for kind, key in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        soft = resource.getrlimit(kind)[0]
        if soft != resource.RLIM_INFINITY and (used := _status(root, key)) is not None:
            yield Room(max(0, soft - used), "the limit of this process (ulimit)")


def _status(root: Path, key: str) -> int | None:
    found = re.search(rf"^{key}:\s+(\d+) kB", _text(root / "proc/self/status"), flags=re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
