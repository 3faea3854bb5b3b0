"""A real browser: the chromium that the system has, driven by playwright."""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import halflabel as hl
from halflabel.explore.journal import Journal
from halflabel.explore.ranked import Ranked
from halflabel.explore.review import Review
from halflabel.explore.serving import listen, prepare
from halflabel.ids import NodeIds
from halflabel.run.store import write_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "<img src=x onerror=alert(1)><script>alert(1)</script>"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium is installed")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh window; a script error or a complaint on the console fails the test."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.extend([said.text] * (said.type in ("error", "warning"))))
    yield opened
    context.close()
    assert complaints == []


def opened_run(place: Path, nodes: int) -> hl.Run:
    rng = np.random.default_rng(0)
    ids = NodeIds([HOSTILE, *(f"node {i:05d}" for i in range(1, nodes))])
    source = np.concatenate([np.arange(nodes - 1), rng.integers(nodes, size=nodes)])
    target = np.concatenate([np.arange(1, nodes), rng.integers(nodes, size=nodes)])
    graph = hl.Graph.from_edges(source, target, rng.normal(size=(nodes, 4)), ids=ids)
    known = np.arange(nodes) % 20 == 10
    model = hl.Naive(epochs=2).fit(graph, known)
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return hl.open_run(place)


class Explorer:
    """A server that can be stopped and started again on the same marks."""

    def __init__(self, run: hl.Run, marks: Path):
        self.run, self.marks, self.server = run, marks, None

    def start(self) -> str:
        told: queue.Queue[str] = queue.Queue()
        ranked = Ranked(self.run)
        self.journal, self.listening = Journal(self.marks, ranked.known_ids()), listen()
        self.server = prepare(Review(self.run, ranked, self.journal), self.listening, told.put)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]})
        self.thread.start()
        return told.get(timeout=30)

    def stop(self) -> None:
        if self.server is not None:
            self.server.should_exit = True
            self.thread.join()
            self.listening.close()
            self.journal.__exit__()
            self.server = None


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> hl.Run:
    return opened_run(tmp_path_factory.mktemp("runs") / "run", 300)


@pytest.fixture(scope="session")
def large_run(tmp_path_factory: pytest.TempPathFactory) -> hl.Run:
    return opened_run(tmp_path_factory.mktemp("runs") / "run", 10_000)


@pytest.fixture
def explorer(small_run: hl.Run, tmp_path: Path) -> Iterator[Explorer]:
    started = Explorer(small_run, tmp_path / "run.marks.csv")
    yield started
    started.stop()


@pytest.fixture
def large_explorer(large_run: hl.Run, tmp_path: Path) -> Iterator[Explorer]:
    started = Explorer(large_run, tmp_path / "run.marks.csv")
    yield started
    started.stop()
