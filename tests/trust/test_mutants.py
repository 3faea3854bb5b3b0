"""What `make mutants` puts into a module: mistakes, one at a time, and nothing only a reader would see."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("mutations", ROOT / "benchmarks/trust/mutations.py")
mutations = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(mutations)


def changes(line):
    """What a line of a function may turn into."""
    found = mutations.mutants_of(f"def f(x, y):\n    {line}\n")
    return {mutant.source.splitlines()[1].strip() for mutant in found}


@pytest.mark.parametrize(("line", "expected"), [
    ("x = y <= 3", {"x = (y < 3)", "x = y <= (4)"}),
    ("x = not y and x", {"x = (not y or x)", "x = (y) and x"}),
    ("x += y", {"x -= y", "x = y"}),
    ("x = sort(y, key=len, reverse=True)",
     {"x = (sort(y, reverse=True))", "x = (sort(y, key=len))", "x = sort(y, key=len, reverse=(False))"}),
    ("return min(x, y)", {"return None", "return (max)(x, y)"}),
    ("x.flush()", {"pass"}),
    ("x = 1 if y else x", {"x = (2) if y else x", "x = 1 if (not y) else x"}),
    ("raise ValueError(f'{x + 1} of these')", {"pass"}),
    ("'A docstring of 3 words.'", set()),
    ("x: Literal['a', 3]", set()),
])
def test_mistakes_in_a_line(line, expected):
    assert changes(line) == expected


@pytest.mark.parametrize("module", ["labels", "propagation", "run/store"])
def test_every_mutant_is_another_program_that_can_be_read(module):
    source = (ROOT / f"src/halflabel/{module}.py").read_text(encoding="utf-8")
    mutants = mutations.mutants_of(source)
    assert len({mutant.source for mutant in mutants} | {source}) == len(mutants) + 1
    for mutant in mutants:
        compile(mutant.source, module, "exec")
        assert mutant.source.splitlines()[: mutant.line - 1] == source.splitlines()[: mutant.line - 1]
