"""What the numbers were measured on, and where they go."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path


def describe_machine(threads: int) -> dict[str, object]:
    """Processor, cores and versions: ratios carry over to other machines, seconds do not."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), None)
    packages = ("halflabel", "torch", "torch_geometric", "numpy", "scipy")
    return {
        "processor": model or platform.processor(),
        "cores": os.cpu_count(),
        "threads": threads,
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def write_json(path: Path, content: object) -> None:
    """Write beside the target and rename, so that a stopped run leaves the old file whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    partial.replace(path)
    print(f"wrote {path}")
