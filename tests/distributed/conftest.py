"""Several processes on this machine, with an end to waiting for them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest


class Ended(NamedTuple):
    """How the processes ended, by rank, and what they wrote to the standard error."""

    codes: list[int]
    err: list[str]


def start_together(processes: int, *arguments: object, timeout: float = 120) -> Ended:
    """Run Python in so many processes of one thread, as torchrun would, without waiting for torchrun."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shared = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "error::UserWarning",
              "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(processes)}
    command = [sys.executable, *(str(word) for word in arguments)]
    running = [
        subprocess.Popen(command, env={**shared, "RANK": str(rank), "LOCAL_RANK": str(rank)}, text=True,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for rank in range(processes)]
    try:
        err = [process.communicate(timeout=timeout)[1] for process in running]
    finally:
        for process in running:
            process.kill()
    return Ended([process.returncode for process in running], err)


@pytest.fixture(scope="session")
def fit_together(tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """fit_together(processes, plans) runs together.py, in one launch for all plans."""

    def run(processes: int, plans: list[dict], check: bool = True) -> Ended:
        path = tmp_path_factory.mktemp("plan") / "plan.json"
        path.write_text(json.dumps(plans, default=str))
        for plan in plans:
            Path(plan["out"]).mkdir(parents=True, exist_ok=True)
        ended = start_together(processes, Path(__file__).parent / "together.py", path)
        assert not check or not any(ended.codes), "".join(ended.err)[-3000:]
        return ended

    return run
