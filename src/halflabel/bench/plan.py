"""A plan: graphs x rows x splits, declared in TOML, expanded into jobs."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from halflabel.bench.job import Job
from halflabel.errors import DataError, unknown_name
from halflabel.methods import method_classes

# Decided by the job, or without influence on its result.
NOT_SETTINGS = {"random_state", "device", "verbose"}


@dataclass(frozen=True)
class Row:
    """A row of a table, or a line of a figure: a method and how it is set up.

    `paper` takes the parameters that its authors published in place of ours, `true_prior` tells it the share
    of positives, as the paper does where it prints a star; `published` is the row's name in published.json;
    `metric` stands in for the plan's. Rows of other kinds than "fit" have `options` in place of a method.
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

    def settings(self) -> dict[str, Any]:
        """Every parameter, not only those that differ from a default: defaults may change, results not."""
        if not self.method:
            return dict(self.options)
        known = method_classes()
        if self.method not in known:
            raise DataError(unknown_name("method", self.method, known, f"row {self.label!r}"))
        cls = known[self.method]
        published = cls.paper_settings() if self.paper else {}
        model = cls(**{**published, **self.parameters})
        parameters = {name: value for name, value in model.get_params().items() if name not in NOT_SETTINGS}
        if self.true_prior:
            del parameters["prior"]
        return {"method": self.method, "parameters": parameters, "true_prior": self.true_prior,
                **self.options}


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
        settings = {**row.settings(), "ratio": self.ratio}
        if self.vary == "ratio":
            settings["ratio"] = value
        elif self.vary == "heterophily":
            settings["added"] = {"pattern": self.pattern, "heterophily": value}
        elif self.vary is not None:
            settings["parameters"] = {**settings["parameters"], self.vary: value}
        return Job(row.kind, dataset, seed, settings)

    def narrowed(
        self, datasets: Sequence[str] | None, methods: Sequence[str] | None, seeds: int | None
    ) -> Plan:
        """Only some graphs, some rows (by label or method), another number of splits."""
        rows = self.rows
        if methods is not None:
            names = dict.fromkeys([row.label for row in rows] + [row.method for row in rows if row.method])
            if unknown := [name for name in methods if name not in names]:
                raise DataError(unknown_name("row", unknown[0], names, f"plan {self.name}"))
            rows = tuple(row for row in rows if row.label in methods or row.method in methods)
        return replace(self, datasets=tuple(datasets or self.datasets), rows=rows, seeds=seeds or self.seeds)


def plan_names() -> list[str]:
    """Plans that come with the package.

    >>> "table1" in plan_names()
    True
    """
    return sorted(Path(entry.name).stem for entry in files("halflabel.bench").joinpath("plans").iterdir())


def read_plan(name: str) -> Plan:
    """A plan of the package by its name, or any other by the path of its file."""
    if name.endswith(".toml"):
        text = Path(name).read_text(encoding="utf-8")
    elif name in plan_names():
        text = files("halflabel.bench").joinpath(f"plans/{name}.toml").read_text(encoding="utf-8")
    else:
        raise DataError(unknown_name("plan", name, plan_names()))
    content = tomllib.loads(text)
    rows = tuple(Row(**row) for row in content.pop("row"))
    lists = {key: tuple(content.pop(key)) for key in ("datasets", "values") if key in content}
    return Plan(name=Path(name).stem, rows=rows, **lists, **content)
