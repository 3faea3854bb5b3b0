"""docs/cli.md: every command is there, its examples run, and its keys are what --json prints."""

import re
import shlex
from pathlib import Path

import pytest

from halflabel.cli import app
from halflabel.datasets import write_payments

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def rows(heading):
    """Cells of the table under a heading, by what its first cell names."""
    table = PAGE.split(heading, 1)[1].split("\n\n", 1)[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    return {first.strip("`"): rest for first, *rest in lines}


def test_every_command_has_a_line_and_an_example():
    commands = {command.name for command in app.registered_commands}
    groups = {group.name for group in app.registered_groups}
    listed = rows("| command | what it does | example |")
    assert commands | groups <= listed.keys()
    for name, (_, example) in listed.items():
        assert example.strip("`").split()[:2] == ["halflabel", name]


def test_examples_run(halflabel, tmp_path, monkeypatch):
    write_payments(tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)
    for line in block.splitlines():
        outcome = halflabel(*shlex.split(line.removeprefix("$ halflabel ")))
        assert outcome.code == 0, (line, outcome.err)
    assert (tmp_path / "run" / "report.html").exists()
    assert (tmp_path / "compare.png").exists()


@pytest.mark.parametrize("command", [
    "check edges.csv --nodes nodes.csv --positives known.txt",
    "convert edges.csv --nodes nodes.csv --out stored",
    "partition edges.csv parts --nodes nodes.csv --parts 2 --how contiguous",
    "prior edges.csv --nodes nodes.csv --positives known.txt --methods bbe",
    "compare edges.csv --nodes nodes.csv --positives known.txt --methods labelprop --folds 2",
    "data list", "data get payments",
])
def test_keys_are_what_is_printed(halflabel, tmp_path, monkeypatch, command):
    write_payments(tmp_path)
    monkeypatch.chdir(tmp_path)
    printed = halflabel(*command.split(), "--json").out
    name = next(name for name in rows("| command | keys |") if command.startswith(name))
    (cell,) = rows("| command | keys |")[name]
    keys = re.findall(r'^  "(\w+)"', printed, flags=re.MULTILINE)
    assert len(keys) >= 2
    for key in keys:
        assert f"`{key}`" in cell, key
