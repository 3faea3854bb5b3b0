"""The report: self-contained, escaped, and readable without the rest of the run."""

import html.parser
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from halflabel.report import render_report
from halflabel.run.record import RunRecord

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def record():
    return RunRecord(
        prior=0.1, prior_low=0.05, prior_high=0.2, threshold=0.6,
        expected={"flagged": 10, "hits": 8.0, "precision": 0.8, "recall": 0.8}, method="gpl",
        parameters={"prior": "auto"}, seed=0,
        counts={"nodes": 120, "edges": 300, "isolated": 2, "features": 3, "known_positives": 20,
                "unlabelled": 100, "flagged": 10},
        notes=[f"left out column {SCRIPT!r}"], scaling="columns standardised: 3 features", seconds=1.0,
        peak_memory_bytes=None, data={"edges": {"path": SCRIPT, "sha256": "0" * 64}},
        versions={"halflabel": "0.1.0"})


@pytest.fixture
def scores():
    known = np.arange(120) >= 100
    rank = np.arange(1, 121)
    return pa.table({
        "id": [SCRIPT, "a & b", *(f"n{i}" for i in range(118))],
        "score": np.where(known, 2.0, np.linspace(3, -3, 120)),
        "probability": np.linspace(1, 0, 120),
        "rank": pa.array(rank, mask=known),
        "known_positive": known,
        "flagged": rank <= 10,
    })


HISTORY = [{"epoch": 0, "prior": float("nan")}, {"epoch": 1, "prior": 0.2}, {"epoch": 2, "prior": 0.1}]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.links = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href", "action")]


def test_user_text_is_never_markup(record, scores):
    text = render_report(record, scores, HISTORY)
    assert "script" not in Page(text).tags
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 3
    assert "a &amp; b" in text


def test_nothing_is_fetched(record, scores):
    text = render_report(record, scores, HISTORY)
    page = Page(text)
    assert all(link.startswith("#") for link in page.links)
    assert not {"img", "link", "iframe", "object"} & set(page.tags)
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    assert "default-src 'none'" in text


def test_what_it_says(record, scores):
    text = render_report(record, scores, HISTORY)
    assert ("About 10 of the 100 unlabelled nodes are positive (10.0 %; 90 % interval 5.0 to 20.0 %, or 5 to "
            "20 nodes), and the 10 most likely are flagged: about 8 of them should be positive (80.0 %), "
            "which is 80.0 % of those that are left.") in text
    assert text.count('<td class="id">') == 50
    assert Page(text).tags.count("svg") == 2
    assert "prefers-color-scheme: dark" in text
    assert "Unraveling the Impact of Heterophilic Structures" in text
    assert "columns standardised: 3 features" in text
    assert "not known" in text


def test_ids_in_the_figures_do_not_collide(record, scores):
    text = render_report(record, scores, HISTORY)
    first, second = (set(re.findall(r'<clipPath id="([^"]+)"', part)) for part in text.split("<svg")[1:])
    assert first
    assert second
    assert not first & second


def test_the_same_run_gives_the_same_page(record, scores):
    assert render_report(record, scores, HISTORY) == render_report(record, scores, HISTORY)


def test_a_given_prior_nothing_flagged_and_no_history(record, scores):
    counts = {**record.counts, "flagged": 0}
    given = replace(record, parameters={"prior": 0.001}, prior=0.001, counts=counts,
                    expected={"flagged": 0, "hits": 0.0, "precision": 0.0, "recall": 0.0})
    nothing = scores.set_column(5, "flagged", pa.array([False] * 120))
    text = render_report(given, nothing, [])
    assert "(as given, 0.1 %), and none is flagged." in text
    assert Page(text).tags.count("svg") == 1


def test_fewer_nodes_than_rows(record, scores):
    text = render_report(record, scores.slice(97), HISTORY)
    assert text.count('<td class="id">') == 3
