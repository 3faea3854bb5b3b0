"""A plan: graphs x rows x splits, declared in TOML, expanded into jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from halflabel.bench.job import Job
from halflabel.bench.own import find_own, is_own, source_digest
from halflabel.errors import DataError, unknown_name
from halflabel.methods import method_classes

# Decided by the job, or without influence on its result.
NOT_SETTINGS = {"random_state", "device", "verbose"}
# Parameters that came later, and the value at which methods do what they did before: with it, jobs keep their
# keys, and results that were measured before still count.
CAME_LATER = {"batch_size": None, "draws": 1, "threshold": "prior"}


@dataclass(frozen=True)
class Row:
    """A row of a table, or a line of a figure: a method and how it is set up.

    `paper` takes the parameters that its authors published in place of ours, `true_prior` tells it the share
    of positives, as the paper does where it prints a star; `published` is the row's name in published.json;
    `metric` stands in for the plan's. Rows of other kinds than "fit" have `options` in place of a method.
    A `reference` is no contestant: it stands apart, and is never the best.
    """

    label: str
    method: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    paper: bool = False
    true_prior: bool = False
    published: str | None = None
    metric: str | None = None
    kind: str = "fit"
    options: dict[str, Any] = field(default_factory=dict)
    reference: bool = False

    def settings(self, where: str = "") -> dict[str, Any]:
        """Every parameter, not only those that differ from a default: defaults may change, results not."""
        if not self.method:
            return dict(self.options)
        where = f"{where}, row {self.label!r}" if where else f"row {self.label!r}"
        cls = find_method(self.method, where)
        given = {**(cls.paper_settings() if self.paper else {}), **self.parameters}
        parameters = _parameters(cls, given, where)
        if self.true_prior:
            del parameters["prior"]
        source = {"source": source_digest(cls)} if is_own(self.method) else {}
        return {"method": self.method, "parameters": parameters, "true_prior": self.true_prior,
                **source, **self.options}


@dataclass(frozen=True)
class Plan:
    """What a table or figure is made of. In a figure something varies: the ratio of known positives, the
    heterophily of the graph (by edges added in a `pattern`), or a parameter of the methods.

    >>> plan = read_plan("smoke")
    >>> len(plan.jobs()) == len(plan.datasets) * len(plan.rows) * plan.seeds
    True
    """

    name: str
    title: str
    metric: str
    datasets: tuple[str, ...]
    rows: tuple[Row, ...]
    seeds: int = 5
    ratio: float = 0.5
    published: str | None = None
    vary: str | None = None
    values: tuple[float, ...] = (float("nan"),)
    pattern: str | None = None

    def jobs(self) -> list[Job]:
        """All jobs; every split sees the same positives whatever the row."""
        return [self.job(row, dataset, seed, value) for dataset in self.datasets for value in self.values
                for seed in range(self.seeds) for row in self.rows]

    def job(self, row: Row, dataset: str, seed: int, value: float = float("nan")) -> Job:
        """The job of one row on one split, at one value of what varies."""
        settings = {**row.settings(f"plan {self.name}"), "ratio": self.ratio}
        if is_own(dataset):
            settings["graph_source"] = source_digest(find_own(dataset, f"plan {self.name}"))
        if self.vary == "ratio":
            settings["ratio"] = value
        elif self.vary == "heterophily":
            settings["added"] = {"pattern": self.pattern, "heterophily": value}
        elif self.vary is not None:
            settings["parameters"] = self._varied(self.vary, row, settings, value)
        return Job(row.kind, dataset, seed, settings)

    def _varied(self, name: str, row: Row, settings: dict[str, Any], value: float) -> dict[str, Any]:
        parameters = settings.get("parameters", {})
        if name not in parameters:
            known = ["ratio", "heterophily", *parameters]
            raise DataError(unknown_name("parameter", name, known,
                                         f"plan {self.name}, vary, in row {row.label!r}"))
        return {**parameters, name: value}

    def narrowed(
        self, datasets: Sequence[str] | None, methods: Sequence[str] | None, seeds: int | None
    ) -> Plan:
        """Only some graphs, some rows (by label or method), another number of splits."""
        rows = self.rows
        if methods is not None:
            names = self.row_names()
            if unknown := [name for name in methods if name not in names]:
                raise DataError(unknown_name("row", unknown[0], names, f"plan {self.name}"))
            rows = tuple(row for row in rows if row.label in methods or row.method in methods)
        chosen = self.datasets if datasets is None else tuple(datasets)
        return replace(self, datasets=chosen, rows=rows, seeds=seeds or self.seeds)

    def row_names(self) -> list[str]:
        """What rows can be called: their labels, and their methods."""
        return list(dict.fromkeys(
            [row.label for row in self.rows] + [row.method for row in self.rows if row.method]))


def find_method(name: str, where: str = "") -> type[Any]:
    """The class of a method, of this package or of the user's own.

    >>> find_method("gpl").__name__
    'GPL'
    """
    if is_own(name):
        return find_own(name, where)
    known = _known_methods()
    if name not in known:
        raise DataError(unknown_name("method", name, known, where))
    return known[name]


def plan_names() -> list[str]:
    """Plans that come with the package.

    >>> "table1" in plan_names()
    True
    """
    return sorted(Path(entry.name).stem for entry in files("halflabel.bench").joinpath("plans").iterdir())


def read_plan(name: str) -> Plan:
    """A plan of the package by its name, or any other by the path of its file."""
    from halflabel.bench.planfile import parse_plan

    if name.endswith(".toml"):
        return parse_plan(Path(name).read_text(encoding="utf-8"), Path(name).stem, name)
    if name not in plan_names():
        raise DataError(unknown_name("plan", name, plan_names()))
    text = files("halflabel.bench").joinpath(f"plans/{name}.toml").read_text(encoding="utf-8")
    return parse_plan(text, name, f"{name}.toml")


@cache
def _known_methods() -> dict[str, type[Any]]:
    return dict(method_classes())


def _parameters(cls: type[Any], given: dict[str, Any], where: str) -> dict[str, Any]:
    known = [name for name in cls().get_params() if name not in NOT_SETTINGS]
    if unknown := [name for name in given if name not in known]:
        raise DataError(unknown_name("parameter", unknown[0], known, where))
    return {name: value for name, value in cls(**given).get_params().items()
            if name in known and (name not in CAME_LATER or value != CAME_LATER[name])}
