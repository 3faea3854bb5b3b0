"""Fits that are killed again and again. A script: it imports once, and forks for every attempt.

    python killing.py fit FILES METHOD KILLS SEED      random moments of `halflabel fit --resume`
    python killing.py write PLACE STEP                 every STEP-th thing that writing a run does to files

Prints what it has seen as JSON; stops with a traceback where anything was lost or differs.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

import halflabel as hl
import halflabel.run.store as store
from halflabel.cli import app
from halflabel.cli.fitting import Settings
from halflabel.datasets import payments, payments_positives

SHORT = {"gpl": {"warmup": 60, "epochs": 60}, "auto": {"epochs": 40}}


def content(run: Path) -> dict[str, object]:
    """All that a run directory says, times and memory aside."""
    files = {str(path.relative_to(run)): path.read_bytes() for path in run.rglob("*") if path.is_file()}
    record = json.loads(files.pop("run.json"))
    for name in ("seconds", "peak_memory_bytes", "seal"):  # the last is of the others
        del record[name]
    files.pop("report.html")  # has the seconds
    return {**files, "run.json": record}


def forked(work: Callable[[], None], log: Path, delay: float | None = None) -> int:
    """Do the work in another process, killed after so many seconds of computing; how it has ended.

    By the clock on the wall, a busy machine would decide what has been done by then.
    """
    child = os.fork()
    if child == 0:
        code = 1
        with log.open("a") as stream, contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            try:
                work()
                code = 0
            except SystemExit as end:
                code = int(end.code or 0)
            finally:
                stream.flush()
                os._exit(code)
    if delay is not None:
        clock = (~child << 3) | 2  # of the processor time of another process, as Linux has it
        while not os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if time.clock_gettime(clock) >= delay:
                os.kill(child, signal.SIGKILL)
                break
            time.sleep(0.005)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def shorten_fits() -> None:
    long = Settings.model
    Settings.model = lambda self: long(self).set_params(**SHORT[self.method])


def kill_fits(files: Path, method: str, kills: int, seed: int) -> dict[str, object]:
    shorten_fits()
    rng, out, log = random.Random(seed), files / "run", files / "log.txt"

    def fit(place: Path, *more: object) -> Callable[[], None]:
        command = ["fit", files / "edges.csv", "--nodes", files / "nodes.csv", "--positives",
                   files / "known.txt", "--out", place, "--method", method, *more]
        return lambda: app([str(part) for part in command], prog_name="halflabel")

    with contextlib.suppress(SystemExit):  # in this process: no attempt has to import anything again
        fit(files / "first")()
    start = os.times()
    assert forked(fit(files / "undisturbed"), log) == 0, log.read_text()
    end = os.times()
    whole = end.children_user + end.children_system - start.children_user - start.children_system
    assert forked(fit(out, "--seed", 1), log) == 0  # an earlier run, which no kill may harm
    wanted, earlier = content(files / "undisturbed"), content(out)
    assert content(files / "first") == wanted
    killed, resumed, finished, at = 0, 0, 0, []
    while killed < kills:
        delay = rng.uniform(0, whole)
        code = forked(fit(out, "--resume", "--checkpoint-every", 1), log, delay)
        if code == 0:  # done before it could be killed: the next attempts begin anew
            assert content(out) == wanted
            finished += 1
            shutil.rmtree(out)
            shutil.copytree(files / "undisturbed", out)
            assert forked(fit(out, "--seed", 1), log) == 0
            continue
        assert code == -signal.SIGKILL, log.read_text()
        killed += 1
        assert content(out) in (earlier, wanted)
        kept = sorted((files / ".run.checkpoint").glob("stage-*"))
        resumed += bool(kept)
        at.append(len(kept))
    assert forked(fit(out, "--resume", "--checkpoint-every", 1), log) == 0, log.read_text()
    assert content(out) == wanted
    left = sorted(path.name for path in files.iterdir() if path.name.startswith("."))
    assert not left, left
    return {"killed": killed, "with a checkpoint": resumed, "stages in it": at, "finished before": finished,
            "seconds of computing, undisturbed": round(whole, 1)}


def kill_writes(place: Path, step: int) -> dict[str, object]:
    """Kill the process at its n-th file operation while it writes a run over an earlier one."""
    torch.set_num_threads(1)
    graph, y = payments()
    known = payments_positives(y)
    models = [hl.Naive(epochs=1, folds=2, random_state=seed).fit(graph, known) for seed in (0, 1)]
    run, log, events = place / "run", place / "log.txt", 0

    def write(model: hl.Naive) -> None:
        store.write_run(run, graph, model, known, seconds=1.0, inputs={})

    def counting(stop: int | None) -> None:
        def count(event: str, args: tuple) -> None:
            nonlocal events
            if event == "open" or event.startswith(("os.", "shutil.", "ctypes.call", "fcntl.")):
                events += 1
                if events == stop:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        write(models[1])
        if stop is None:
            (place / "events.txt").write_text(str(events))

    assert forked(lambda: write(models[1]), log) == 0
    after = content(run)
    assert forked(lambda: write(models[0]), log) == 0
    before = content(run)
    assert before != after
    assert forked(lambda: counting(None), log) == 0
    total = int((place / "events.txt").read_text())
    seen = {"before": 0, "after": 0}
    for stop in sorted({*range(1, total, step), total - 1}):
        assert forked(lambda: write(models[0]), log) == 0, log.read_text()
        assert sorted(os.listdir(place)) == ["events.txt", "log.txt", "run"], stop
        assert forked(lambda stop=stop: counting(stop), log) == -signal.SIGKILL, stop
        now = content(run)
        assert now in (before, after), stop
        seen["before" if now == before else "after"] += 1
    assert forked(lambda: write(models[1]), log) == 0
    assert content(run) == after
    assert sorted(os.listdir(place)) == ["events.txt", "log.txt", "run"]
    return {"file operations": total, **seen}


if __name__ == "__main__":
    what, where, *rest = sys.argv[1:]
    if what == "fit":
        with contextlib.redirect_stdout(sys.stderr):
            seen = kill_fits(Path(where), rest[0], int(rest[1]), int(rest[2]))
    else:
        seen = kill_writes(Path(where), int(rest[0]))
    print(json.dumps(seen), file=sys.__stdout__)
