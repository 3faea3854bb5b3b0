"""What the shell may complete: names of methods, networks, estimators and datasets.

Every TAB starts a process, so nothing heavy may be imported: names that live beside torch or numpy are
written down here once more, and a test compares them with the real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from halflabel.methods.registry import METHODS

BACKBONES = ("gcn", "gcn_head", "mlp", "hops", "gat", "arma", "appnp", "lsdan")
ESTIMATORS = ("bbe", "dedpul", "roc", "elkan_noto", "alphamax", "two_view", "km1", "km2", "tice", "pen_l1",
              "regroup")
DATASETS = ("cora", "pubmed", "citeseer", "wikics", "cornell", "chameleon", "squirrel", "actor", "wisconsin",
            "texas", "payments")
TARGETS = ("all", "table1", "table2", "table3", "table4", "figure1", "figure2", "figure3", "figure4",
           "figure5", "authors", "auto", "auto_few", "methods", "smoke")
PRIORS = ("auto", *(name for name in ESTIMATORS if name != "two_view"))

Completer = Callable[[str], list[str]]


def one_of(names: Iterable[str]) -> Completer:
    """Complete a name.

    >>> one_of(["gpl", "grab", "auto"])("g")
    ['gpl', 'grab']
    """
    known = list(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in known if name.startswith(incomplete)]

    return complete


def several_of(names: Iterable[str]) -> Completer:
    """Complete the last of names that are separated by commas.

    >>> several_of(["gpl", "grab", "auto"])("auto,g")
    ['auto,gpl', 'auto,grab']
    """
    last_of = one_of(names)

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in last_of(last)]

    return complete


method, methods = one_of(METHODS), several_of(METHODS)
backbone = one_of(BACKBONES)
prior, estimators = one_of(PRIORS), several_of(ESTIMATORS)
dataset, datasets = one_of(DATASETS), several_of(DATASETS)
target = one_of(TARGETS)
