"""What `halflabel bench` can be asked for: a plan, a figure of two plans, or all of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from halflabel.bench.plan import Plan, plan_names, read_plan
from halflabel.bench.planfile import check_datasets
from halflabel.errors import DataError, unknown_name

TWO_PATTERNS = ("figure1", "figure2")
PAPER = ("table1", "table2", "table3", "table4", "figure1", "figure2", "figure3", "figure4", "figure5")


class Target(NamedTuple):
    """A table or figure: a name for its files, and the plans that it is made of."""

    name: str
    plans: tuple[Plan, ...]

    @property
    def title(self) -> str:
        """The plan's; of two plans, what their titles have in common.

        >>> find_targets("figure1")[0].title
        'Figure 1: error of the prior against heterophily'
        """
        parts = zip(*(plan.title.split(", ") for plan in self.plans), strict=False)
        return ", ".join(each[0] for each in takewhile(lambda each: len(set(each)) == 1, parts))


def target_names() -> list[str]:
    """Everything that has a name.

    >>> target_names()[:3], "figure1" in target_names(), "figure1_ring" in target_names()
    (['all', 'table1', 'table2'], True, False)
    """
    halves = {plan for figure in TWO_PATTERNS for plan in _halves(figure)}
    return ["all", *PAPER, *(name for name in plan_names() if name not in halves and name not in PAPER)]


def find_targets(name: str) -> list[Target]:
    """One target, or with "all" those of the paper.

    >>> [plan.name for plan in find_targets("figure1")[0].plans]
    ['figure1_ring', 'figure1_uniform']
    """
    if name == "all":
        return [target for each in PAPER for target in find_targets(each)]
    if name in TWO_PATTERNS:
        return [Target(name, tuple(read_plan(half) for half in _halves(name)))]
    if not name.endswith(".toml") and name not in plan_names():
        raise DataError(unknown_name("target", name, target_names()) + " The path of a plan ends in .toml.")
    plan = read_plan(name)
    return [Target(plan.name, (plan,))]


def narrow(
    targets: Sequence[Target], datasets: Sequence[str] | None, methods: Sequence[str] | None,
    seeds: int | None,
) -> list[Target]:
    """Only some graphs, rows and splits. Of several targets each takes what it has of them."""
    check_datasets(datasets or ())
    if len(targets) == 1:
        (target,) = targets
        return [Target(target.name, tuple(plan.narrowed(datasets, methods, seeds) for plan in target.plans))]
    plans = [plan for target in targets for plan in target.plans]
    _check_some(datasets, [name for plan in plans for name in plan.datasets], "dataset")
    _check_some(methods, [name for plan in plans for name in plan.row_names()], "row")
    narrowed = [Target(target.name, tuple(
        plan.narrowed(_common(datasets, plan.datasets), _common(methods, plan.row_names()), seeds)
        for plan in target.plans)) for target in targets]
    return [target for target in narrowed if all(plan.datasets and plan.rows for plan in target.plans)]


def rows_in(text: str | None, targets: Sequence[Target]) -> list[str] | None:
    """Rows separated by commas, of which a label may have one itself.

    >>> rows_in("gpl, ceiling, GCN", find_targets("table1"))
    ['gpl', 'ceiling, GCN']
    """
    if text is None:
        return None
    known = {name for target in targets for plan in target.plans for name in plan.row_names()}
    parts, names = [part.strip() for part in text.split(",") if part.strip()], []
    while parts:
        ends = range(len(parts), 1, -1)  # the longest label that there is
        end = next((end for end in ends if ", ".join(parts[:end]) in known), 1)
        names.append(", ".join(parts[:end]))
        parts = parts[end:]
    return names


def is_file(name: str) -> bool:
    """Whether a target is a plan's file.

    >>> is_file("mine.toml"), is_file("table1")
    (True, False)
    """
    return Path(name).suffix == ".toml"


def _halves(figure: str) -> tuple[str, str]:
    return f"{figure}_ring", f"{figure}_uniform"


def _common(wanted: Sequence[str] | None, there: Sequence[str]) -> list[str] | None:
    return None if wanted is None else [name for name in wanted if name in there]


def _check_some(wanted: Sequence[str] | None, there: Sequence[str], kind: str) -> None:
    for name in wanted or ():
        if name not in there:
            raise DataError(unknown_name(kind, name, dict.fromkeys(there), "these plans"))
