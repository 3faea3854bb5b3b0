"""A real browser for pages that we write; tests skip, by name, where there is none."""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

NAMES = ("chromium", "chromium-browser", "google-chrome")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(1)</script>"


@pytest.fixture(scope="module")  # not longer: other tests must not find its event loop running
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no chromium here: the page is not opened in a browser")
    with sync_api.sync_playwright() as started:
        # In a container there is nobody to protect from the page, and no right to make a sandbox.
        chromium = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


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


class Opened:
    """A page, and what went wrong in it: errors, and whatever it tried to fetch."""

    def __init__(self, page: Any):
        self.page = page
        self.errors: list[str] = []
        self.fetched: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", lambda dialog: (self.errors.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.route("**/*", self._answer)

    def _answer(self, route: Any) -> None:
        if self.fetched or not route.request.url.startswith("file:"):
            self.fetched.append(route.request.url)
            route.abort()
        else:
            self.fetched.append(route.request.url)
            route.continue_()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Opened]]:
    """open_page(path, width=390, scheme="dark") opens a file; only that file may be fetched."""
    contexts = []

    def open_file(path: Path, width: int = 1100, scheme: str = "light", **options: Any) -> Opened:
        screen = {"width": width, "height": 844}
        context = browser.new_context(viewport=screen, color_scheme=scheme, **options)
        contexts.append(context)
        opened = Opened(context.new_page())
        opened.page.goto(path.as_uri())
        return opened

    yield open_file
    for context in contexts:
        context.close()
