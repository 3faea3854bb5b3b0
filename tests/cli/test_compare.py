"""halflabel compare: tables, words, a picture, JSON; and what goes wrong."""

import json

import pytest
from PIL import Image

from halflabel.datasets import write_payments


@pytest.fixture
def payments_files(tmp_path):
    write_payments(tmp_path)
    return [tmp_path / "edges.csv", "--nodes", tmp_path / "nodes.csv", "--positives", tmp_path / "known.txt"]


def test_tables_words_and_a_picture(halflabel, payments_files, tmp_path):
    out = tmp_path / "pictures" / "compare.png"
    outcome = halflabel("compare", *payments_files, "--methods", "naive:mlp,cvir:mlp", "--folds", 3,
                        "--prior", "bbe", "--out", out)
    assert outcome.code == 0
    assert all(words in outcome.out for words in (
        "Ranking of hidden positives", "What each flags by itself", "naive:mlp", "cvir:mlp", "best",
        "ranks hidden positives best", "60 known positives in 3 parts", "by bbe, 90 % interval", out.name))
    assert max(len(line) for line in outcome.out.split("What this says")[0].splitlines()) <= 80
    assert "comparing: 6/6" in outcome.err
    with Image.open(out) as picture:
        assert picture.width > 1000


def test_json_can_be_read_back(halflabel, arguments, tmp_path):
    out = tmp_path / "c.svg"
    outcome = halflabel("compare", *arguments, "--methods", "naive,naive:mlp", "--folds", 2, "--prior", "0.2",
                        "--json", "--out", out)
    content = json.loads(outcome.out)
    assert {row["method"] for row in content["methods"]} == {"naive", "naive:mlp"}
    assert content["best"] not in content["tied"]
    assert content["prior"]["value"] == 0.2
    assert content["words"][0].startswith(content["best"])
    assert out.read_text(encoding="utf-8").lstrip().startswith("<?xml")


@pytest.mark.parametrize(("options", "message"), [
    (["--methods", "glp"], "error: no method 'glp'. Did you mean 'gpl'?"),
    (["--methods", "naive:gnc"], "error: naive:gnc: no backbone 'gnc'. Did you mean 'gcn'?"),
    (["--methods", "gpl,gpl"], "error: methods: 'gpl' is there twice"),
    (["--methods", ","], "error: methods: none given"),
    (["--folds", "99"], "error: folds=99: expected 2 to 8"),
    (["--prior", "bbee"], "error: no prior estimator 'bbee'. Did you mean 'bbe'?"),
    (["--prior", "1.5"], "error: prior=1.5: expected a share between 0 and 1"),
    (["--out", "compare.txt"], "error: compare.txt: expected a name that ends in .png"),
])
def test_mistakes_are_3_and_one_line(halflabel, arguments, options, message):
    outcome = halflabel("compare", *arguments, *options)
    assert outcome.code == 3
    assert outcome.err.startswith(message)
    assert outcome.err.count("\n") == 1
