"""What a comparison found: a row for each method, who is best, and who cannot be told from the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from halflabel.comparison.fold import FoldScores, implied_f1
from halflabel.comparison.noise import Mean, mean_difference, mean_over_folds
from halflabel.errors import DataError
from halflabel.priors import Prior

COLUMNS = FoldScores._fields[1:]


@dataclass(frozen=True)
class Row:
    """A method: its results by fold, and for each hidden positive the share of unlabelled nodes below it."""

    method: str
    folds: tuple[FoldScores, ...]
    placements: tuple[float, ...]
    seconds: float
    failure: str = ""

    def mean(self, column: str) -> Mean:
        """A column of FoldScores, as the mean over folds with its 90 % interval."""
        return mean_over_folds(
            [getattr(fold, column) for fold in self.folds], [fold.hidden for fold in self.folds])

    def f1_at(self, prior: float) -> float:
        """The mean F1, had this been the prior."""
        values = [implied_f1(fold.recall, fold.flagged, prior) for fold in self.folds]
        return mean_over_folds(values, [fold.hidden for fold in self.folds]).value


@dataclass(frozen=True)
class Comparison:
    """Methods ranked by AUC of hidden positives against unlabelled nodes; those that failed come last.

    AUC decides, because it needs no prior: an error of the prior moves precision and F1 of every method, and
    not of all alike. `gaps` has how far each method is behind the best, with an interval; these intervals
    hold together, so that the method which is best in truth is hardly ever called worse.

    >>> def row(method, *auc):
    ...     folds = tuple(FoldScores(1, value, 0.5, 0.1, 0.5, 0.5, 0.5) for value in auc)
    ...     return Row(method, folds, placements=auc, seconds=1.0)
    >>> rows = [row("a", 0.7, 0.8, 0.8), row("b", 0.8, 0.9, 1.0), row("c", 0.2, 0.3, 0.3)]
    >>> found = Comparison.ranked(rows, Prior(0.1, 0.05, 0.15, "bbe"), known=3, unlabelled=50)
    >>> found.best, found.tied, found.worse
    ('b', ['a'], ['c'])
    """

    rows: tuple[Row, ...]
    failed: tuple[Row, ...]
    gaps: dict[str, Mean]
    prior: Prior
    known: int
    unlabelled: int

    @classmethod
    def ranked(cls, rows: Sequence[Row], prior: Prior, *, known: int, unlabelled: int) -> Self:
        """Put rows in order. Raises a DataError if every method failed."""
        done = sorted((row for row in rows if not row.failure), key=lambda row: -row.mean("auc").value)
        failed = [row for row in rows if row.failure]
        if not done:
            raise DataError(" ".join(f"{row.method}: {row.failure}" for row in failed))
        best, *others = done
        gaps = {row.method: mean_difference(best.placements, row.placements, len(best.folds), len(others))
                for row in others}
        return cls(tuple(done), tuple(failed), gaps, prior, known, unlabelled)

    @property
    def best(self) -> str:
        """The method with the highest AUC."""
        return self.rows[0].method

    @property
    def tied(self) -> list[str]:
        """Methods whose distance from the best is within noise, nearest first."""
        return [method for method, gap in self.gaps.items() if gap.value <= gap.margin]

    @property
    def worse(self) -> list[str]:
        """Methods that are behind the best by more than noise."""
        return [method for method, gap in self.gaps.items() if gap.value > gap.margin]

    def verdict(self, method: str) -> str:
        """One word: best, tied, worse or failed."""
        if method == self.best:
            return "best"
        if method not in self.gaps:
            return "failed"
        return "tied" if method in self.tied else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, lists and text, for JSON."""
        return {
            "best": self.best, "tied": self.tied, "worse": self.worse,
            "prior": self.prior._asdict(), "known": self.known, "unlabelled": self.unlabelled,
            "methods": [self._row_dict(row) for row in (*self.rows, *self.failed)],
        }

    def _row_dict(self, row: Row) -> dict[str, Any]:
        content: dict[str, Any] = {"method": row.method, "verdict": self.verdict(row.method),
                                   "seconds": round(row.seconds, 3)}
        if row.failure:
            return content | {"failure": row.failure}
        if row.method in self.gaps:
            content["behind"] = self.gaps[row.method]._asdict()
        means = {column: row.mean(column)._asdict() for column in COLUMNS}
        return content | means | {"folds": [fold._asdict() for fold in row.folds]}

    def __str__(self) -> str:
        from halflabel.comparison.words import as_text

        return as_text(self)
