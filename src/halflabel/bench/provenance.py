"""What a result was measured with: versions, commit, machine, memory."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("halflabel", "torch", "numpy", "scipy", "scikit-learn")


@cache
def provenance() -> dict[str, Any]:
    """Versions of what the numbers depend on, the commit, where this is a checkout, and the machine."""
    return {"versions": {name: version(name) for name in PACKAGES}, "commit": _commit(),
            "machine": _machine()}


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), None)
    return (f"{model or platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
            f"{platform.system()}, Python {platform.python_version()}")


def _commit() -> str | None:
    """The commit, with a mark if the sources have been changed since: such a result cannot be repeated."""
    sources = Path(__file__).parents[1]
    try:
        commit = _git("rev-parse", "--short", "HEAD", folder=sources)
        changed = _git("status", "--porcelain", "--", ".", folder=sources)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}+changes" if changed else commit


def _git(*arguments: str, folder: Path) -> str:
    run = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def reset_peak_memory() -> None:
    """Forget what earlier jobs of this process needed, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def peak_memory() -> int:
    """Largest resident size since the last reset, in megabytes; since the start where there is no /proc."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))
