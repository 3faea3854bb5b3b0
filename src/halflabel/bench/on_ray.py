"""Run jobs on a Ray cluster, one CPU each; results come back to the same store."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from typing import Any

from halflabel.bench.execute import Executor, Result, Run, attempt, killed, run_job, use_one_thread
from halflabel.bench.job import Job
from halflabel.errors import DataError


def on_ray(workers: int, run: Run = run_job) -> Executor:
    """An executor on the cluster that RAY_ADDRESS names, else on one of so many CPUs that is started here."""
    ray = _import_ray()

    def execute(jobs: Sequence[Job]) -> Generator[Result, None, None]:
        if not jobs:
            return
        _connect(ray, workers)
        try:
            # Not tried again by Ray: what fails is recorded, and the next run of the benchmark tries it.
            task = ray.remote(num_cpus=1, max_retries=0)(_attempt_on_one_thread)
            pending = {task.remote(job, run): job for job in jobs}
            while pending:
                (ready,), _ = ray.wait(list(pending), num_returns=1)
                yield _fetch(ray, ready, pending.pop(ready))
        finally:
            ray.shutdown()

    return execute


def _import_ray() -> Any:
    try:
        import ray  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise DataError("Ray is not installed. Install it (pip install 'halflabel[ray]'), or run on this "
                        "machine (--executor local).") from None
    return ray


def _connect(ray: Any, workers: int) -> None:
    cpus = None if os.environ.get("RAY_ADDRESS") else workers
    # Modules beside the plan have to be found by the workers too.
    variables = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    ray.init(num_cpus=cpus, runtime_env={"env_vars": variables}, log_to_driver=False, logging_level="error",
             include_dashboard=None if cpus is None else False)


def _attempt_on_one_thread(job: Job, run: Run) -> Result:
    use_one_thread()
    return attempt(job, run)


def _fetch(ray: Any, reference: Any, job: Job) -> Result:
    try:
        return ray.get(reference)
    except ray.exceptions.RayError as error:
        return {**killed(job), "traceback": str(error)}
