"""Make the pictures of the documentation from the demo's run: python docs/images/make.py [DEMO]

DEMO is the directory of `halflabel demo` (default: demo). Needs chromium and the extra [test].
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
LARGEST = 300_000  # bytes of a picture
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Shot(NamedTuple):
    """A picture of a page: its file, how wide the screen is, how much of the page, and the colours."""

    name: str
    width: int
    height: int
    scheme: str = "light"


REPORT = [
    Shot("report-desktop.png", 1060, 2900),
    Shot("report-phone.png", 390, 1700),
    Shot("report-dark.png", 1060, 2900, "dark"),
]


def take(browser: Any, address: str, shot: Shot) -> None:
    """Write a picture of the upper part of a page, in few colours: it is text and lines."""
    page = browser.new_page(viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme)
    page.goto(address)
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    target = HERE / shot.name
    picture.convert("RGB").quantize(160, dither=Image.Dither.NONE).save(target, optimize=True)
    size = target.stat().st_size
    print(f"{target}: {size / 1000:.0f} kB")
    assert size < LARGEST, f"{target} is too large for the repository"


def main(demo: str = "demo") -> None:
    """All pictures."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for shot in REPORT:
            take(browser, (Path(demo) / "run" / "report.html").resolve().as_uri(), shot)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
