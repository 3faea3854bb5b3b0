"""Completion in the shell: the right names, without waiting for torch."""

import os
import subprocess
import sys

import pytest

from halflabel.bench.targets import target_names
from halflabel.cli import complete
from halflabel.datasets import list_datasets
from halflabel.nets import BACKBONES
from halflabel.priors import prior_methods

SCRIPT = """
import sys
from halflabel.cli import main
try:
    main()
finally:
    print("HEAVY", [name for name in ("torch", "numpy", "pyarrow") if name in sys.modules], file=sys.stderr)
"""


def completions(line: str) -> list[str]:
    """What bash would offer for the last word of a line."""
    words = line.split(" ")
    asked = {"_HALFLABEL_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False,
                          env={**os.environ, **asked})
    assert done.returncode == 0
    assert done.stderr.strip() == "HEAVY []"
    return done.stdout.split()


@pytest.mark.parametrize(("line", "expected"), [
    ("halflabel co", ["convert", "compare"]),
    ("halflabel fit --method g", ["gpl", "grab"]),
    ("halflabel fit --backbone gc", ["gcn", "gcn_head"]),
    ("halflabel fit --prior ded", ["dedpul"]),
    ("halflabel fit --checkp", ["--checkpoint-every"]),
    ("halflabel prior --methods bbe,km", ["bbe,km1", "bbe,km2"]),
    ("halflabel compare --methods auto,nn", ["auto,nnpu"]),
    ("halflabel data get c", ["cora", "citeseer", "cornell", "chameleon"]),
    ("halflabel bench figure", [f"figure{i}" for i in range(1, 6)]),
])
def test_bash_is_offered(line, expected):
    assert completions(line) == expected


def test_names_are_the_real_ones():
    assert list(complete.BACKBONES) == list(BACKBONES)
    assert list(complete.ESTIMATORS) == prior_methods()
    assert list(complete.DATASETS) == [info.name for info in list_datasets()]
    assert sorted(complete.TARGETS) == sorted(target_names())


@pytest.mark.parametrize(("shell", "line"), [
    ("bash", "complete -o default -F _halflabel_completion halflabel"),
    ("zsh", "#compdef halflabel"),
    ("fish", "complete --command halflabel"),
])
def test_the_script_for_a_shell_can_be_shown(shell, line):
    # Told which, because it would ask the parent process, and who runs the tests need not be a shell.
    told = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run([sys.executable, "-m", "halflabel", "--show-completion", shell],
                          capture_output=True, text=True, check=True, env=told)
    assert line in done.stdout
    assert "_HALFLABEL_COMPLETE" in done.stdout
