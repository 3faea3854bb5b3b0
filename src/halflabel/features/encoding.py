"""Encoding: how columns of a node table became features, so that another table gets the same treatment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from halflabel.sealed.schema import choice, either, listed, nothing, number, record, text, truth

Kind = Literal["number", "boolean", "date", "text", "list"]
MISSING = "(missing)"
# What a saved encoding holds.
ENCODING = record({
    "columns": listed(record({
        "name": text, "kind": choice("number", "boolean", "date", "text", "list"), "values": listed(text),
        "fill": listed(number()), "gaps": truth})),
    "left_out": listed(text),
    "structure": either(nothing, text),
})


@dataclass(frozen=True)
class Column:
    """One column of a table: `values` are a text's categories, `fill` the means that gaps take.

    >>> Column("city", "text", values=("Bonn", "Ulm")).features
    ['city=Bonn', 'city=Ulm']
    >>> Column("age", "number", fill=(40.0,), gaps=True).features
    ['age', 'age is missing']
    """

    name: str
    kind: Kind
    values: tuple[str, ...] = ()
    fill: tuple[float, ...] = ()
    gaps: bool = False  # whether values were missing, and a feature says where

    @property
    def features(self) -> list[str]:
        """Names of the features it became."""
        if self.kind == "text":
            return [f"{self.name}={value}" for value in self.values]
        listed = self.kind == "list"
        names = [f"{self.name}[{i}]" for i in range(len(self.fill))] if listed else [self.name]
        return [*names, f"{self.name} is missing"] if self.gaps else names


@dataclass(frozen=True)
class Encoding:
    """All columns that became features, in order, and those that were left out.

    `structure` is of a graph without features of its own: a hash of the graph whose structure stood in.

    >>> Encoding.numbers(["age"]).features
    ['age']
    """

    columns: tuple[Column, ...] = ()
    left_out: tuple[str, ...] = ()
    structure: str | None = None

    @classmethod
    def numbers(cls, names: list[str] | tuple[str, ...]) -> Encoding:
        """Of a matrix: every column a number."""
        return cls(tuple(Column(name, "number", fill=(float("nan"),)) for name in names))

    @property
    def features(self) -> list[str]:
        """Names of the features, in order."""
        return [name for column in self.columns for name in column.features]

    def to_dict(self) -> dict[str, Any]:
        """As plain lists and strings, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Encoding:
        """The inverse of :meth:`to_dict`."""
        columns = (Column(column["name"], column["kind"], tuple(column["values"]), tuple(column["fill"]),
                          column["gaps"]) for column in saved["columns"])
        return cls(tuple(columns), tuple(saved["left_out"]), saved["structure"])
