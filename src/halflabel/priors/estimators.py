"""The table of estimators: what computes each, what it accepts, how its interval is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from halflabel.errors import DataError, unknown_name

REGROUP, REGROUP_BASE = "regroup", "roc"
# As published, over the ROC bound the paper's ReMPE: for comparisons with it, and in no list of what to use.
REGROUP_ALWAYS = "regroup_always"


@dataclass(frozen=True)
class Estimator:
    """Functions are named, not imported: choosing one must not load the others."""

    module: str
    point: str
    interval: str | None = None  # its own; otherwise the bootstrap of the point function
    replicates: int = 0  # of the bootstrap; 0: the interval is a bound, nothing is resampled
    most: int = 0  # positives, and unlabelled, in one sample of the general bootstrap
    columns: Literal["one", "two", "any"] = "one"
    seeded: bool = False  # the point function takes random_state, and so does a bound

    def load(self, function: str) -> Callable:
        """One of the functions named above."""
        return getattr(import_module(f"halflabel.priors.{self.module}"), function)


ESTIMATORS = {
    "bbe": Estimator("bbe", "best_bin", "best_bin_interval", replicates=500),
    "dedpul": Estimator("dedpul", "dedpul", replicates=60, most=5000),
    "roc": Estimator("roc", "roc_bound", "roc_interval"),
    "elkan_noto": Estimator("elkan_noto", "elkan_noto", "elkan_noto_interval", replicates=500),
    "alphamax": Estimator("alphamax", "alphamax", "alphamax_interval", replicates=40),
    "two_view": Estimator("two_view", "two_view", "two_view_interval", replicates=500, columns="two"),
    "km1": Estimator("km", "km1", "km1_interval", replicates=15, columns="any", seeded=True),
    "km2": Estimator("km", "km2", "km2_interval", replicates=15, columns="any", seeded=True),
    "tice": Estimator("tice", "tice", "tice_interval", columns="any", seeded=True),
    "pen_l1": Estimator("pen_l1", "pen_l1", replicates=20, most=1000, columns="any", seeded=True),
}


def prior_methods() -> list[str]:
    """Names that estimate_prior knows; "regroup:NAME" regroups before any that takes one score a node.

    "regroup_always" and "regroup_always:NAME", regrouping as published, are known and not listed.

    >>> prior_methods()[:3]
    ['bbe', 'dedpul', 'roc']
    """
    return [*ESTIMATORS, REGROUP]


def find_estimator(method: str) -> tuple[Estimator, str]:
    """The estimator, and how to regroup first: REGROUP, REGROUP_ALWAYS, or "" for not at all.

    >>> estimator, regrouped = find_estimator("regroup:bbe")
    >>> estimator.point, regrouped
    ('best_bin', 'regroup')
    """
    first, _, base = method.partition(":")
    regrouped = first if first in (REGROUP, REGROUP_ALWAYS) else ""
    name = (base or REGROUP_BASE) if regrouped else method
    if name not in ESTIMATORS:
        raise DataError(unknown_name("prior estimator", name, prior_methods()))
    if regrouped and ESTIMATORS[name].columns == "two":
        raise DataError(f"{method}: regrouping ranks nodes by one score, and {name!r} takes two views.")
    return ESTIMATORS[name], regrouped
