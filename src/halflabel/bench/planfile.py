"""Reading a plan: whatever is wrong in the file is said with its key, before anything runs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from halflabel.bench.kinds.declared import KINDS
from halflabel.bench.own import is_own
from halflabel.bench.plan import Plan, Row
from halflabel.bench.published import published_tables
from halflabel.datasets import list_datasets
from halflabel.errors import DataError, unknown_name

# What a value in the file has to be, by its key.
TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    **dict.fromkeys(("title", "metric", "published", "vary", "pattern", "label", "method", "kind"),
                    ((str,), "a text")),
    **dict.fromkeys(("paper", "true_prior", "reference"), ((bool,), "true or false")),
    **dict.fromkeys(("parameters", "options"), ((dict,), "a table such as { epochs = 30 }")),
    **dict.fromkeys(("datasets", "values"), ((list,), "a list")),
    "row": ((list,), "tables that each begin with [[row]]"),
    "seeds": ((int,), "a whole number"),
    "ratio": ((float, int), "a number"),
}


def parse_plan(text: str, name: str, where: str) -> Plan:
    """The plan in a TOML text; `where` names it in messages.

    >>> parse_plan('titel = "x"', "mine", "mine.toml")
    Traceback (most recent call last):
    halflabel.errors.DataError: mine.toml: no key 'titel'. Did you mean 'title'? There is: title, metric, ...
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{where}: not TOML: {error}.") from None
    _check_keys(content, [*_keys(Plan, but=("name", "rows")), "row"], where)
    _check_present(content, ["title", "metric", "datasets", "row"], where)
    rows = tuple(_row(given, number, where) for number, given in enumerate(content.pop("row"), start=1))
    lists = {key: tuple(content.pop(key)) for key in ("datasets", "values") if key in content}
    plan = Plan(name=name, rows=rows, **lists, **content)
    _check_plan(plan, where)
    return plan


def check_datasets(datasets: Iterable[str], where: str = "") -> None:
    """A mistyped graph is an error; one whose file is missing is not, until it is read.

    >>> check_datasets(["cora", "mine:friends"])
    """
    known = [info.name for info in list_datasets()]
    for name in datasets:
        if not is_own(name) and name not in known:
            raise DataError(unknown_name("dataset", name, known, where))


def _row(given: Any, number: int, where: str) -> Row:
    where = f"{where}, [[row]] {number}"
    if not isinstance(given, dict):
        raise DataError(f"{where}: expected {TYPES['row'][1]}.")
    _check_keys(given, _keys(Row), where)
    _check_present(given, ["label"], where)
    return Row(**given)


def _check_plan(plan: Plan, where: str) -> None:
    check_datasets(plan.datasets, f"{where}, datasets")
    if not plan.datasets or not plan.rows or plan.seeds < 1:
        raise DataError(f"{where}: a plan needs a graph, a row and a seed at least.")
    if not 0 < plan.ratio < 1:
        raise DataError(f"{where}: ratio = {plan.ratio}: expected the share of positives that is known, "
                        "between 0 and 1.")
    labels = [row.label for row in plan.rows]
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise DataError(f"{where}: two rows have the label {twice[0]!r}. Give each a label of its own.")
    if plan.vary is not None and plan.values == Plan.values:
        raise DataError(f"{where}: vary = {plan.vary!r} needs values, such as values = [0.2, 0.5].")
    if plan.vary == "heterophily" and plan.pattern not in ("ring", "uniform", "binary"):
        raise DataError(f'{where}: pattern = {plan.pattern!r}: expected "ring", "uniform" or "binary".')
    if plan.published is not None and plan.published not in published_tables():
        raise DataError(unknown_name("published table", plan.published, published_tables(), where))
    for row in plan.rows:
        _check_row(plan, row, f"{where}, row {row.label!r}")


def _check_row(plan: Plan, row: Row, where: str) -> None:
    """Methods are looked up later, when the row is used: a plan may mention one that is not installed."""
    if row.kind not in KINDS:
        raise DataError(unknown_name("kind", row.kind, KINDS, where))
    kind, metric = KINDS[row.kind], row.metric or plan.metric
    if metric not in kind.metrics:
        raise DataError(unknown_name("metric", metric, kind.metrics, f"{where}, kind {row.kind!r}"))
    if kind.takes_method != bool(row.method):
        what = "needs a method" if kind.takes_method else "takes no method"
        raise DataError(f"{where}: kind {row.kind!r} {what}.")
    if missing := [name for name in kind.options if name not in row.options]:
        raise DataError(f"{where}: kind {row.kind!r} needs options = {{ {missing[0]} = ... }}.")
    if row.published is not None and plan.published is not None:
        printed = published_tables()[plan.published]
        if row.published not in printed:
            raise DataError(unknown_name("published row", row.published, printed, where))


def _keys(cls: type[Any], but: Iterable[str] = ()) -> list[str]:
    return [field.name for field in fields(cls) if field.name not in but]


def _check_keys(given: Mapping[str, Any], known: list[str], where: str) -> None:
    for key, value in given.items():
        if key not in known:
            raise DataError(unknown_name("key", key, known, where))
        types, what = TYPES[key]
        # To Python a truth value is a whole number too.
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise DataError(f"{where}: {key} = {value!r}: expected {what}.")


def _check_present(given: Mapping[str, Any], needed: list[str], where: str) -> None:
    for key in needed:
        if key not in given:
            raise DataError(f"{where}: the key {key!r} is missing. Needed: {', '.join(needed)}.")
