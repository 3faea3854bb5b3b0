"""Files of a target, and the page over all of them: complete, self-contained, and nothing of it is markup."""

from html.parser import HTMLParser

import pytest
from PIL import Image

from halflabel.bench.figures import draw_target
from halflabel.bench.outputs import Asked, write_outputs
from halflabel.bench.plan import Plan, Row
from halflabel.bench.summary import tables_of
from halflabel.bench.targets import PAPER, Target, find_targets, narrow

ROWS = ["naive", "ted", "nnpu", "gpl"]


def some(name):
    """A target on the rows that are quick to look up."""
    (target,) = find_targets(name)
    names = [row for row in ROWS if all(row in plan.row_names() for plan in target.plans)]
    return narrow([target], None, names, None)[0]


@pytest.mark.parametrize("name", PAPER)
def test_every_target_is_written(name, invent, tmp_path):
    target = some(name)
    page = write_outputs([target], [], invent(target.plans), tmp_path)
    endings = {".md", ".csv", ".tex"} | ({".png", ".svg"} if name.startswith("figure") else set())
    assert {path.suffix for path in tmp_path.glob(f"{name}.*")} == endings
    assert not list(tmp_path.glob(".*"))
    text = page.read_text()
    assert f'id="{name}"' in text
    assert ("<svg" in text) == name.startswith("figure")
    if name.startswith("figure"):
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert picture.width > 1200


def test_figures_come_out_the_same_twice(invent, tmp_path):
    target = some("figure5")
    for place in ("one", "two"):
        write_outputs([target], [], invent(target.plans), tmp_path / place)
    for file in ("figure5.svg", "index.html", "figure5.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_nothing_to_draw_is_no_figure():
    for name in ("figure1", "figure2", "figure3", "figure5", "table3"):
        assert draw_target(some(name).plans, {}) is None


@pytest.mark.parametrize("name", ["figure1", "figure2", "figure3", "figure5"])
def test_a_graph_without_data_is_no_empty_panel_and_its_cells_say_so(name, invent):
    (target,) = narrow(find_targets(name), ["cora", "wikics"], None, 1)
    results = invent(target.plans)
    for key, result in results.items():
        if result["dataset"] == "wikics":
            results[key] = {**result, "status": "no data", "reason": "x"}
    (alone,) = narrow([target], ["cora"], None, 1)
    figure, expected = (draw_target(each.plans, results) for each in (target, alone))
    assert figure is not None
    assert expected is not None
    assert len(figure.axes) == len(expected.axes)
    cells = tables_of(target.plans[0], results)[1].cells
    assert {cell.note for row in cells.values() for cell in row.values()} == {"no data"}


class Links(HTMLParser):
    """Everything that a browser would fetch or run."""

    def __init__(self):
        super().__init__()
        self.found, self.tags = [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.found += [value for name, value in attrs if name in ("src", "href", "xlink:href")]


def test_the_page_is_self_contained_and_escaped(invent, tmp_path):
    rows = (Row("GPL", "gpl"), Row("<script>alert(1)</script>", "naive"))
    target = Target("mine", (Plan("mine", "<b>Mine</b>", "f1_top", ("texas", "wikics"), rows, 2),))
    results = invent(target.plans)
    keys = list(results)
    results[keys[0]].update(status="failed", reason="ValueError('<i>')\nmore", traceback="In <i>\nend")
    for key in keys:
        if "wikics" in key:
            results[key].update(status="no data", reason="no file <wikics.json>")
    figure = some("figure5")
    page = write_outputs([target], [figure], {**invent(figure.plans), **results}, tmp_path).read_text()
    links = Links()
    links.feed(page)
    assert not links.tags & {"script", "i", "img", "link", "iframe"}
    assert all(link.startswith("#") or (tmp_path / link).exists() for link in links.found)
    assert "&lt;script&gt;alert(1)" in page
    assert "no file &lt;wikics.json&gt;" in page
    assert "ValueError(&#39;&lt;i&gt;&#39;)</summary>" in page
    assert "1 failed" in page
    assert "prefers-color-scheme: dark" in page
    assert "@inproceedings{wu2024unraveling" in page
    assert "torch 2.6.0" in page
    assert "Every row against GPL" in page


def test_labels_in_figures_are_text(invent, tmp_path):
    plan = Plan("mine", "Mine", "f1_top", ("texas",), (Row("<script>x</script>", "gpl"),), 1, vary="K",
                values=(1, 2))
    page = write_outputs([Target("mine", (plan,))], [], invent([plan]), tmp_path).read_text()
    assert "<svg" in page
    assert "<script" not in page


def test_earlier_targets_stay_on_the_page_as_they_were_asked_for(invent, tmp_path):
    asked = Asked(tmp_path)
    asked.add({"table3": "table3"}, ["texas"], ["gpl"], 2)
    asked.add({"gone": str(tmp_path / "gone.toml")}, None, None, None)
    (earlier,) = Asked(tmp_path).others(["figure5"])
    assert (earlier.name, earlier.plans[0].datasets, earlier.plans[0].seeds) == ("table3", ("texas",), 2)
    now = some("figure5")
    page = write_outputs([now], [earlier], invent([*now.plans, *earlier.plans]), tmp_path).read_text()
    assert page.index('id="table3"') < page.index('id="figure5"')
    assert Asked(tmp_path).others(["table3"]) == []
