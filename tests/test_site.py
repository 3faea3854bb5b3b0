"""The site that `make docs` builds: complete, whole, and fetching nothing from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import halflabel as hl

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
API = (DOCS / "api.md").read_text(encoding="utf-8")
LARGEST = 200_000


def in_navigation():
    return re.findall(r"^ +- [^:\n]+: ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), flags=re.MULTILINE)


def test_every_page_is_in_the_navigation_and_every_entry_exists():
    entries, pages = in_navigation(), {page.name for page in DOCS.glob("*.md")}
    assert len(entries) == len(set(entries)), "an entry is there twice"
    missing = {"pages that are in no menu": sorted(pages - set(entries)),
               "entries without a page": sorted(set(entries) - pages)}
    assert not any(missing.values()), missing


def test_every_public_name_is_in_the_api():
    shown = set(re.findall(r"^::: ([\w.]+)$", API, flags=re.MULTILINE))
    names = [name for name in hl.__all__ if name != "__version__"]

    def home(name):
        return "halflabel.methods.method_classes" if name == "methods" else f"{hl._HOME[name]}.{name}"

    missing = [name for name in names if not {home(name), f"{hl._HOME[name]}.{name}.{name}"} & shown]
    assert missing == [], "add `::: HOME.NAME` to docs/api.md"


def test_pictures_are_small_and_used():
    text = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    pictures = list((DOCS / "images").iterdir())
    assert pictures
    for picture in pictures:
        assert picture.stat().st_size < LARGEST, picture.name
        assert f"images/{picture.name}" in text, f"{picture.name} is on no page"


@pytest.mark.slow
@pytest.mark.parametrize("script", ["priors", "biased_labels"])
def test_pictures_are_what_the_scripts_draw(script, tmp_path):
    subprocess.run([sys.executable, DOCS / "figures" / f"{script}.py", "--out", tmp_path], check=True,
                   timeout=120, capture_output=True)
    drawn = {picture.name for picture in tmp_path.iterdir()}
    assert drawn
    assert drawn <= {picture.name for picture in (DOCS / "images").iterdir()}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="the builder is in halflabel[docs]: make docs installs it")
    place = tmp_path_factory.mktemp("site")
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", place], cwd=ROOT,
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    assert build.returncode == 0, build.stderr
    return place


def test_the_site_builds_without_a_warning(site):
    assert (site / "index.html").is_file()
    assert {page.stem for page in DOCS.glob("*.md")} <= {page.stem for page in site.glob("*.html")}


def test_nothing_is_fetched_from_elsewhere(site):
    loads = re.compile(r"<(?:script|img|iframe|source|video)\b[^>]*\bsrc=[\"']?((?:https?:)?//[^\"' >]+)"
                       r"|<link\b(?![^>]*rel=[\"']?canonical)[^>]*\bhref=[\"']?((?:https?:)?//[^\"' >]+)")
    styles = re.compile(r"@import\s+[\"'(]*(?:https?:)?//|url\([\"']?(?:https?:)?//")
    found = {page.name: loads.findall(text) for page in site.rglob("*.html")
             if loads.search(text := page.read_text(encoding="utf-8"))}
    assert found == {}
    sheets = {sheet.name: sheet.read_text(encoding="utf-8") for sheet in site.rglob("*.css")}
    assert [name for name, text in sheets.items() if styles.search(text)] == []


def test_formulas_are_drawn_and_examples_are_code(site):
    page = (site / "gpl.html").read_text(encoding="utf-8")
    assert page.count("<math") > 40
    assert "```math" not in page
    assert not re.search(r"\$\\?[a-z]", re.sub(r"<(pre|code)\b.*?</\1>", "", page, flags=re.DOTALL))
    api = (site / "api.html").read_text(encoding="utf-8")
    assert "<blockquote>" not in api, "a doctest that is not fenced becomes a quotation"
    assert (site / "benchmarks/paper/results/table3.html").is_file(), "linked tables are on the site"
