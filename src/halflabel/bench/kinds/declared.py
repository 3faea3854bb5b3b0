"""The kinds of jobs there are: what each needs of a row, and what it measures."""

from __future__ import annotations

from typing import NamedTuple

RANKING = ("f1_own", "f1_top", "average_precision", "auc")
PRIOR = ("prior_error", "prior", "prior_low", "prior_high", "true_prior")


class Kind(NamedTuple):
    """Whether rows name a method, the options they must have, and the metrics of a result."""

    takes_method: bool
    options: tuple[str, ...]
    metrics: tuple[str, ...]


KINDS = {
    "fit": Kind(True, (), RANKING + PRIOR),
    "prior": Kind(False, ("estimator", "backbone"), PRIOR),
    "ceiling": Kind(False, ("backbone",), RANKING),
    "distribution": Kind(True, (), ("overlap",)),
    "edges": Kind(True, ("epochs",), ("snapshots",)),
}
