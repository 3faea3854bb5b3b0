"""The first mistake: what was probably meant, and exit code 2 for usage, 3 for data."""

import json

import pytest


@pytest.mark.parametrize(("arguments", "meant"), [
    (["fitt"], "No such command 'fitt'. Did you mean 'fit'?"),
    (["data", "lst"], "No such command 'lst'. Did you mean 'list'?"),
    (["--versoin"], "No such option: --versoin. Did you mean --version?"),
    (["fit", "e.csv", "--postives", "k.txt"], "No such option: --postives. Did you mean --positives?"),
    (["data", "list", "--jsno"], "No such option: --jsno. Did you mean --json?"),
])
def test_a_mistyped_command_or_option_is_guessed(halflabel, arguments, meant):
    outcome = halflabel(*arguments)
    assert outcome.code == 2
    assert meant in " ".join(outcome.err.replace("│", " ").split())


def test_an_option_like_no_other_is_not_guessed(halflabel):
    outcome = halflabel("data", "list", "--zzz")
    assert outcome.code == 2
    assert "No such option: --zzz" in outcome.err
    assert "Did you mean" not in outcome.err


def test_epochs_are_the_number_asked_for(halflabel, arguments, tmp_path):
    out = tmp_path / "run"
    assert halflabel("fit", *arguments, "--method", "naive", "--epochs", 2, "--out", out).code == 0
    assert json.loads((out / "run.json").read_text())["parameters"]["epochs"] == 2
    assert len((out / "history.csv").read_text().splitlines()) == 1 + 2


def test_folds_are_the_number_asked_for(halflabel, arguments, tmp_path):
    out = tmp_path / "run"
    chosen = ("--method", "naive", "--epochs", 2, "--folds", 2)
    assert halflabel("fit", *arguments, *chosen, "--out", out).code == 0
    assert json.loads((out / "run.json").read_text())["parameters"]["folds"] == 2


def test_fewer_folds_than_a_method_can_do_with(halflabel, arguments, tmp_path):
    outcome = halflabel("fit", *arguments, "--folds", 1, "--out", tmp_path / "run")
    assert outcome.code == 3
    assert "'folds' parameter of Auto must be an int in the range [3" in outcome.err
    assert "leave the option out" in outcome.err


def test_epochs_where_there_are_none(halflabel, arguments, tmp_path):
    outcome = halflabel("fit", *arguments, "--method", "labelprop", "--epochs", 2, "--out", tmp_path / "run")
    assert outcome.code == 3
    assert outcome.err.startswith("error: --epochs 2: labelprop does not train in epochs.")
    assert halflabel("fit", *arguments, "--epochs", 0, "--out", tmp_path / "run").code == 2
