"""The report as a reader meets it: in a browser, on a desk, on a phone, in the dark, without a script."""

from time import perf_counter

import numpy as np
import pytest

import halflabel as hl
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.run.store import write_run

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"


def planted(n, edges, ids):
    """A graph in which a tenth is positive, and features and edges tell so; a third of them known."""
    rng = np.random.default_rng(0)
    y = np.arange(n) < n // 10
    ends = rng.integers(n, size=(2, edges))
    same = y[ends[0]] == y[ends[1]]
    X = rng.normal(size=(n, 5)).astype(np.float32) + 1.5 * y[:, None]
    names = ("<b>age</b>", "income", "calls", "days", "limit")
    graph = Graph.from_edges(*ends[:, same | (rng.random(edges) < 0.3)], X, ids=NodeIds(ids),
                             feature_names=names)
    return graph, y & (rng.random(n) < 0.33)


def written(place, n, edges, ids):
    graph, known = planted(n, edges, ids)
    model = hl.Naive(epochs=15, backbone="mlp").fit(graph, known)
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return place / "report.html"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report of 600 nodes; the names of the positives, which come first in it, are hostile."""
    ids = [f"{SCRIPT}{i}" if i % 2 else f"{IMAGE}{i}" for i in range(60)] + [f"node-{i}" for i in range(540)]
    return written(tmp_path_factory.mktemp("runs") / "run", 600, 3000, ids)


@pytest.fixture
def opened(open_page, report):
    return open_page(report)


def first_cells(page, column):
    return page.locator(f"#rows tr td:nth-child({column})").all_inner_texts()


def test_it_opens_without_errors_and_fetches_nothing(opened, report):
    assert opened.errors == []
    assert opened.fetched == [report.as_uri()]


def test_a_hostile_id_is_text_and_is_not_run(opened):
    page = opened.page
    shown = first_cells(page, 2)
    assert any(text.startswith(SCRIPT) for text in shown)
    assert any(text.startswith(IMAGE) for text in shown)
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert page.locator("b").count() == 0  # as a feature is called
    page.locator("#search").fill("<script")
    assert all(text.startswith(SCRIPT) for text in first_cells(page, 2))
    assert opened.errors == []


def test_the_page_refuses_to_run_what_is_put_into_it(opened):
    opened.page.evaluate("""() => {
        const made = document.createElement("script");
        made.textContent = "window.ran = true";
        document.body.append(made);
    }""")
    assert opened.page.evaluate("window.ran") is None


def test_searching(opened):
    page = opened.page
    page.locator("#search").fill("node-53")
    found = first_cells(page, 2)
    assert found
    assert all("node-53" in text for text in found)
    page.locator("#search").fill("nobody")
    assert first_cells(page, 2) == []
    assert page.locator("#place").inner_text() == "no such node"
    page.locator("#search").fill("")
    assert first_cells(page, 1)[0] == "1"


def test_sorting_and_turning_pages(opened):
    page = opened.page
    page.locator("#search").fill("node-")
    page.locator("th button[data-key=id]").click()
    assert first_cells(page, 2)[:2] == ["node-0", "node-1"]
    assert page.locator(".live th[aria-sort=ascending]").inner_text().startswith("id")
    page.locator("th button[data-key=id]").click()
    assert first_cells(page, 2)[:2] == ["node-539", "node-538"]
    page.locator("th button[data-key=probability]").click()
    lowest = [float(text.strip("<>")) for text in first_cells(page, 3)]
    assert lowest == sorted(lowest)
    page.locator("th button[data-key=rank]").click()
    before = first_cells(page, 1)
    page.locator("#on").click()
    assert not set(before) & set(first_cells(page, 1))
    page.locator("#back").click()
    assert first_cells(page, 1) == before
    assert page.locator("#back").is_disabled()


def test_the_slider_says_what_the_table_says(opened):
    page = opened.page
    said, marker = page.locator("#said"), page.locator("#marker")
    flagged = page.locator("#review tr", has=page.locator(".flag")).locator("td").all_inner_texts()
    assert f"Review the {flagged[0].split()[-1]} most likely nodes" in said.inner_text()
    assert f"precision {flagged[2]}" in said.inner_text().replace("\u00a0", " ")
    before, place = said.inner_text(), marker.get_attribute("cx")
    page.locator("#budget").press("Home")
    assert "Review the most likely node:" in said.inner_text()
    page.locator("#budget").press("End")
    assert "recall 100.0" in said.inner_text()
    assert before != said.inner_text()
    assert marker.get_attribute("cx") != place


@pytest.mark.parametrize("width", [320, 390, 768, 1400])
def test_nothing_is_wider_than_the_screen(open_page, report, width):
    page = open_page(report, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = """[...document.querySelectorAll("body *")]
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 0.5)
        .map((part) => part.outerHTML.slice(0, 99))"""
    assert page.evaluate(beyond) == []


def test_no_label_in_a_neighbourhood_is_cut_or_covers_another(opened):
    clashes = opened.page.evaluate("""() => [...document.querySelectorAll("svg.graph")].flatMap((svg) => {
        const around = svg.getBoundingClientRect();
        const boxes = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
        const cut = boxes.filter((box) => box.left < around.left - 1 || box.right > around.right + 1);
        const over = boxes.filter((a, i) => boxes.slice(i + 1).some((b) =>
            a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
        return [...cut, ...over];
    })""")
    assert opened.page.locator("svg.graph").count() == 6
    assert clashes == []


def test_no_panel_is_empty(opened):
    sizes = opened.page.evaluate(
        """[...document.querySelectorAll("figure")].map((part) => part.getBoundingClientRect().height)""")
    assert len(sizes) >= 11
    assert min(sizes) > 60
    assert opened.page.locator(".missing").count() == 0


def test_light_and_dark(open_page, report):
    colours = {}
    for scheme in ("light", "dark"):
        page = open_page(report, scheme=scheme).page
        colours[scheme] = page.evaluate("""["backgroundColor", "color"].map(
            (name) => getComputedStyle(document.body)[name])""")
    assert colours["light"] == ["rgb(255, 255, 255)", "rgb(29, 35, 41)"]
    assert colours["dark"] == ["rgb(20, 24, 28)", "rgb(228, 232, 236)"]


def test_without_a_script_and_in_print_the_first_fifty_are_there(open_page, report):
    page = open_page(report, java_script_enabled=False).page
    assert page.locator(".still tbody tr").count() == 50
    assert page.locator(".still").is_visible()
    assert not page.locator("#budget").is_visible()
    assert page.locator("#review .few").is_visible()
    printed = open_page(report, scheme="dark").page
    assert not printed.locator(".still").is_visible()
    printed.emulate_media(media="print")
    assert printed.locator(".still").is_visible()
    assert not printed.locator("#search").is_visible()
    assert printed.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.slow
def test_a_hundred_thousand_nodes_open_at_once(open_page, tmp_path):
    report = written(tmp_path / "run", 100_000, 600_000, [f"customer-{i:09d}" for i in range(100_000)])
    assert report.stat().st_size < 3_000_000
    open_page(report)  # the browser itself has started
    start = perf_counter()
    page = open_page(report).page
    assert page.locator("#rows tr").count() == 10
    assert perf_counter() - start < 2
    assert "The first 10,000 of" in page.locator(".live .about").first.inner_text()
