"""Pictures of pages, taken by the chromium of this machine."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parents[1] / "images"
LARGEST = 200_000  # bytes of a picture
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser without a window."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def keep(page: Page, name: str, *, whole: bool = False) -> None:
    """Write what a page looks like, in few colours: it is text and lines."""
    picture, target = Image.open(io.BytesIO(page.screenshot(full_page=whole))), IMAGES / name
    picture.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(target, optimize=True)
    size = target.stat().st_size
    print(f"{target}: {size / 1000:.0f} kB")
    assert size < LARGEST, f"{target} is too large for the repository"
