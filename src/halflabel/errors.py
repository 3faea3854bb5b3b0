"""What halflabel raises when the fault is in the input rather than in the code."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager


class DataError(ValueError):
    """The data cannot be used as given; the message says what was got, expected, and what to do.

    >>> raise DataError("edges.csv: no rows")
    Traceback (most recent call last):
    halflabel.errors.DataError: edges.csv: no rows
    """


class DivergedError(DataError):
    """Numbers that are not finite came up while fitting; the message says when, and the likely cause.

    >>> issubclass(DivergedError, DataError)
    True
    """


class NotEnoughMemoryError(DataError, MemoryError):
    """A fit would need more memory than there is; the message says how much, and what would fit.

    >>> issubclass(NotEnoughMemoryError, MemoryError)
    True
    """


class CollapseWarning(UserWarning):
    """A network gives every node the same answer; the message says what to change.

    >>> issubclass(CollapseWarning, UserWarning)
    True
    """


class DoubtWarning(UserWarning):
    """Something speaks against the answer of a fit; the message says what, and what to do.

    >>> issubclass(DoubtWarning, UserWarning)
    True
    """


@contextmanager
def without_doubts() -> Iterator[None]:
    """Let fits that only serve another answer, such as those without a fold, keep their doubts to themselves.

    >>> with without_doubts():
    ...     warnings.warn("too few", DoubtWarning)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubtWarning)
        yield


class DriftWarning(UserWarning):
    """Nodes to be scored are unlike those that were fitted; the message says in what.

    >>> issubclass(DriftWarning, UserWarning)
    True
    """


def quote_some(values: Iterable[object], limit: int = 5) -> str:
    """Name the first few offenders: enough to find them, never a screenful.

    >>> quote_some(["a", "b", "c"], limit=2)
    "'a', 'b', ... (3 in all)"
    """
    items = list(values)
    shown = ", ".join(short(v) for v in items[:limit])
    return shown if len(items) <= limit else f"{shown}, ... ({len(items):,} in all)"


def short(value: object, limit: int = 80) -> str:
    """A value as Python writes it, cut off where it would fill the screen.

    >>> short("a" * 1000, limit=10)
    "'aaaaaaaaa..."
    """
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}..."


def some_names(names: Sequence[str], limit: int = 12) -> str:
    """Enough names to recognise a table: a bag of words has thousands of columns.

    >>> some_names(["a", "b", "c"], limit=2)
    'a, b, ... (3 in all)'
    """
    more = f", ... ({len(names):,} in all)" if len(names) > limit else ""
    return ", ".join(name if len(name) <= 80 else f"{name[:80]}..." for name in names[:limit]) + more


def unknown_name(kind: str, got: str, known: Iterable[str], where: str = "") -> str:
    """Message for a mistyped name: what there is, and which one was probably meant.

    >>> unknown_name("column", "wieght", ["source", "target", "weight"], "edges.csv")
    "edges.csv: no column 'wieght'. Did you mean 'weight'? There is: source, target, weight."
    """
    names = [str(name) for name in known]
    close = difflib.get_close_matches(got, names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    prefix = f"{where}: " if where else ""
    return f"{prefix}no {kind} {short(got)}.{hint} There is: {some_names(names)}."
