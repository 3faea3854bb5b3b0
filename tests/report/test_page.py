"""The report: self-contained, escaped, and readable without the rest of the run."""

import base64
import hashlib
import html.parser
import json
import re
from dataclasses import replace

import pyarrow as pa
import pytest

import halflabel as hl
from halflabel.report import render_report
from halflabel.run.ranking import score_table
from halflabel.run.record import record_run

SCRIPT = "<script>alert(1)</script>"
HISTORY = [{"epoch": 0, "loss": 1.0, "prior": float("nan")}, {"epoch": 1, "loss": 0.5, "prior": 0.2}]
ORDER = ["ranking", "prior", "scores", "calibration", "review", "graph", "training", "data-handling", "cite"]


class Page(html.parser.HTMLParser):
    """Tags, links, and the text of elements that browsers do not show or run as a whole."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.scripts, self.sections = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href", "action")]
        self.scripts += [""] if tag == "script" else []
        self.sections += [attributes["id"]] if tag == "section" else []

    def handle_data(self, data):
        if self.lasttag == "script" and not self.scripts[-1]:
            self.scripts[-1] = data


@pytest.fixture(scope="module")
def fitted():
    graph, y = hl.load_dataset("payments")
    known = hl.payments_positives(y)
    model = hl.Naive(epochs=20).fit(graph, known)
    table = score_table(graph, model, known)
    return record_run(graph, model, table, seconds=1.0, inputs={}), table, model


@pytest.fixture(scope="module")
def whole(fitted):
    record, table, model = fitted
    return render_report(record, table, model.history_, model)


def test_user_text_is_never_markup(record, scores):
    text = render_report(record, scores, HISTORY)
    assert Page(text).tags.count("script") == 2  # our data and our script
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 3
    assert "<script>alert" not in text
    assert "a &amp; b" in text


def test_the_data_of_the_script_is_what_the_table_says(record, scores):
    data = json.loads(Page(render_report(record, scores, HISTORY)).scripts[0])
    assert data["ranked"]["ids"][:3] == [SCRIPT, "a & b", "n0"]
    assert len(data["ranked"]["ids"]) == len(data["ranked"]["probability"]) == 100
    assert data["ranked"]["flagged"] == 10


def test_a_browser_runs_only_the_script_that_the_page_names(record, scores):
    text = render_report(record, scores, HISTORY)
    digest = base64.b64encode(hashlib.sha256(Page(text).scripts[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in text
    assert not re.search(r"<[^>]*\son\w+=", text.split("<script>")[0])


def test_nothing_is_fetched(whole):
    page = Page(whole)
    assert all(link.startswith("#") for link in page.links)
    assert not {"img", "link", "iframe", "object"} & set(page.tags)
    assert "@import" not in whole
    assert not re.search(r"url\((?!#)", whole)


def test_what_it_says_in_which_order(whole):
    assert Page(whole).sections == ORDER
    assert whole.index('class="answer"') < whole.index('<section id="ranking"')
    assert "could not be made" not in whole
    assert "missing" not in re.findall(r'class="(\w+)"', whole)
    assert 'class="distrusted"' in whole  # the legend has it
    assert whole.count('<svg class="graph"') == 6
    assert "prefers-color-scheme: dark" in whole
    assert "Unraveling the Impact of Heterophilic Structures" in whole


def test_the_answer_and_the_first_fifty(record, scores):
    text = render_report(record, scores, HISTORY).replace("\u00a0", " ")
    assert ("About 10 of the 100 unlabelled nodes are positive (10.0 %; 90 % interval 5.0 to 20.0 %, or 5 to "
            "20 nodes), and the 10 most likely are flagged: about 8 of them should be positive (80.0 %), "
            "which is 80.0 % of those that are left.") in text
    assert text.count('<td class="id">') == 50
    assert "columns standardised: 3 features" in text
    assert "not known" in text


def test_reasons_are_those_of_their_nodes(whole, fitted):
    from halflabel.explain.reasons import reasons

    _, table, model = fitted
    place = model._graph.ids.positions(table["id"].slice(0, 3))
    data = json.loads(Page(whole).scripts[0])
    assert data["ranked"]["why"][:3] == reasons(model, place)
    assert len(data["ranked"]["why"]) == 50


def test_ids_in_the_figures_do_not_collide(whole):
    ids = re.findall(r'\sid="([^"]+)"', whole)
    assert len(ids) > 30
    assert len(ids) == len(set(ids))


def test_the_same_run_gives_the_same_page(record, scores):
    assert render_report(record, scores, HISTORY) == render_report(record, scores, HISTORY)


def test_a_given_prior_nothing_flagged_and_no_history(record, scores):
    counts = {**record.counts, "flagged": 0}
    given = replace(record, parameters={"prior": 0.001}, prior=0.001, prior_low=0.001, prior_high=0.001,
                    counts=counts, expected={"flagged": 0, "hits": 0.0, "precision": 0.0, "recall": 0.0})
    nothing = scores.set_column(5, "flagged", pa.array([False] * 120))
    text = render_report(given, nothing, []).replace("\u00a0", " ")
    assert "(as given, 0.1 %), and none is flagged." in text
    assert "This method keeps no record by epoch." in text
    assert "where 0.1 % was given" in text


def test_fewer_nodes_than_rows(record, scores):
    text = render_report(record, scores.slice(97), HISTORY)
    assert text.count('<td class="id">') == 3


def test_what_is_missing_is_a_sentence(record, scores):
    text = render_report(record, scores.drop_columns(["out_of_fold", "fold"]), HISTORY)
    assert text.count("There are no held-out scores") == 2
    assert "No process held the whole graph" in text
    assert "Reasons need the whole graph" in text
    learned_from = [float("nan") if i > 102 else 1.0 for i in range(120)]
    few = scores.set_column(6, "out_of_fold", pa.array(learned_from))
    assert text.count('<section id="scores"') == 1
    assert "Only 3 known positives were held out" in render_report(record, few, HISTORY)


def test_a_part_that_fails_does_not_take_the_page_with_it(record, scores, monkeypatch):
    def fail(*args):
        raise ValueError("<oops>")

    monkeypatch.setattr("halflabel.report.page.curve_plot", fail)
    text = render_report(record, scores, HISTORY)
    assert "This part could not be made (ValueError: &lt;oops&gt;)." in text
    assert Page(text).sections == ORDER
