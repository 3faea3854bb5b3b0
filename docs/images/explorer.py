"""Draw the pictures of docs/explore.md: python docs/images/explorer.py, with the extras explore and test.

Takes a minute: it fits GPL to the built-in example, starts the explorer and photographs the page.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from halflabel.datasets import write_payments

HERE = Path(__file__).parent
VIEWS = {"explorer.png": ("light", 1280, 800), "explorer-dark.png": ("dark", 1280, 800),
         "explorer-narrow.png": ("light", 390, 844)}
HALFLABEL = [sys.executable, "-m", "halflabel"]


def draw(place: Path) -> None:
    """Write all pictures beside this file; `place` is a directory for what they show."""
    write_payments(place)
    subprocess.run([*HALFLABEL, "fit", "edges.csv", "--nodes", "nodes.csv", "--positives", "known.txt",
                    "--method", "gpl", "--out", "run"], cwd=place, check=True)
    command = [*HALFLABEL, "explore", "run", "--no-browser", "--marks", "run.marks.csv"]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True) as explorer:
        try:
            address = re.search(r"http\S+", explorer.stdout.readline() if explorer.stdout else "")
            assert address is not None
            photograph(address[0])
        finally:
            explorer.terminate()


def photograph(address: str) -> None:
    """Walk three nodes down, mark two of them, and keep what the page looks like."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (scheme, width, height) in VIEWS.items():
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
            page.goto(address)
            page.wait_for_selector('.row[aria-selected="true"]')
            review(page)
            page.screenshot(path=HERE / name, full_page=width < 1000)
        browser.close()


def review(page: Page) -> None:
    """Mark the second node positive, the third not, and stay with the third."""
    for key in "pn":
        page.keyboard.press("ArrowDown")
        page.wait_for_selector("#why p")
        page.keyboard.press(key)
        expect(page.locator("#state")).to_have_text(re.compile("^saved"))
    page.wait_for_selector("#why table")
    page.evaluate("document.activeElement.blur()")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        draw(Path(directory))
