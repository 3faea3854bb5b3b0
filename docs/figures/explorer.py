"""Draw the pictures of docs/explore.md: python docs/figures/explorer.py [DEMO]; extras explore and test.

DEMO is the directory of `halflabel demo` (default: demo).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from photograph import browsing, keep
from playwright.sync_api import Page, expect

VIEWS = {"explorer.png": ("light", 1280, 800), "explorer-dark.png": ("dark", 1280, 800),
         "explorer-narrow.png": ("light", 390, 844)}


def main(demo: str = "demo") -> None:
    """Start the explorer on the demo's run, with marks of its own, and photograph it."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "halflabel", "explore", Path(demo) / "run", "--no-browser",
                   "--marks", Path(place) / "run.marks.csv"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as explorer:
            try:
                address = re.search(r"http\S+", explorer.stdout.readline() if explorer.stdout else "")
                assert address is not None
                photograph(address[0])
            finally:
                explorer.terminate()


def photograph(address: str) -> None:
    """Walk three nodes down, mark two of them, and keep what the page looks like."""
    with browsing() as browser:
        for name, (scheme, width, height) in VIEWS.items():
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
            page.goto(address)
            page.wait_for_selector('.row[aria-selected="true"]')
            review(page)
            keep(page, name, whole=width < 1000)


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
    main(*sys.argv[1:])
