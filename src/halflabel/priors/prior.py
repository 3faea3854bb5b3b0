"""Prior: the share of positives among the unlabelled nodes, with an interval."""

from __future__ import annotations

from typing import NamedTuple


class Prior(NamedTuple):
    """Share of positives among the *unlabelled* nodes, with a 90 % interval.

    >>> Prior(0.2, 0.15, 0.26, "bbe").value
    0.2
    """

    value: float
    low: float
    high: float
    method: str
