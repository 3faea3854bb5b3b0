"""Does the explorer's list scroll smoothly? Frame times in headless Chromium, 10,000 ranked nodes.

    python benchmarks/explorer/scrolling.py        writes results/scrolling.json

The list is scrolled by 97 pixels a frame, from the top to the end of 400 frames; the time between frames is
compared with that of the same page at rest, in turns. A page that falls behind has longer frames.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

import halflabel as hl
from halflabel.run.store import write_run

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

NODES, FRAMES, TURNS = 10_100, 400, 5
WATCH = """async ([frames, pixels]) => {
  const list = document.querySelector("#list"), times = [];
  list.scrollTop = 0;
  await new Promise(done => {
    const next = now => {
      times.push(now);
      list.scrollTop += pixels;
      times.length > frames ? done() : requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return times;
}"""


def write_large_run(place: Path) -> None:
    """A run with 10,000 unlabelled nodes."""
    graph, y = hl.synthetic(NODES, degree=4, prior=0.05)
    known = np.zeros(NODES, dtype=bool)
    known[np.flatnonzero(y)[:100]] = True
    model = hl.Naive(epochs=20, folds=2).fit(graph, known)
    write_run(place, graph, model, known, seconds=1.0, inputs={})


def frame_times(page: Page, pixels: int) -> np.ndarray:
    """Milliseconds between frames."""
    return np.diff(page.evaluate(WATCH, [FRAMES, pixels]))


def summary(times: list[np.ndarray]) -> dict[str, Any]:
    together = np.concatenate(times)
    return {"median_ms": round(float(np.median(together)), 2),
            "p99_ms": round(float(np.quantile(together, 0.99)), 2),
            "longest_ms": round(float(together.max()), 2),
            "frames_over_50_ms": int((together > 50).sum()), "frames": len(together)}


def measure(address: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Frame times while scrolling and at rest, in turns."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("#why p")
        turns = [(frame_times(page, 97), frame_times(page, 0)) for _ in range(TURNS)]
        browser.close()
    return turns


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        write_large_run(Path(directory) / "run")
        command = [sys.executable, "-m", "halflabel", "explore", f"{directory}/run", "--no-browser", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as explorer:
            assert explorer.stdout is not None
            said = "".join(iter(explorer.stdout.readline, "}\n"))
            turns = measure(json.loads(said + "}")["page"])
            explorer.terminate()
    scrolling, resting = (summary(list(times)) for times in zip(*turns, strict=True))
    print(scrolling, resting, sep="\n")
    write_json(Path(__file__).parent / "results" / "scrolling.json", {
        "machine": describe_machine(threads=1), "nodes": NODES - 100, "scrolling": scrolling,
        "resting": resting})


if __name__ == "__main__":
    main()
