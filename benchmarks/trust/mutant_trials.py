"""Tests run against changed copies of a module, each in a fork of a process that has imported the rest."""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings

OPTIONS = ["-x", "-p", "no:cacheprovider", "--no-header", "--tb=no", "--basetemp=temporary"]
# The same examples every time; a failure is enough, the simplest one need not be found.
settings.register_profile("trial", derandomize=True, database=None, phases=[Phase.explicit, Phase.generate])
OURS = ("halflabel", "tests", "__main__")
MOST_MEMORY = 6 * 2**30


class Baseline(NamedTuple):
    """Of tests of unchanged modules: seconds by test, and tests by the module and line of what they call."""

    seconds: dict[str, float]
    callers: dict[str, list[str]]

    def of(self, module: str, function: int, files: Sequence[str], patience: float) -> list[str]:
        """Tests in these files that reach a function, as many of the quickest as end in so many seconds; for
        what stands in no function, those that reach any."""
        wanted = f"{module}:{function or ''}"
        reached = {test for place, tests in self.callers.items() for test in tests
                   if place == wanted or (not function and place.startswith(wanted))}
        in_order = sorted((self.seconds[test], test) for test in reached if test.split("::")[0] in files)
        spent = accumulate(seconds for seconds, _ in in_order)
        return [test for (_, test), total in zip(in_order, spent, strict=True) if total <= patience]


class Workshop:
    """A copy of the sources and the tests, in which one module at a time may be changed."""

    def __init__(self, root: Path, place: Path):
        self.place = place
        for name in ("src", "tests"):
            shutil.copytree(root / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "pyproject.toml", place)

    def baseline(self, modules: Sequence[str], tests: Sequence[str]) -> Baseline:
        """Run the tests as they are, which must pass, and import what they imported of other packages."""
        report = self.place / "baseline.json"
        watched = {str(self.place / module): module for module in modules}
        status = self._fork(lambda: _run(tests, _Watcher(watched, report)), 600)
        if status != 0:
            raise SystemExit(f"tests fail without any mutant (status {status}): {' '.join(tests)}")
        found = json.loads(report.read_text())
        for name in found["modules"]:
            if name.split(".")[0] not in OURS:
                with suppress(Exception):  # names that only exist inside of a package
                    importlib.import_module(name)
        return Baseline(found["seconds"], found["callers"])

    def outcome(self, module: str, source: str, tests: Sequence[str], seconds: float) -> str:
        """"killed", "timed out" or "survived"."""
        path = self.place / module
        original = path.read_text(encoding="utf-8")
        path.write_text(source, encoding="utf-8")
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
            compiled.unlink()
        try:
            status = self._fork(lambda: _run(tests, _Ordered(tests), write_bytecode=False), seconds)
        finally:
            path.write_text(original, encoding="utf-8")
        if status in (-signal.SIGALRM, -signal.SIGXCPU):
            return "timed out"
        return "killed" if status else "survived"

    def _fork(self, work: Any, seconds: float) -> int:
        """Exit status of a fork that works in this copy, less than zero if a signal ended it."""
        gc.collect()
        gc.freeze()  # what is here already need not be looked through in every fork
        sys.stdout.flush()
        child = os.fork()
        if not child:
            try:
                os.setpgid(0, 0)
                silent = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(silent, stream)
                os.chdir(self.place)
                os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # looking for them takes long
                os.environ["PYTHONPATH"] = str(self.place / "src")
                os.environ["TMPDIR"] = tempfile.tempdir = str(self.place)  # to be removed with it
                sys.path[:0] = [str(self.place / "src")]
                resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
                resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
                signal.alarm(5 * int(seconds) + 30)  # for those that wait and do not compute
                work()
            finally:
                os._exit(70)
        try:
            _, status = os.waitpid(child, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # interrupted here, or left by its tests
        return os.waitstatus_to_exitcode(status)


def _run(tests: Sequence[str], plugin: Any, write_bytecode: bool = True) -> None:
    sys.dont_write_bytecode = not write_bytecode
    settings.load_profile("trial")
    files = list(dict.fromkeys(test.split("::")[0] for test in tests)) if not write_bytecode else list(tests)
    os._exit(pytest.main([*OPTIONS, *files], plugins=[plugin]))


class _Ordered:
    """Of all tests in the files the wanted ones, in their order; and no ceremony at the end."""

    def __init__(self, tests: Sequence[str]):
        self.places = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.places),
                          key=lambda item: self.places[item.nodeid])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        os._exit(exitstatus)


class _Watcher:
    """Writes down how long each test computes and which functions of the modules it calls."""

    def __init__(self, modules: dict[str, str], report: Path):
        self.modules, self.report = modules, report
        self.seconds: dict[str, float] = {}
        self.callers: dict[str, list[str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        called: set[str] = set()

        def on_call(frame: Any, event: str, argument: Any) -> None:
            if module := self.modules.get(frame.f_code.co_filename):
                called.add(f"{module}:{frame.f_code.co_firstlineno}")

        begun = sum(os.times()[:4])
        sys.settrace(on_call)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.seconds[item.nodeid] = sum(os.times()[:4]) - begun
            for function in called:
                self.callers.setdefault(function, []).append(item.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.report.write_text(json.dumps(
            {"seconds": self.seconds, "callers": self.callers, "modules": list(sys.modules)}))
