"""The explorer in a real browser: load, search, click, mark, reload, and it is still there."""

import itertools
import re
from urllib.parse import urlsplit

import numpy as np
import pytest

from halflabel.marks import read_marks

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
HOSTILE = '<img src=x onerror=alert(1)><script>alert(1)</script>'


def open_page(page, address):
    page.goto(address)
    page.wait_for_selector('.row[aria-selected="true"]')
    page.wait_for_selector("#why p")


def shown_mark(page, id):
    return page.locator(".row", has_text=id).locator(".mark").inner_text()


def test_load_search_click_mark_reload_still_there(explorer, page):
    address = explorer.start()
    open_page(page, address)
    assert page.locator("#answer").inner_text().startswith("About ")
    page.fill("#search", "node 0004")
    expect(page.locator("#found")).to_have_text("10 nodes")
    page.locator(".row", has_text="node 00042").click()
    expect(page.locator("#name")).to_have_text("node 00042")
    page.get_by_role("button", name="Positive", exact=True).click()
    expect(page.locator("#state")).to_have_text(re.compile("^saved"))
    assert shown_mark(page, "node 00042") == "positive"
    assert read_marks(explorer.marks)[-1][:3] == ("node 00042", "positive", "review")
    page.reload()
    page.wait_for_selector("#why p")
    assert page.locator("#saved").inner_text().startswith("1 marked; ")
    page.fill("#search", "00042")
    expect(page.locator("#found")).to_have_text("1 node")
    assert shown_mark(page, "node 00042") == "positive"
    expect(page.locator("#name")).to_have_text("node 00042")
    page.wait_for_selector("#why p")  # nothing is asked any more
    explorer.stop()
    page.goto(explorer.start())
    page.select_option("#order", "marked")
    expect(page.locator("#found")).to_have_text("1 node")
    assert shown_mark(page, "node 00042") == "positive"


def test_the_keyboard_does_it_all(explorer, page):
    open_page(page, explorer.start())
    first = page.locator("#name").inner_text()
    page.keyboard.press("p")
    expect(page.locator("#state")).to_have_text(re.compile("^saved"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#name")).not_to_have_text(first)
    page.keyboard.press("n")
    expect(page.locator("#state")).to_have_text(re.compile("^saved"))
    page.keyboard.press("u")
    expect(page.locator("#state")).to_have_text(re.compile("^taken back"))
    page.keyboard.press("End")
    page.wait_for_selector("#row-299")
    page.keyboard.press("Home")
    expect(page.locator("#name")).to_have_text(first)
    assert page.get_by_role("button", name="Positive", exact=True).get_attribute("aria-pressed") == "true"
    page.keyboard.press("/")
    page.keyboard.type("pun")  # letters of a search are no marks
    expect(page.locator("#found")).to_have_text(re.compile("^No id contains"))
    assert [row.mark for row in read_marks(explorer.marks) if row.source == "review"] == [
        "positive", "negative", "none"]


def test_a_click_on_a_neighbour_walks_there(explorer, page):
    open_page(page, explorer.start())
    # Drawn on a canvas, so there is no element to find: the layout says where the neighbour is.
    with page.expect_response(re.compile("neighbourhood")) as asked:
        page.locator(".row").nth(1).click()
    around = asked.value.json()
    page.wait_for_selector("#why p")
    names = {node["id"] for node in around["nodes"]}
    assert len(names) > 1
    box = page.locator("#picture").bounding_box()
    for x, y in itertools.product(np.linspace(.03, .97, 40), repeat=2):
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        away = abs(x - .5) + abs(y - .5) > .15
        if away and page.locator("#picture").evaluate("element => element.style.cursor") == "pointer":
            break
    page.mouse.down()
    page.mouse.up()
    own = around["nodes"][0]["id"]
    expect(page.locator("#name")).not_to_have_text(own)
    assert page.locator("#name").inner_text() in names


def test_a_hostile_id_is_only_text(explorer, page):
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    open_page(page, explorer.start())
    page.fill("#search", "<script>")
    expect(page.locator("#found")).to_have_text("1 node")
    expect(page.locator("#name")).to_have_text(HOSTILE)
    page.wait_for_selector("#why p")
    assert page.locator(".row .id").inner_text() == HOSTILE
    assert page.locator("main img, main script").count() == 0
    assert dialogs == []


def test_nothing_is_asked_of_anybody_else(explorer, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = explorer.start()
    open_page(page, address)
    page.keyboard.press("p")
    expect(page.locator("#state")).to_have_text(re.compile("^saved"))
    assert len(asked) > 10
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(address).netloc}
    assert all(url.startswith(address) for url in asked)
    assert page.context.cookies() == []


def test_a_mark_that_the_server_did_not_confirm_is_not_shown_as_saved(browser, explorer):
    page = browser.new_page()
    open_page(page, explorer.start())
    chosen = page.locator("#name").inner_text()
    explorer.stop()
    page.keyboard.press("p")
    expect(page.locator("#state")).to_have_text(re.compile("^not saved"))
    assert shown_mark(page, chosen) == "not saved"
    assert page.locator("#trouble").is_visible()
    assert "does not answer" in page.locator("#trouble").inner_text()
    assert page.get_by_role("button", name="Positive", exact=True).get_attribute("aria-pressed") == "false"
    assert all(row.source == "known" for row in read_marks(explorer.marks))
    page.close()


def test_ten_thousand_nodes_are_scrolled_with_few_of_them_in_the_document(large_explorer, page):
    open_page(page, large_explorer.start())
    scroll = "(list, share) => { list.scrollTop = share * list.scrollHeight; }"
    for share, row in ((0.5, 5_000), (1.0, 9_999), (0.0, 0)):
        page.locator("#list").evaluate(scroll, share)
        expect(page.locator(f"#row-{row} .id")).not_to_be_empty()
        assert page.locator(".row").count() < 100
    assert page.evaluate("document.querySelectorAll('*').length") < 600
    page.keyboard.press("End")
    expect(page.locator("#row-9999")).to_have_attribute("aria-selected", "true")
    last = large_explorer.run.scores["id"][9_999].as_py()
    expect(page.locator("#row-9999 .id")).to_have_text(last)
    expect(page.locator("#name")).to_have_text(last)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_nothing_sticks_out(browser, explorer, scheme, width, height):
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    open_page(page, explorer.start())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width > 1000:
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    page.close()
