"""What a result was measured with: versions, commit, memory."""

from __future__ import annotations

import resource
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("halflabel", "torch", "numpy", "scipy", "scikit-learn")


@cache
def provenance() -> dict[str, Any]:
    """Versions of what the numbers depend on, and the commit, where this is a checkout."""
    return {"versions": {name: version(name) for name in PACKAGES}, "commit": _commit()}


def _commit() -> str | None:
    try:
        run = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=Path(__file__).parent,
                             capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
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
