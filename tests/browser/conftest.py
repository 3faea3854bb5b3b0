"""A real browser for pages that we write; tests skip, by name, where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")  # not longer: other tests must not find its event loop running
def browser() -> Iterator[Any]:
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
