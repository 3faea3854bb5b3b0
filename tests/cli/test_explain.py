"""halflabel explain: text, JSON, a picture; and what goes wrong."""

import json

import pytest


@pytest.fixture
def run(halflabel, short_fits, arguments, tmp_path):
    assert halflabel("fit", *arguments, "--method", "gpl", "--out", tmp_path / "run").code == 0
    return tmp_path / "run"


def test_it_says_why_and_draws(halflabel, run, tmp_path):
    outcome = halflabel("explain", run, "n05", "--out", tmp_path / "why.svg")
    assert outcome.code == 0
    assert outcome.out.startswith("n05: probability ")
    assert all(words in outcome.out for words in ("income", "log-odds", "trust", "tried", "why.svg"))
    assert "n05" in (tmp_path / "why.svg").read_text() or (tmp_path / "why.svg").stat().st_size > 5000


def test_json_is_what_the_model_says(halflabel, run):
    import halflabel as hl

    printed = json.loads(halflabel("explain", run, "n05", "--json").out)
    assert printed == hl.open_run(run).model.why("n05").to_dict()


def test_ids_that_are_hard_to_print_do_nothing_to_the_terminal(halflabel, run, tmp_path):
    outcome = halflabel("explain", run, "esc\x1b[31m", "--out", tmp_path / "why.png")
    assert outcome.code == 0
    assert "\x1b[31m" not in outcome.out


def test_a_mistyped_node_or_picture_is_bad_data(halflabel, run):
    outcome = halflabel("explain", run, "n5")
    assert outcome.code == 3
    assert "Did you mean 'n" in outcome.err
    outcome = halflabel("explain", run, "n05", "--out", "why.gif")
    assert outcome.code == 3
    assert "why.gif" in outcome.err
    assert halflabel("explain", run.parent / "nothing", "n05").code == 3
