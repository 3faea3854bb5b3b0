"""Links from the pages into the repository: what they lead to becomes part of the site.

In the repository, docs/auto.md links to ../benchmarks/paper/results/auto.md. The site has that table as a
page, and the JSON beside it as a file, so that every number leads to what was measured.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(\]\()(?![a-z]+:|#|/)([^)\s#]+)(#[^)\s]*)?(\))")
RENAMED = {"README.md": "readme.md"}  # at the top, a page of that name would take the place of the home page
PAGE = ".md"


def on_config(config: Any) -> Any:
    """Pages that somebody has still to write are left out; tests/test_site.py asks for them."""
    config.nav = [_existing(entry) for entry in config.nav]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add what is linked to, and what that links to."""
    pages = [in_repository(file.src_uri) for file in files.documentation_pages()]
    seen = set(pages)
    while pages:
        page = pages.pop()
        for target in targets_of(page) - seen:
            seen.add(target)
            if target.startswith("docs/") or not (ROOT / target).is_file():
                continue
            files.append(File.generated(config, in_site(target), abs_src_path=str(ROOT / target)))
            if target.endswith(PAGE):
                pages.append(target)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links as they are between places in the site."""
    home, place = in_repository(page.file.src_uri), page.file.src_uri

    def moved(found: re.Match[str]) -> str:
        before, target, anchor, after = found.groups()
        there = in_site(resolved(home, target))
        return f"{before}{posixpath.relpath(there, posixpath.dirname(place) or '.')}{anchor or ''}{after}"

    return LINK.sub(moved, markdown)


def targets_of(page: str) -> set[str]:
    """What a page of the repository links to, by place in the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return {resolved(page, target) for _, target, _, _ in LINK.findall(text)}


def resolved(page: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target))


def in_repository(uri: str) -> str:
    original = next((name for name, new in RENAMED.items() if new == uri), uri)
    return f"docs/{uri}" if (ROOT / "docs" / uri).is_file() else original


def in_site(place: str) -> str:
    return RENAMED.get(place, place.removeprefix("docs/"))


def _existing(entry: dict[str, Any]) -> dict[str, Any]:
    ((title, what),) = entry.items()
    if isinstance(what, str):
        return entry
    return {title: [part for part in what if (ROOT / "docs" / next(iter(part.values()))).is_file()]}
