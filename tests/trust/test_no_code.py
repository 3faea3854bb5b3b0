"""Nothing in the package turns a file into code."""

import ast
from pathlib import Path

import pytest

import halflabel as hl

SOURCE = Path(hl.__file__).parent
RUNS_CODE = {"eval", "exec", "compile", "__import__"}
UNSAFE_MODULES = {"pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "yaml"}
# What such a call must say.
MUST_SAY = {("torch", "load"): ("weights_only", True), ("np", "load"): ("allow_pickle", False),
            ("np", "save"): ("allow_pickle", False)}


def offences(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in UNSAFE_MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in UNSAFE_MODULES:
            # The name of an error is no way to unpickle anything.
            yield from (alias.name for alias in node.names if alias.name != "UnpicklingError")
        elif isinstance(node, ast.Call):
            yield from call_offences(node)


def call_offences(node):
    if isinstance(node.func, ast.Name) and node.func.id in RUNS_CODE:
        yield node.func.id
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        wanted = MUST_SAY.get((node.func.value.id, node.func.attr))
        said = {word.arg: getattr(word.value, "value", None) for word in node.keywords}
        if wanted and said.get(wanted[0]) is not wanted[1]:
            yield f"{node.func.value.id}.{node.func.attr} without {wanted[0]}={wanted[1]}"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_runs_what_it_reads(path):
    assert not [*offences(ast.parse(path.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("source", [
    "import pickle", "from pickle import loads", "eval('1')", "torch.load(path)", "np.load(path)",
    "torch.load(path, weights_only=False)", "import yaml", "from joblib import load",
])
def test_an_offence_would_be_seen(source):
    assert [*offences(ast.parse(source))]
