"""Run the jobs that are missing, in several processes of one thread each, and store each as it ends."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from typing import Any, Protocol

from halflabel.bench.job import Job, NoDataError
from halflabel.bench.progress import watched
from halflabel.bench.store import Store

PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>
Result = dict[str, Any]
Run = Callable[[Job], Result]


class Executor(Protocol):
    """Runs jobs somewhere and yields their results in any order; closing it ends what is running."""

    def __call__(self, jobs: Sequence[Job]) -> Generator[Result, None, None]: ...


def run_missing(jobs: Sequence[Job], store: Store, execute: Executor, *, shown: bool = False) -> int:
    """Run what the store does not hold yet; the number of jobs that were run.

    Whatever happens to this process, the store holds every job that ended before, and running again
    continues with the others.
    """
    with store.writing():
        done = store.finished()
        missing = list({job.key: job for job in jobs if job.key not in done}.values())
        with closing(execute(missing)) as results:
            for result in watched(results, len(missing), shown):
                store.append(result)
    return len(missing)


def run_job(job: Job) -> Result:
    """What a job of the benchmark does."""
    # Not at the top: whoever only looks at a store should not wait for scipy.
    from halflabel.bench.kinds import run_job as run

    return run(job)


def attempt(job: Job, run: Run = run_job) -> Result:
    """The result of a job; a failure is a result too, with its traceback."""
    start = time.perf_counter()
    try:
        outcome = {"status": "done", **run(job)}
    except NoDataError as error:
        outcome = {"status": "no data", "reason": str(error)}
    except Exception as error:
        outcome = {"status": "failed", "reason": repr(error), "traceback": traceback.format_exc()}
    return {**job.to_dict(), **outcome, "seconds": round(time.perf_counter() - start, 3)}


def killed(job: Job) -> Result:
    """The result of a job whose process did not live to tell."""
    return {**job.to_dict(), "status": "failed", "reason": "the process was killed (out of memory?)"}


def in_processes(workers: int, run: Run = run_job) -> Executor:
    """An executor with so many processes; one that is killed (out of memory, say) fails its job only."""
    def execute(jobs: Sequence[Job]) -> Generator[Result, None, None]:
        waiting = list(jobs)
        while waiting:
            with _pool(workers) as pool:
                futures = {pool.submit(attempt, job, run): job for job in waiting}
                for future in as_completed(futures):
                    if not isinstance(future.exception(), BrokenProcessPool):
                        waiting.remove(futures[future])
                        yield future.result()
            # What is left was running, or behind it in the queue, when a process died.
            yield from _one_at_a_time(waiting[:workers], run)
            waiting = waiting[workers:]

    return execute


def _one_at_a_time(jobs: Sequence[Job], run: Run) -> Iterator[Result]:
    """A process died; among the jobs that were running, find the one that it dies of."""
    for job in jobs:
        with _pool(1) as pool:
            future: Future[Result] = pool.submit(attempt, job, run)
            died = isinstance(future.exception(), BrokenProcessPool)
            yield killed(job) if died else future.result()


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that are gone at the end: left early (Ctrl-C), nobody waits for what they are doing."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"),
                               initializer=_prepare_worker, initargs=(os.getpid(),))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown()


def _prepare_worker(parent: int) -> None:
    """One thread each; and nobody goes on working for a parent that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # killed before we could ask to be told: nobody would ever send a job
        os._exit(1)
    use_one_thread()


def use_one_thread() -> None:
    """Of torch and of what it brings along; where torch is not loaded yet, it will read the variable."""
    os.environ["OMP_NUM_THREADS"] = "1"
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
