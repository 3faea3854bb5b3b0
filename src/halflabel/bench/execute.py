"""Run the jobs that are missing, in several processes of one thread each, and store each as it ends."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from halflabel.bench.job import Job
from halflabel.bench.kinds import NoDataError, run_job
from halflabel.bench.store import Store
from halflabel.progress import track

PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>


class Executor(Protocol):
    """Runs jobs somewhere and yields their results in any order."""

    def __call__(self, jobs: Sequence[Job]) -> Iterator[dict[str, Any]]: ...


def run_missing(jobs: Sequence[Job], store: Store, execute: Executor, *, shown: bool = False) -> int:
    """Run what the store does not hold yet; the number of jobs that were run.

    Whatever happens to this process, the store holds every job that ended before, and running again
    continues with the others.
    """
    with store.writing():
        done = store.finished()
        missing = list({job.key: job for job in jobs if job.key not in done}.values())
        results = iter(execute(missing))
        for _ in track(len(missing), f"running {len(missing):,} jobs", shown=shown):
            store.append(next(results))
    return len(missing)


def attempt(job: Job, run: Callable[[Job], dict[str, Any]] = run_job) -> dict[str, Any]:
    """The result of a job; a failure is a result too, with its traceback."""
    start = time.perf_counter()
    try:
        outcome = {"status": "done", **run(job)}
    except NoDataError as error:
        outcome = {"status": "no data", "reason": str(error)}
    except Exception as error:
        outcome = {"status": "failed", "reason": repr(error), "traceback": traceback.format_exc()}
    return {**job.to_dict(), **outcome, "seconds": round(time.perf_counter() - start, 3)}


def in_this_process(jobs: Sequence[Job]) -> Iterator[dict[str, Any]]:
    """One after another, for tests and debuggers."""
    return map(attempt, jobs)


def in_processes(workers: int) -> Executor:
    """An executor with so many processes; one that is killed (out of memory, say) fails its job only."""
    def execute(jobs: Sequence[Job]) -> Iterator[dict[str, Any]]:
        waiting = list(jobs)
        while waiting:
            with _pool(workers) as pool:
                futures = {pool.submit(attempt, job): job for job in waiting}
                for future in as_completed(futures):
                    if not isinstance(future.exception(), BrokenProcessPool):
                        waiting.remove(futures[future])
                        yield future.result()
            # What is left was running, or behind it in the queue, when a process died.
            yield from _one_at_a_time(waiting[:workers])
            waiting = waiting[workers:]

    return execute


def _one_at_a_time(jobs: Sequence[Job]) -> Iterator[dict[str, Any]]:
    """A process died; among the jobs that were running, find the one that it dies of."""
    for job in jobs:
        with _pool(1) as pool:
            future: Future[dict[str, Any]] = pool.submit(attempt, job)
            died = isinstance(future.exception(), BrokenProcessPool)
            yield {**job.to_dict(), "status": "failed", "reason": "the process was killed (out of memory?)"
                   } if died else future.result()


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_prepare_worker)


def _prepare_worker() -> None:
    """One thread each; and nobody goes on working for a parent that was killed."""
    os.environ["OMP_NUM_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    import torch

    torch.set_num_threads(1)
