"""halflabel prior: a table, a picture, JSON; and what goes wrong."""

import json

import pytest
from PIL import Image


def test_it_prints_a_table_and_draws_a_picture(halflabel, arguments, tmp_path):
    out = tmp_path / "prior.png"
    outcome = halflabel("prior", *arguments, "--methods", "bbe,roc,regroup", "--folds", 3, "--out", out)
    assert outcome.code == 0
    assert "Share of positives among the 32 unlabelled nodes" in outcome.out
    assert all(words in outcome.out for words in ("bbe", "roc", "regroup", "How far to trust it", out.name))
    with Image.open(out) as picture:
        assert picture.width > 1000


def test_json_can_be_read_back(halflabel, arguments, tmp_path):
    outcome = halflabel("prior", *arguments, "--methods", "bbe", "--json", "--out", tmp_path / "p.svg")
    content = json.loads(outcome.out)
    (estimate,) = content["estimates"]
    assert estimate["method"] == "bbe"
    assert 0 <= estimate["low"] <= estimate["value"] <= estimate["high"] <= 1
    assert content["diagnosis"]


def test_an_estimator_that_fails_does_not_stop_the_others(halflabel, arguments, tmp_path):
    """Features and links of these files are noise, which two_view refuses."""
    outcome = halflabel("prior", *arguments, "--methods", "two_view,bbe", "--out", tmp_path / "p.png")
    assert outcome.code == 0
    assert "two_view: View" in outcome.err
    assert "bbe" in outcome.out


@pytest.mark.parametrize(("options", "message"), [
    (["--methods", "bbee"], "error: no prior estimator 'bbee'. Did you mean 'bbe'?"),
    (["--folds", "99"], "error: folds=99: expected 2 to 8"),
    (["--out", "prior.txt"], "error: prior.txt: expected a name that ends in .png"),
    (["--backbone", "gnc"], "error: no backbone 'gnc'. Did you mean 'gcn'?"),
])
def test_mistakes_are_3_and_one_line(halflabel, arguments, options, message):
    outcome = halflabel("prior", *arguments, *options)
    assert outcome.code == 3
    assert outcome.err.startswith(message)
    assert outcome.err.count("\n") == 1
