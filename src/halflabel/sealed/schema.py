"""What a JSON value has to be, before anybody uses it: types, ranges, and no key too many or too few.

A check is a function of the value and of where it stands; it raises ValueError that says both.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

from halflabel.errors import quote_some

Check = Callable[[Any, str], None]


def record(fields: Mapping[str, Check]) -> Check:
    """An object with exactly these keys.

    >>> record({"prior": number(0, 1)})({"prior": 0.2}, "config.json")
    >>> record({"prior": number(0, 1)})({"prior": 2}, "config.json")
    Traceback (most recent call last):
    ValueError: config.json: prior: expected a number from 0 to 1, got 2
    """
    def check(value: Any, where: str) -> None:
        _need(isinstance(value, dict), value, where, "an object")
        if missing := sorted(fields.keys() - value.keys()):
            raise ValueError(f"{where}: {quote_some(missing)} missing")
        if strange := sorted(value.keys() - fields.keys()):
            raise ValueError(f"{where}: {quote_some(strange)} not expected")
        for name, field in fields.items():
            field(value[name], f"{where}: {name}")

    return check


def mapping(item: Check) -> Check:
    """An object with any keys, whose values pass a check."""
    def check(value: Any, where: str) -> None:
        _need(isinstance(value, dict), value, where, "an object")
        for name, part in value.items():
            item(part, f"{where}: {name[:40]}")

    return check


def listed(item: Check, length: int | None = None) -> Check:
    """A list, of so many values if a length is given, that all pass a check.

    >>> listed(integer(0), length=2)([1, "2"], "shape")
    Traceback (most recent call last):
    ValueError: shape: 1: expected a whole number of at least 0, got '2'
    """
    def check(value: Any, where: str) -> None:
        many = "" if length is None else f" of {length}"
        right = isinstance(value, list) and length in (None, len(value))
        _need(right, value, where, f"a list{many}")
        for place, part in enumerate(value):
            item(part, f"{where}: {place}")

    return check


def number(low: float = -math.inf, high: float = math.inf) -> Check:
    """A finite number in a closed interval."""
    expected = f"a number {_range(low, high)}".rstrip()

    def check(value: Any, where: str) -> None:
        right = isinstance(value, (int, float)) and not isinstance(value, bool)
        # A whole number may be finite, and yet too large for a float.
        _need(right and abs(value) <= sys.float_info.max and low <= value <= high, value, where, expected)

    return check


def integer(low: int | None = None, high: int = 2**63 - 1) -> Check:
    """A whole number that fits in 64 bits."""
    least = -(2**63) if low is None else low
    expected = "a whole number" if low is None else f"a whole number of at least {low}"

    def check(value: Any, where: str) -> None:
        right = isinstance(value, int) and not isinstance(value, bool) and least <= value <= high
        _need(right, value, where, expected)

    return check


def text(value: Any, where: str) -> None:
    """Any text."""
    _need(isinstance(value, str), value, where, "a text")


def plain(value: Any, where: str) -> None:
    """A value without structure: text, a finite number, true, false or null."""
    if not (value is None or isinstance(value, (str, bool))):
        _need(isinstance(value, (int, float)), value, where, "a text, a number, true, false or null")
        number()(value, where)


def truth(value: Any, where: str) -> None:
    """True or false."""
    _need(isinstance(value, bool), value, where, "true or false")


def choice(*names: str) -> Check:
    """One of these texts."""
    def check(value: Any, where: str) -> None:
        _need(isinstance(value, str) and value in names, value, where, f"one of {quote_some(names)}")

    return check


def either(*checks: Check) -> Check:
    """What one of the checks takes; the last one says what was expected.

    >>> either(text, listed(text))(["a"], "columns")
    """
    def check(value: Any, where: str) -> None:
        for attempt in checks[:-1]:
            try:
                return attempt(value, where)
            except ValueError:
                continue
        return checks[-1](value, where)

    return check


def nothing(value: Any, where: str) -> None:
    """Null."""
    _need(value is None, value, where, "null")


def _need(right: bool, value: Any, where: str, expected: str) -> None:
    if not right:
        shown = repr(value) if isinstance(value, (str, float, bool, type(None))) else _short(value)
        raise ValueError(f"{where}: expected {expected}, got {shown[:60]}")


def _short(value: Any) -> str:
    """Never a screenful, nor the million digits that Python refuses to print."""
    if isinstance(value, int):
        return repr(value) if abs(value) < 2**64 else "a huge number"
    return "an object" if isinstance(value, dict) else f"a list of {len(value):,}"


def _range(low: float, high: float) -> str:
    if math.isinf(high):
        return "" if math.isinf(low) else f"of at least {low}"
    return f"from {low} to {high}"
