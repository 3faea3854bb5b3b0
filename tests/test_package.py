"""The package as a whole: light to import, documented, and imported in one direction."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import halflabel as hl

SOURCE = Path(hl.__file__).parent

# Data goes down this list; a module imports from its own line and from those above it.
LAYERS = {
    "errors": "errors",
    "checking": "sealed",
    "writing": "files progress",
    "data": "ids compress ends features graph order convert marks labels datasets fingerprint graphfiles "
            "drift",
    "mathematics": "auc edges propagation losses priors nets probabilities bootstrapping stacking thresholds "
                   "checkpoint training",
    "base": "decision memory base",
    "methods": "methods",
    "cross-fitting": "crossfit viewprior distributed",
    "saving": "modelfiles",
    "judgement": "metrics explain diagnose comparison",
    "outside": "run plots report explore bench export cli __main__",
}
LEVEL = {module: level for level, modules in enumerate(LAYERS.values()) for module in modules.split()}
# A fitted model has a method save(), and saving knows all methods in order to load them; so does why(), and
# what it gives draws itself. Where there is too little memory, other methods are offered.
ALLOWED = {("memory", "methods"), ("base", "modelfiles"), ("base", "diagnose"), ("base", "explain"),
           ("explain", "plots")}


def modules():
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(tree):
    """First part of everything imported from this package, inside functions too."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "halflabel":
                names += [hl._HOME.get(alias.name, f"halflabel.{alias.name}") for alias in node.names]
            else:
                names.append(node.module)
    parts = [name.split(".") for name in names]
    return {part[1] for part in parts if part[0] == "halflabel" and len(part) > 1} - {"__version__"}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_import_goes_up(path):
    here = room(path)
    assert here in LEVEL, f"{here} has no layer: give it one in LAYERS"
    wanted = imported_rooms(ast.parse(path.read_text(encoding="utf-8")))
    assert wanted <= LEVEL.keys(), f"{wanted - LEVEL.keys()} have no layer"
    upward = {there for there in wanted if LEVEL[there] > LEVEL[here] and (here, there) not in ALLOWED}
    assert not upward, f"{here} imports {upward}, which is further down the flow"


def test_newcomers_are_told_of_every_room():
    told = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Where things are")[1]
    assert [name for name in LEVEL if name != "__main__" and f"`{name}`" not in told] == []


def test_an_upward_import_would_be_seen():
    source = "def f():\n    from halflabel import GPL, load\n    import halflabel.methods.gpl\n"
    assert imported_rooms(ast.parse(source)) == {"methods", "modelfiles"}


@pytest.mark.parametrize("use", ["halflabel", "dir(halflabel)", "halflabel.__version__"])
def test_importing_the_package_is_light(use):
    heavy = {"torch", "torch_geometric", "sklearn", "scipy", "pandas", "numpy", "pyarrow"}
    code = f"import sys, halflabel; {use}; print(*({heavy} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


@pytest.mark.parametrize("what", ["methods", "GPL"])
def test_torch_geometric_waits_until_a_backbone_needs_it(what):
    code = f"import sys, halflabel; halflabel.{what}; print('torch_geometric' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_a_fit_does_without_the_compiler_of_torch():
    """Importing it takes longer than a small fit; optimisers of torch do, and uses of its meta device."""
    code = ("import sys, warnings, halflabel as hl; warnings.simplefilter('ignore'); "
            "graph, y = hl.synthetic(150, prior=0.3); known = hl.hide_positives(y, positive_class=1); "
            "[kind(epochs=2).fit(graph, known) for kind in (hl.Auto, hl.GPL)]; "
            "print('torch._dynamo' in sys.modules)")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("name", sorted(set(hl.__all__) - {"__version__"}))
def test_every_name_resolves_and_is_documented(name):
    assert getattr(hl, name).__doc__
    assert name == "methods" or ">>>" in getattr(hl, name).__doc__
    assert name in dir(hl)


@pytest.mark.parametrize("name", ["fit", "predict", "predict_proba", "decision_function", "save", "why"])
def test_what_users_call_on_a_model_has_an_example(name):
    assert ">>>" in getattr(hl.Auto, name).__doc__


def test_every_name_has_a_home():
    assert set(hl._HOME) == set(hl.__all__) - {"__version__"}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'GLP'"):
        hl.GLP  # noqa: B018


def test_methods_can_be_called_before_and_after_the_package_of_that_name_is_imported():
    code = ("import halflabel as hl; first = hl.methods(); import halflabel.methods.gpl; "
            "print(first == hl.methods(), *first)")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split()[:2] == ["True", "auto"]


@pytest.mark.parametrize(("before", "after"), [(None, "1"), ("0", "0")])
def test_large_tensors_get_large_pages_unless_the_user_says_otherwise(monkeypatch, before, after):
    name = "THP_MEM_ALLOC_ENABLE"
    monkeypatch.delenv(name, raising=False) if before is None else monkeypatch.setenv(name, before)
    code = f"import halflabel, os; print(os.environ[{name!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == after
