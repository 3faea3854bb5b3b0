"""A small run with ids that are hard to handle, and the explorer around it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

import halflabel as hl
from halflabel.explore.app import create_app
from halflabel.explore.journal import Journal
from halflabel.explore.ranked import Ranked
from halflabel.explore.review import Review
from halflabel.explore.serving import listen, prepare
from halflabel.ids import NodeIds
from halflabel.run.store import write_run

TOKEN, ORIGIN = "the-token", "http://127.0.0.1:8765"
STRANGE = ["<script>alert(1)</script>", "a,b", 'say "hi"', "two\nlines", "../../etc/passwd", "Ünï", "007", ""]
NODES, KNOWN = 60, 10


def strange_ids() -> list[str]:
    return [*STRANGE, *(f"n{i:02d}" for i in range(NODES - len(STRANGE)))]


def make_run(place: Path, ids: NodeIds) -> Path:
    rng = np.random.default_rng(0)
    n = len(ids)
    ends = rng.integers(n - 1, size=(2, 3 * n))  # the last node has no edges
    graph = hl.Graph.from_edges(*ends, rng.normal(size=(n, 4)), ids=ids)
    known = np.arange(n) >= n - KNOWN
    model = hl.Naive(epochs=2).fit(graph, known)
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return place


@pytest.fixture(scope="session")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", NodeIds(strange_ids()))


@pytest.fixture(scope="session")
def run(run_directory: Path) -> hl.Run:
    return hl.open_run(run_directory)


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    return tmp_path / "run.marks.csv"


@pytest.fixture
def explorer(run: hl.Run, marks: Path) -> Iterator[Callable[[], TestClient]]:
    """explorer() starts one on the same marks, after the one before has ended."""
    journals: list[Journal] = []

    def start() -> TestClient:
        end()
        ranked = Ranked(run)
        journals.append(Journal(marks, ranked.known_ids()))
        app = create_app(Review(run, ranked, journals[0]), TOKEN)
        return TestClient(app, base_url=f"{ORIGIN}/{TOKEN}/", headers={"Origin": ORIGIN},
                          follow_redirects=False)

    def end() -> None:
        while journals:
            journals.pop().__exit__()

    yield start
    end()


@pytest.fixture
def address(run: hl.Run, marks: Path) -> Iterator[str]:
    """Of an explorer that really listens."""
    told: queue.Queue[str] = queue.Queue()
    ranked = Ranked(run)
    with Journal(marks, ranked.known_ids()) as journal, listen() as listening:
        server = prepare(Review(run, ranked, journal), listening, told.put)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield told.get(timeout=30)
        server.should_exit = True
        thread.join()


@pytest.fixture
def client(explorer: Callable[[], TestClient]) -> TestClient:
    return explorer()
