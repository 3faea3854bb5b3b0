"""Draw the pictures of docs/report.md: python docs/figures/report.py [DEMO], with the extra test.

DEMO is the directory of `halflabel demo` (default: demo).
"""

from __future__ import annotations

import sys
from pathlib import Path

from photograph import browsing, keep

VIEWS = {"report-desktop.png": ("light", 1060, 2900), "report-phone.png": ("light", 390, 1700),
         "report-dark.png": ("dark", 1060, 2900)}


def main(demo: str = "demo") -> None:
    """The upper part of the report, on three screens."""
    address = (Path(demo) / "run" / "report.html").resolve().as_uri()
    with browsing() as browser:
        for name, (scheme, width, height) in VIEWS.items():
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
            page.goto(address)
            keep(page, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
